import { fileURLToPath } from 'node:url';
import type { CliContext, Output, StopSignal } from '#cli/context';
import { runCli } from '#cli/program';
import { systemClock } from '#runtime/clock';
import { makeClusterClock } from '#runtime/cluster-clock';
import { serviceVersion } from '#runtime/version';

/*
 * The command line. Hands the commands what they touch of this process: environment, streams, signals, and the server,
 * which is loaded only by the commands that need it.
 */
const STOP_SIGNALS: readonly StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** Timers of the clock never keep a process alive; a running command does. Any long time. */
const ALIVE_MS = 2_000_000_000;

// Before any file is created: the embedded database writes its own with modes that leave them open to everybody.
process.umask(0o077);
let readerMatters = true;
const ctx: CliContext = {
  env: process.env,
  stdout: outputOf(process.stdout),
  stderr: outputOf(process.stderr),
  clock: makeClusterClock(systemClock),
  fetch: (...call) => fetch(...call),
  version: serviceVersion(),
  loadServer: () => import('./service.ts'),
  runSimulator,
  runStarter,
  onStop,
  outliveReader: () => {
    readerMatters = false;
  },
};

for (const stream of [process.stdout, process.stderr]) stream.on('error', leaveWithReader);
const alive = setInterval(() => undefined, ALIVE_MS);
const exitCode = await runCli(ctx, process.argv.slice(2));
clearInterval(alive);
if (exitCode !== null) finish(exitCode);

/** `postrider … | head` ends quietly when head has read enough. */
function leaveWithReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  if (readerMatters) process.exit(0);
}

/** What was written to a pipe is on its way only when its callback says so. */
function finish(code: number): void {
  process.stdout.write('', () => process.exit(code));
}

function outputOf(stream: NodeJS.WriteStream): Output {
  return {
    columns: stream.isTTY ? stream.columns : null,
    write: (text) => void stream.write(text),
  };
}

function onStop(stop: (signal: StopSignal) => void): () => void {
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  return () => {
    for (const signal of STOP_SIGNALS) process.off(signal, stop);
  };
}

/** The simulator reads its options and signals itself, as if it had been started by its own name. */
async function runSimulator(args: readonly string[]): Promise<void> {
  const program = import.meta.resolve('@postrider/simulator/bin');
  process.argv = [process.execPath, fileURLToPath(program), ...args];
  await import(program);
}

/** In plain JavaScript, because a clone runs it before anything is compiled; sources and what is compiled lie as deep above it. */
async function runStarter(): Promise<void> {
  const { startBoth } = await import(new URL('../../starter/start-both.mjs', import.meta.url).href);
  await startBoth();
}
