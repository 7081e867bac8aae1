import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type CliContext, configOf } from '#cli/context';
import { explainExit } from '#cli/exit';
import { runningServer } from '#cli/operator-call';
import { type Config, unknownSettings } from '#runtime/config';
import { neededFiles, type OpenFileNeeds, openFileLimit } from '#runtime/open-files';
import { exposedPaths } from '#runtime/private-folder';
import { unsafeSettings } from '#runtime/start-check';
import { ownUrl } from './demo.ts';
import { type Check, checkOf } from './doctor-check.ts';

const OLDEST_NODE = [20, 19] as const;
const ANSWER_WITHIN_MS = 3_000;

export function nodeCheck(version = process.versions.node): Check {
  const { ok, fail } = checkOf('node');
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const fine = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
  return fine ? ok(`Node ${version}`) : fail(`Node ${version}`, `Install Node ${OLDEST_NODE.join('.')} or newer.`);
}

export function readSettings(ctx: CliContext): { readonly check: Check; readonly config: Config | null } {
  const { ok, warn, fail } = checkOf('settings');
  try {
    const config = configOf(ctx);
    const [unknown] = unknownSettings(ctx.env);
    if (unknown === undefined) return { config, check: ok('every setting can be used') };
    const advice = 'A typo? "postrider config" lists every setting.';
    return { config, check: warn(`${unknown} is not a setting`, advice) };
  } catch (error) {
    const advice = 'Correct it; "postrider config" shows the values that each setting accepts.';
    return { config: null, check: fail(explainExit(error).sentence, advice) };
  }
}

/** Secrets with which "postrider serve" refuses to start. */
export function secretsCheck(config: Config): Check {
  const { ok, fail } = checkOf('secrets');
  const faults = unsafeSettings(config);
  if (faults.length === 0) return ok('none is public or easy to guess');
  return fail(faults.join(' '), 'The service does not start until this is corrected.');
}

/** The data folder, or the folder in which it would be made; and whether other users are kept out of it. */
export function folderCheck({ dataDir }: Pick<Config, 'dataDir'>): Check {
  const { ok, fail } = checkOf('data folder');
  const folder = resolve(dataDir);
  let existing = folder;
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  if (!statSync(existing).isDirectory()) return fail(`${existing} is not a folder`, 'Set MESSAGING_DATA_DIR.');
  try {
    accessSync(existing, constants.W_OK | constants.X_OK);
  } catch {
    return fail(`${existing} is not writable`, 'Give this user write permission, or set MESSAGING_DATA_DIR.');
  }
  if (existing !== folder) return ok(`${folder} will be created`);
  const [first, ...rest] = exposedPaths(folder);
  if (first === undefined) return ok(`${folder} is writable by this user only`);
  const more = rest.length === 0 ? '' : ` and ${rest.length} more`;
  const advice = `Run "chmod -R go= ${folder}" as its owner; "postrider serve" does so for what is its own.`;
  return fail(`${first}${more}: open to other users of this machine`, advice);
}

/**
 * Whether the running server, or one that were started from here, may open as many files as its settings allow.
 * @param limit null where the system does not tell
 */
export function filesCheck(config: OpenFileNeeds, limit: number | null): Check {
  const { ok, warn } = checkOf('open files');
  const needed = neededFiles(config);
  if (limit === null) return ok('the limit of this system is unknown');
  const finding = `up to ${limit === Number.POSITIVE_INFINITY ? 'any number' : limit}; ${needed} may be needed`;
  if (limit >= needed) return ok(finding);
  return warn(finding, 'Raise the limit (ulimit -n; LimitNOFILE with systemd), or lower MESSAGING_MAX_CONNECTIONS.');
}

/** The limit of the running server; without one, that of this command. */
export async function fileLimit(config: Config): Promise<number | null> {
  return openFileLimit((await runningServer(config))?.pid);
}

/** Whether a server runs here and says that it is ready. */
export async function serverCheck(ctx: CliContext, config: Config): Promise<Check> {
  const { ok, warn } = checkOf('server');
  const running = await runningServer(config);
  const who = running ? `process ${running.pid}` : 'a server';
  const url = running?.url ?? ownUrl(config);
  const status = await statusOf(ctx, `${url}/readyz`);
  if (status === 200) return ok(`${who} is ready at ${url}`);
  if (status !== null) return warn(`${url}/readyz answers ${status}`, `For the reason: curl -sS ${url}/readyz`);
  if (!running) return warn('no server is running here', 'Start it with "postrider serve" or "npm start".');
  return warn(
    `${who} is running, but nothing responds at ${url}`,
    `See whether it listens there: ss -ltnp | grep ${running.pid}`,
  );
}

/** The network of the running server; without one, that of the settings. */
export async function networkCheck(ctx: CliContext, config: Config): Promise<Check> {
  const { ok, fail } = checkOf('network');
  const networkUrl = (await runningServer(config))?.networkUrl ?? config.networkUrl;
  if (!URL.canParse(networkUrl)) return fail(`"${networkUrl}" is not a URL`, 'Set MESSAGING_NETWORK_URL.');
  if ((await statusOf(ctx, networkUrl)) !== null) return ok(`${networkUrl} answers`);
  const advice = 'Check MESSAGING_NETWORK_URL; "postrider simulator" starts the simulated network.';
  return fail(`${networkUrl} does not respond`, advice);
}

/** Any status means that somebody is there; null that nobody is. */
async function statusOf(ctx: CliContext, url: string): Promise<number | null> {
  try {
    const response = await ctx.fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    await response.body?.cancel();
    return response.status;
  } catch {
    return null;
  }
}
