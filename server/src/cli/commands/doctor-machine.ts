import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type CliContext, configOf } from '#cli/context';
import { explainExit } from '#cli/exit';
import { runningServer } from '#cli/operator-call';
import { type Config, unknownSettings } from '#runtime/config';
import { neededFiles, type OpenFileNeeds, openFileLimit } from '#runtime/open-files';
import { exposedPaths } from '#runtime/private-folder';
import { unsafeSettings } from '#runtime/start-check';
import { reachableUrl } from './demo.ts';

/** One line of the doctor. */
export interface Check {
  readonly name: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly finding: string;
  /** What to do about it. */
  readonly advice?: string;
}

const OLDEST_NODE = [20, 19] as const;
const ANSWER_WITHIN_MS = 3_000;

export function nodeCheck(version = process.versions.node): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const fine = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
  if (fine) return { name: 'node', state: 'ok', finding: `Node ${version}` };
  return {
    name: 'node',
    state: 'fail',
    finding: `Node ${version}`,
    advice: `Install Node ${OLDEST_NODE.join('.')} or newer.`,
  };
}

export function readSettings(ctx: CliContext): { readonly check: Check; readonly config: Config | null } {
  try {
    const config = configOf(ctx);
    const [unknown] = unknownSettings(ctx.env);
    if (unknown !== undefined) {
      const advice = 'A typing mistake? "postrider config" lists every setting.';
      return { config, check: { name: 'settings', state: 'warn', finding: `${unknown} is not a setting`, advice } };
    }
    return { config, check: { name: 'settings', state: 'ok', finding: 'every setting can be used' } };
  } catch (error) {
    const advice = 'Correct it; "postrider config" shows what each setting takes.';
    return { config: null, check: { name: 'settings', state: 'fail', finding: explainExit(error).sentence, advice } };
  }
}

/** Secrets with which "postrider serve" refuses to start. */
export function secretsCheck(config: Config): Check {
  const faults = unsafeSettings(config);
  const name = 'secrets';
  if (faults.length === 0) return { name, state: 'ok', finding: 'none is public or easy to guess' };
  return { name, state: 'fail', finding: faults.join(' '), advice: 'Nothing starts until this is corrected.' };
}

/** The data folder, or the folder in which it would be made; and whether other users are kept out of it. */
export function folderCheck({ dataDir }: Pick<Config, 'dataDir'>): Check {
  const folder = resolve(dataDir);
  let existing = folder;
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  const name = 'data folder';
  if (!statSync(existing).isDirectory())
    return { name, state: 'fail', finding: `${existing} is not a folder`, advice: 'Set MESSAGING_DATA_DIR.' };
  try {
    accessSync(existing, constants.W_OK | constants.X_OK);
  } catch {
    return {
      name,
      state: 'fail',
      finding: `${existing} cannot be written`,
      advice: 'Give this user the right, or set MESSAGING_DATA_DIR.',
    };
  }
  if (existing !== folder) return { name, state: 'ok', finding: `${folder} will be made` };
  return privacyCheck(folder);
}

function privacyCheck(folder: string): Check {
  const [first, ...rest] = exposedPaths(folder);
  const name = 'data folder';
  if (first === undefined) return { name, state: 'ok', finding: `${folder} can be written, by this user alone` };
  const more = rest.length === 0 ? '' : ` and ${rest.length} more`;
  return {
    name,
    state: 'fail',
    finding: `${first}${more}: open to other users of this machine`,
    advice: `Run "chmod -R go= ${folder}" as its owner; "postrider serve" does so for what is its own.`,
  };
}

/**
 * Whether the running server, or one that were started from here, may open as many files as its settings allow.
 * @param limit null where the system does not tell
 */
export function filesCheck(config: OpenFileNeeds, limit: number | null): Check {
  const name = 'open files';
  const needed = neededFiles(config);
  if (limit === null) return { name, state: 'ok', finding: 'this system does not tell its limit' };
  const finding = `up to ${limit === Number.POSITIVE_INFINITY ? 'any number' : limit}; ${needed} may be needed`;
  if (limit >= needed) return { name, state: 'ok', finding };
  const advice = 'Raise the limit (ulimit -n; LimitNOFILE with systemd), or lower MESSAGING_MAX_CONNECTIONS.';
  return { name, state: 'warn', finding, advice };
}

/** The limit of the running server; without one, that of this command. */
export async function fileLimit(config: Config): Promise<number | null> {
  return openFileLimit((await runningServer(config))?.pid);
}

/** Whether a server runs here and says that it is ready. */
export async function serverCheck(ctx: CliContext, config: Config): Promise<Check> {
  const running = await runningServer(config);
  const who = running ? `process ${running.pid}` : 'a server';
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  const url = reachableUrl(`http://${host}:${config.port}`);
  const status = await statusOf(ctx, `${url}/readyz`);
  const name = 'server';
  if (status === 200) return { name, state: 'ok', finding: `${who} is ready at ${url}` };
  if (status !== null)
    return {
      name,
      state: 'warn',
      finding: `${url}/readyz answers ${status}`,
      advice: 'Look at its log, and at the lines below.',
    };
  if (running)
    return {
      name,
      state: 'warn',
      finding: `${who} runs, but nothing answers at ${url}`,
      advice: 'Are HOST and PORT those that it was started with?',
    };
  return {
    name,
    state: 'warn',
    finding: 'no server runs here',
    advice: 'Start it with "postrider serve" or "npm start".',
  };
}

export async function networkCheck(ctx: CliContext, { networkUrl }: Pick<Config, 'networkUrl'>): Promise<Check> {
  const name = 'network';
  if (!URL.canParse(networkUrl))
    return { name, state: 'fail', finding: `"${networkUrl}" is not an address`, advice: 'Set MESSAGING_NETWORK_URL.' };
  const status = await statusOf(ctx, networkUrl);
  if (status !== null) return { name, state: 'ok', finding: `${networkUrl} answers` };
  return {
    name,
    state: 'fail',
    finding: `${networkUrl} does not answer`,
    advice: 'Check MESSAGING_NETWORK_URL; "postrider simulator" starts the simulated network.',
  };
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
