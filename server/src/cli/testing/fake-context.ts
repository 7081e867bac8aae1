import type { CliContext, Output, StopSignal } from '#cli/context';
import { runCli } from '#cli/program';
import { systemClock } from '#runtime/clock';

/** A context that touches nothing of the process: streams are kept, signals are sent by the test. */
export interface FakeContext extends CliContext {
  readonly written: { stdout: string; stderr: string };
  signal(signal: StopSignal): void;
}

export interface FakeOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number | null;
  readonly fetch?: typeof fetch;
}

export function fakeContext({ env = {}, columns = null, fetch: fakeFetch = noNetwork }: FakeOptions = {}): FakeContext {
  const written = { stdout: '', stderr: '' };
  const listeners = new Set<(signal: StopSignal) => void>();
  const output = (name: 'stdout' | 'stderr'): Output => ({
    columns,
    write: (text) => {
      written[name] += text;
    },
  });
  return {
    env,
    written,
    stdout: output('stdout'),
    stderr: output('stderr'),
    clock: systemClock,
    fetch: fakeFetch,
    version: '0.0.0-test',
    loadServer: () => import('#bin/service'),
    runSimulator: async () => undefined,
    runStarter: async () => undefined,
    onStop: (stop) => {
      listeners.add(stop);
      return () => listeners.delete(stop);
    },
    outliveReader: () => undefined,
    signal: (signal) => {
      for (const listener of listeners) listener(signal);
    },
  };
}

export interface CliRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command line to its end. */
export async function runWith(options: FakeOptions, ...args: readonly string[]): Promise<CliRun> {
  const ctx = fakeContext(options);
  const exitCode = await runCli(ctx, args);
  return { exitCode, ...ctx.written };
}

const noNetwork: typeof fetch = async () => {
  throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
};
