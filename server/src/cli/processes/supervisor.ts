import cluster, { type Worker } from 'node:cluster';
import { availableParallelism } from 'node:os';
import { type CliContext, pause } from '#cli/context';
import { CliError, EXIT } from '#cli/exit';
import type { Config } from '#runtime/config';
import type { Log } from '#runtime/log';
import { closeWithProcess } from './handed-connections.ts';
import { AGAIN_KEY, type FromMember, PLACE_KEY } from './messages.ts';
import { QuestionRounds } from './question-round.ts';

/** How long a process that died is away: at first, and at most, when it dies again and again. */
const RESTART_MS = 500;
const RESTART_AT_MOST_MS = 30_000;
/** A process that has lived that long was not ended by what ended the one before. */
const LIVED_MS = 60_000;
/** More than a process allows itself: see `serve`. */
const STOP_WITHIN_MS = 30_000;

/** @returns how many processes `serve` runs @throws CliError where there can be only one */
export function processCount({ processes, databaseUrl }: Config): number {
  const count = processes === 'auto' ? availableParallelism() : Number(processes);
  if (count > 1 && databaseUrl === '')
    throw new CliError(
      EXIT.usage,
      `The embedded database is for one process, not ${count}. Set DATABASE_URL, or leave MESSAGING_PROCESSES (--processes) at 1.`,
    );
  return count;
}

/**
 * Runs the same command line in several processes, which share its port, until a signal ends it. What dies is started again.
 * @returns the exit code
 */
export function supervise(ctx: CliContext, log: Log, count: number): Promise<number> {
  return new Supervisor(ctx, log, count).run();
}

class Supervisor {
  readonly #ctx: CliContext;
  readonly #log: Log;
  readonly #count: number;
  readonly #rounds: QuestionRounds;
  /** By their places. */
  readonly #members = new Map<number, Worker>();
  readonly #ready = new Set<Worker>();
  /** Deaths in a row, by places. */
  readonly #deaths = new Map<number, number>();
  /** Why it stops; null: it does not. */
  #stopping: number | null = null;
  #announced = false;
  #end: (exitCode: number) => void = () => undefined;

  constructor(ctx: CliContext, log: Log, count: number) {
    this.#ctx = ctx;
    this.#log = log;
    this.#count = count;
    this.#rounds = new QuestionRounds(ctx.clock);
  }

  run(): Promise<number> {
    const ended = new Promise<number>((resolve) => {
      this.#end = resolve;
    });
    cluster.on('message', (worker, message: FromMember) => this.#hear(worker, message));
    let interrupts = 0;
    this.#ctx.onStop((signal) => {
      if (signal === 'SIGINT') interrupts += 1;
      if (interrupts > 1) this.#killAll();
      else this.#stop(EXIT.ok);
    });
    // The first one brings the database up to date and makes what is missing; the others find it done.
    this.#start(0);
    return ended;
  }

  #start(place: number): void {
    const startedMs = this.#ctx.clock.monotonic();
    const worker = cluster.fork({ [PLACE_KEY]: String(place), [AGAIN_KEY]: this.#deaths.has(place) ? '1' : '' });
    this.#members.set(place, worker);
    closeWithProcess(worker.process);
    // A process that cannot be started at all has no exit.
    worker.once('error', (error) => this.#log.error({ place, error: error.message }, 'process.not_started'));
    worker.process.once('exit', (code, signal) => {
      const wasReady = this.#ready.delete(worker);
      this.#members.delete(place);
      const livedMs = this.#ctx.clock.monotonic() - startedMs;
      this.#afterExit({ place, wasReady, livedMs, code, signal });
    });
  }

  #hear(worker: Worker, message: FromMember): void {
    if (message.kind === 'ready') this.#afterReady(worker);
    else if (message.kind === 'reply') this.#rounds.take(message);
    else this.#rounds.begin(worker, message.id, message.question, [...this.#ready], this.#count);
  }

  #afterReady(worker: Worker): void {
    this.#ready.add(worker);
    for (let place = 0; place < this.#count; place += 1) {
      if (!this.#members.has(place) && !this.#deaths.has(place) && this.#stopping === null) this.#start(place);
    }
    if (this.#ready.size < this.#count || this.#announced) return;
    this.#announced = true;
    this.#ctx.stdout.write(`running in ${this.#count} processes\n`);
  }

  #afterExit(exit: Exit): void {
    const { wasReady, code } = exit;
    if (this.#stopping !== null) {
      this.#endWhenAlone(code ?? EXIT.failure);
      return;
    }
    // It has said why. Nobody else was started yet, so that the same would happen again; or a newer program is to be started.
    const isFinal = code === EXIT.outdated || (!wasReady && this.#ready.size === 0 && !this.#announced);
    if (isFinal) this.#stop(code ?? EXIT.failure);
    else this.#restart(exit);
  }

  #restart({ place, livedMs, code, signal }: Exit): void {
    const deaths = livedMs >= LIVED_MS ? 1 : (this.#deaths.get(place) ?? 0) + 1;
    this.#deaths.set(place, deaths);
    const waitMs = Math.min(RESTART_MS * 2 ** (deaths - 1), RESTART_AT_MOST_MS);
    this.#log.error({ place, code, signal, restart_ms: waitMs }, 'process.died');
    this.#ctx.clock.after(waitMs, () => {
      if (this.#stopping === null) this.#start(place);
    });
  }

  #stop(exitCode: number): void {
    if (this.#stopping !== null) return;
    this.#stopping = exitCode;
    for (const worker of this.#members.values()) worker.process.kill('SIGTERM');
    void pause(this.#ctx, STOP_WITHIN_MS).then(() => this.#killAll());
    this.#endWhenAlone(EXIT.ok);
  }

  #killAll(): void {
    this.#stopping ??= EXIT.failure;
    for (const worker of this.#members.values()) worker.process.kill('SIGKILL');
  }

  /** @param exitCode of the process that has ended last: one that did not end in order counts */
  #endWhenAlone(exitCode: number): void {
    if (this.#stopping === EXIT.ok) this.#stopping = exitCode;
    if (this.#members.size === 0) this.#end(this.#stopping ?? exitCode);
  }
}

interface Exit {
  readonly place: number;
  readonly wasReady: boolean;
  readonly livedMs: number;
  readonly code: number | null;
  readonly signal: string | null;
}
