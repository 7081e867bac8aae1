import { once } from 'node:events';
import { type CliContext, pause } from './context.ts';
import { CliError, EXIT } from './exit.ts';

export interface Repetition {
  /** Comes first, and once. */
  readonly begin?: () => Promise<void>;
  readonly step: (stopped: AbortSignal) => Promise<void>;
  /** The pause between two steps; a signal ends it. */
  readonly everyMs: number;
  /** For steps that go on for long and say themselves when the service is away. */
  readonly away?: AwayNotice;
}

/** Says once that the service is out of reach, until it is back. */
export class AwayNotice {
  readonly #ctx: CliContext;
  #isAway = false;

  constructor(ctx: CliContext) {
    this.#ctx = ctx;
  }

  /** @param error what a call ended with @returns whether that means that the service is away */
  isAway(error: unknown): boolean {
    if (!(error instanceof CliError) || error.exitCode !== EXIT.unreachable) return false;
    if (!this.#isAway) this.#ctx.stderr.write(`${error.message} Retrying.\n`);
    this.#isAway = true;
    return true;
  }

  isBack(): void {
    this.#isAway = false;
  }
}

/**
 * Repeats a step until a signal asks the process to leave.
 * A service that is out of reach during a step is reported once and waited for.
 */
export async function repeatUntilStopped(ctx: CliContext, repetition: Repetition): Promise<void> {
  const { begin, step, everyMs, away = new AwayNotice(ctx) } = repetition;
  const stop = new AbortController();
  const stopped = once(stop.signal, 'abort');
  const forget = ctx.onStop(() => stop.abort());
  await begin?.();
  while (!stop.signal.aborted) {
    try {
      await step(stop.signal);
      away.isBack();
    } catch (error) {
      if (!away.isAway(error)) throw error;
    }
    await Promise.race([pause(ctx, everyMs), stopped]);
  }
  forget();
}
