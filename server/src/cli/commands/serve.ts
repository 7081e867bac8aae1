import { once } from 'node:events';
import type { Command } from 'commander';
import { hashKey } from '#access/actions/authenticate';
import { findUsableKey } from '#access/store/api-keys';
import type { Bootstrap } from '#accounts/actions/bootstrap-tenant';
import type { Service } from '#bin/service';
import { type CliContext, configOf, pause } from '#cli/context';
import { EXIT } from '#cli/exit';
import { NO_SOCKET, openOperatorSocket } from '#cli/operator-socket';
import { joinProcesses, type ProcessMember } from '#cli/processes/member';
import { AGAIN_KEY, PLACE_KEY } from '#cli/processes/messages';
import { processCount, supervise } from '#cli/processes/supervisor';
import type { Finish } from '#cli/program';
import { findUnready } from '#database/readiness';
import { type Config, unknownSettings } from '#runtime/config';
import { keepHeapSmall } from '#runtime/heap';
import { makeLog } from '#runtime/log';
import { readOfProcess } from '#runtime/metrics';
import { neededFiles, openFileLimit } from '#runtime/open-files';
import { makeRuntime, type Runtime } from '#runtime/runtime';
import type { SiblingAnswers } from '#runtime/siblings';
import { networkIsSimulated } from '#runtime/simulated';
import { requireSafeSettings, speaksPlainHttp } from '#runtime/start-check';
import { ensureOwner } from '#users/actions/first-owner';
import { makeSignInLink } from '#users/actions/sign-in';
import { demoBlock, demoKey, demoKeyPath, reachableUrl } from './demo.ts';

/** SIGTERM promises to leave within this; what is not finished by then is found again by the next start. */
const STOP_WITHIN_MS = 25_000;

/** The simulator is on this machine. */
const TEMPLATES_WITHIN_MS = 5_000;

const FEW_FILES =
  'config.few_files: this process may need more open files than its limit allows: raise it (ulimit -n, LimitNOFILE), or lower MESSAGING_MAX_CONNECTIONS.';
const PLAIN_HTTP =
  'config.plain_http: other machines reach this process over plain HTTP: put a proxy with TLS in front of it, and let nothing else through.';

/** Options of the command line that stand above the settings of the same meaning. */
export interface ServeOptions {
  readonly roles?: string;
  readonly host?: string;
  readonly port?: string;
  readonly processes?: string;
  readonly dataDir?: string;
}

const EXAMPLES = `
Examples:
  postrider serve                                    everything, on the embedded database in ./data
  PORT=9000 postrider serve                          on another port
  DATABASE_URL=postgres://… postrider serve          on PostgreSQL
  DATABASE_URL=postgres://… postrider serve --processes auto   one process per core, behind one port
  postrider serve --roles api,receiver               one of several processes on one DATABASE_URL
  MESSAGING_DEMO=on postrider serve                  with a demo tenant; prints its key and a curl line`;

export function addServe(program: Command, ctx: CliContext, finish: Finish): void {
  program
    .command('serve')
    .description('run the service (all roles, or some of them)')
    .option(
      '--roles <names>',
      'what this process does: api, receiver, ingester, dispatcher, notifier, campaigner, maintenance (MESSAGING_ROLES)',
    )
    .option('--host <address>', 'address to listen on (HOST)')
    .option('--port <number>', 'port to listen on (PORT)')
    .option(
      '--processes <number>',
      'processes that share the port: a number, or auto for one per core (MESSAGING_PROCESSES)',
    )
    .option('--data-dir <folder>', 'folder of the embedded database (MESSAGING_DATA_DIR)')
    .addHelpText('after', EXAMPLES)
    .action(async (options: ServeOptions) => finish(await serve(ctx, options)));
}

/** Runs the service until a signal ends it, in this process or in several that it starts. @returns the exit code */
export async function serve(ctx: CliContext, options: ServeOptions): Promise<number> {
  const config = serveConfig(ctx, options);
  const count = processCount(config);
  const member = joinProcesses();
  return count > 1 && member === null ? supervise(ctx, makeLog(config), count) : serveHere(ctx, config, member);
}

/** @param member this process as one of several; null: it is the whole service */
async function serveHere(ctx: CliContext, config: Config, member: ProcessMember | null): Promise<number> {
  const rt: Runtime = { ...makeRuntime(config, makeLog(config), ctx.clock), siblings: member };
  /** Of several processes, the first has what there can be only one of. */
  const isFirst = member === null || ctx.env[PLACE_KEY] === '0';
  for (const key of unknownSettings(ctx.env)) rt.log.warn({ key }, 'config.unknown_setting');
  ctx.outliveReader();
  keepHeapSmall();
  const stop = listenForStop(ctx, member === null);
  const { startService, migrationsFolder } = await ctx.loadServer();
  const service = await startService(rt, stop.signal);
  const operatorDeps = {
    rt,
    db: service.db,
    migrationsFolder: migrationsFolder(),
    cells: service.cells?.forOperators ?? null,
  };
  const socket = isFirst ? await openOperatorSocket(operatorDeps, reachableUrl(service.url)) : NO_SOCKET;
  if (isFirst && !ctx.env[AGAIN_KEY]) await announce(ctx, rt, service);
  member?.ready(answersOf(rt, service));
  if (service.url !== '' && speaksPlainHttp(config)) rt.log.warn({ host: config.host }, PLAIN_HTTP);
  warnOfFewFiles(rt);

  const outdated = await Promise.race([stop.asked.then(() => null), service.outdated]);
  if (outdated !== null) ctx.stderr.write(`${outdated} Start the newer program instead.\n`);
  ctx.stderr.write('Stopping after work in progress is finished.\n');
  const exitCode = await Promise.race([stopService(rt, service, socket.close), leaveUnfinished(ctx, stop.forced)]);
  return outdated === null ? exitCode : EXIT.outdated;
}

