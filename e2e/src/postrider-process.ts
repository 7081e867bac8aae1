import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project; this file lies in e2e/src. */
export const root = fileURLToPath(new URL('../..', import.meta.url));
export const postrider = join(root, 'server', 'dist', 'bin', 'postrider.cjs');

export interface Finished {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A started program, with all that it has written. */
export interface Program {
  readonly child: ChildProcessWithoutNullStreams;
  readonly finished: Promise<Finished>;
  /** Resolves when standard output holds a match; rejects with all output when the program ends before. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
}

export type Settings = Readonly<Record<string, string>>;

/**
 * V8 then does not compile the embedded database a second time, for speed: a program that runs for seconds saves a quarter of
 * its processor time.
 */
const COMPILE_ONCE = '--liftoff-only';

/** Starts a program of the project with these settings and none of the caller's. */
export function startProgram(file: string, args: readonly string[], settings: Settings): Program {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [COMPILE_ONCE, file, ...args], { cwd: root, env: { PATH, HOME, ...settings } });
  const text = { stdout: '', stderr: '' };
  const waiting = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      text[name] += chunk;
      for (const check of waiting) check();
    });
  }
  let ended = false;
  const finished = new Promise<Finished>((resolve) => {
    child.once('close', (exitCode) => {
      ended = true;
      for (const check of waiting) check();
      resolve({ exitCode, ...text });
    });
  });
  const printed = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const check = () => {
        const match = pattern.exec(text.stdout);
        if (match) resolve(match);
        else if (ended) reject(new Error(`It ended without printing ${pattern}:\n${text.stdout}${text.stderr}`));
        else return;
        waiting.delete(check);
      };
      waiting.add(check);
      check();
    });
  return { child, finished, printed };
}

/** Runs one command line to its end. */
export function run(args: readonly string[], settings: Settings): Promise<Finished> {
  return startProgram(postrider, args, settings).finished;
}

/**
 * Below the ports that the system gives to outgoing connections (32768 on Linux): a program that is started again must
 * find its port free, not used by another connection.
 */
const LOWEST_PORT = 12_000;
const HIGHEST_PORT = 16_000;
/** So far above a port is its guard. */
const GUARD = HIGHEST_PORT - LOWEST_PORT;

/**
 * A port that was free a moment ago, for programs that must be given theirs. This process keeps its guard: no other test is
 * given the port, also while nobody listens there.
 */
export async function freePort(): Promise<number> {
  const port = LOWEST_PORT + Math.floor(Math.random() * (HIGHEST_PORT - LOWEST_PORT));
  const guard = await listenAt(port + GUARD);
  if (guard === null) return freePort();
  guard.unref();
  const server = await listenAt(port);
  await new Promise((done) => (server ?? guard).close(done));
  return server === null ? freePort() : port;
}

/** @returns null when the port is taken */
function listenAt(port: number): Promise<Server | null> {
  const server = createServer();
  return new Promise((done) => {
    server.once('error', () => done(null));
    server.listen(port, '127.0.0.1', () => done(server));
  });
}
