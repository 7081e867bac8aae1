import { once } from 'node:events';
import { type CliContext, pause } from './context.ts';
import { CliError, EXIT } from './exit.ts';

export interface Repetition {
  /** Comes first, and once. */
  readonly begin?: () => Promise<void>;
  readonly step: (stopped: AbortSignal) => Promise<void>;
  /** The pause between two steps; a signal ends it. */
  readonly everyMs: number;
}

/**
 * Repeats a step until a signal asks the process to leave.
 * A service that is out of reach during a step is reported once and waited for.
 */
export async function repeatUntilStopped(ctx: CliContext, { begin, step, everyMs }: Repetition): Promise<void> {
  const stop = new AbortController();
  const stopped = once(stop.signal, 'abort');
  const forget = ctx.onStop(() => stop.abort());
  let isAway = false;
  await begin?.();
  while (!stop.signal.aborted) {
    try {
      await step(stop.signal);
      isAway = false;
    } catch (error) {
      if (!(error instanceof CliError) || error.exitCode !== EXIT.unreachable) throw error;
      if (!isAway) ctx.stderr.write(`${error.message} Retrying.\n`);
      isAway = true;
    }
    await Promise.race([pause(ctx, everyMs), stopped]);
  }
  forget();
}