/** Without a file to spare no connection is taken and no message sent, at the busiest moment. */
function warnOfFewFiles({ config, log }: Runtime): void {
  const limit = openFileLimit();
  const needed = neededFiles(config);
  if (limit !== null && limit < needed) log.warn({ limit, needed }, FEW_FILES);
}

/** What this process says of itself when it or another one is asked for metrics or readiness. */
function answersOf(rt: Runtime, { db, cells }: Service): SiblingAnswers {
  return {
    metrics: () => readOfProcess(rt.metrics, cells?.entrances.cellReport.metrics() ?? []),
    readiness: async () => (await findUnready(rt, db)).map(({ sentence }) => sentence),
  };
}

function serveConfig(ctx: CliContext, { roles, host, port, processes, dataDir }: ServeOptions): Config {
  const config = configOf(ctx, {
    MESSAGING_ROLES: roles,
    HOST: host,
    PORT: port,
    MESSAGING_PROCESSES: processes,
    MESSAGING_DATA_DIR: dataDir,
  });
  requireSafeSettings(config);
  return config.demo === 'on' ? { ...config, bootstrapApiKey: demoKey(config) } : config;
}

async function announce(ctx: CliContext, rt: Runtime, service: Service): Promise<void> {
  const { config } = rt;
  if (config.demo === 'on' && service.bootstrap !== null)
    return announceDemo(ctx, rt, { ...service, bootstrap: service.bootstrap });
  if (service.migrated.length > 0) ctx.stdout.write(`migrated ${service.migrated.join(', ')}\n`);
  const what = service.url === '' ? `running ${config.roles}` : `listening on ${service.url}`;
  ctx.stdout.write(`${what}\n`);
}

type Demo = Service & { readonly bootstrap: Bootstrap };

/** For somebody who looks at it for the first time: what they need next, and nothing of what went before. */
async function announceDemo(ctx: CliContext, rt: Runtime, service: Demo): Promise<void> {
  const { config, clock } = rt;
  const { bootstrap } = service;
  const { bootstrapApiKey: key, networkUrl, dataDir } = config;
  if (networkIsSimulated(config)) await readTemplates(ctx, service.url, key);
  const signInUrl = await makeSignInLink(rt, service.db, await ensureOwner(rt, service.db, bootstrap.tenantId));
  ctx.stdout.write(demoBlock({ url: service.url, key, networkUrl, dataDir, signInUrl }));
  const usable = await findUsableKey(service.db, hashKey(key), clock.now());
  if (usable === null)
    ctx.stderr.write(`This API key was revoked. Remove ${demoKeyPath(config)} and start again to get a new one.\n`);
}

/**
 * What the simulator has is known before the first message. Without an answer the service starts all the same: what it
 * does not know of templates, it leaves to the network.
 */
async function readTemplates(ctx: CliContext, url: string, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  const signal = AbortSignal.timeout(TEMPLATES_WITHIN_MS);
  await ctx.fetch(`${url}/v1/templates/sync`, { method: 'POST', headers, signal }).catch(() => undefined);
}

/**
 * Heard from the start on: a signal that comes while starting stops the service as soon as it has started.
 * @param isWhole whether this process is the whole service: a terminal signals each of several, and the supervisor decides
 * @returns resolve with the first signal, and when a second Ctrl-C says that waiting is over
 */
function listenForStop(
  ctx: CliContext,
  isWhole: boolean,
): { readonly asked: Promise<unknown>; readonly signal: AbortSignal; readonly forced: Promise<unknown> } {
  const [ask, force] = [new AbortController(), new AbortController()];
  const heard = { asked: once(ask.signal, 'abort'), signal: ask.signal, forced: once(force.signal, 'abort') };
  let interrupts = 0;
  ctx.onStop((signal) => {
    if (!isWhole && signal !== 'SIGTERM') return;
    ask.abort();
    // A terminal and a supervisor often both signal one stop; only a person presses Ctrl-C twice.
    if (signal === 'SIGINT') interrupts += 1;
    if (interrupts > 1) force.abort();
  });
  return heard;
}

async function stopService(rt: Runtime, service: Service, closeSocket: () => Promise<void>): Promise<number> {
  await closeSocket();
  await service.close();
  rt.log.info({}, 'service.stopped');
  return EXIT.ok;
}

/** @returns the exit code of a process that leaves with work in flight, once it may no longer wait for it */
async function leaveUnfinished(ctx: CliContext, forced: Promise<unknown>): Promise<number> {
  const isForced = await Promise.race([forced.then(() => true), pause(ctx, STOP_WITHIN_MS).then(() => false)]);
  ctx.stderr.write(
    isForced
      ? 'Left at once; the next start picks up what was in flight.\n'
      : `Not everything had stopped after ${STOP_WITHIN_MS / 1000} s; leaving. Nothing accepted is lost.\n`,
  );
  return EXIT.failure;
}
