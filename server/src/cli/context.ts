import type { migrationsFolder, startService } from '#bin/service';
import type { Clock } from '#runtime/clock';
import { type Config, readConfig } from '#runtime/config';
import { makeLog, silentLog } from '#runtime/log';
import { makeRuntime, type Runtime } from '#runtime/runtime';

/** Where a command writes. */
export interface Output {
  write(text: string): void;
  /** Characters per line; null when it is not a terminal: nothing is then cut off. */
  readonly columns: number | null;
}

export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** What bin/ wires and the command line may start; loaded on demand, because most commands need none of it. */
export interface ServerDeps {
  readonly startService: typeof startService;
  readonly migrationsFolder: typeof migrationsFolder;
}

/** All that a command touches outside itself: handed in, so that tests call commands like functions. */
export interface CliContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly clock: Clock;
  readonly fetch: typeof fetch;
  readonly version: string;
  loadServer(): Promise<ServerDeps>;
  /** Starts the simulator in this process; it lives until a signal ends it. */
  runSimulator(args: readonly string[]): Promise<void>;
  /** Runs the service with the simulator beside it, as `npm start` does; returns when both have ended. */
  runStarter(): Promise<void>;
  /** Calls `stop` for each signal that asks the process to leave, until the returned function is called. */
  onStop(stop: (signal: StopSignal) => void): () => void;
  /** From now on a closed standard output does not end the process: somebody else than the reader depends on it. */
  outliveReader(): void;
}

/** Settings of the environment with options of the command line above them. */
export function configOf(ctx: CliContext, overrides: Readonly<Record<string, string | undefined>> = {}): Config {
  const given = Object.entries(overrides).filter(([, value]) => value !== undefined);
  return readConfig({ ...ctx.env, ...Object.fromEntries(given) });
}

/** A runtime for a command that runs once: it logs only when asked to, its answer is its output. */
export function oneShotRuntime(ctx: CliContext, config: Config): Runtime {
  return makeRuntime(config, config.logLevel === 'debug' ? makeLog(config) : silentLog, ctx.clock);
}

/** Waits on the clock of the context. */
export function pause(ctx: CliContext, ms: number): Promise<void> {
  return new Promise((resolve) => ctx.clock.after(ms, resolve));
}
