import type { MessageId } from '#core/ids';
import type { SilentParty } from './rule.ts';

/** Who wrote last in a conversation. Ids of messages are in the order of time, and hold it. */
export interface LastWords {
  readonly status: string;
  /** The newest message of ours since the timer began, of a rule or not. */
  readonly lastOutbound: MessageId | null;
  /** The newest one that no rule wrote. */
  readonly lastAnswer: MessageId | null;
  readonly lastInbound: MessageId | null;
}

export interface Silence {
  readonly who: SilentParty;
  readonly forMs: number;
  readonly startedMs: number;
}

export type SilenceStep =
  /** It has lasted: the rule is evaluated. */
  | { readonly kind: 'true' }
  /** Nobody waits any more. */
  | { readonly kind: 'over' }
  /** It may still come true. */
  | { readonly kind: 'later'; readonly dueMs: number }
  /** An agent answered: it counts from what the customer wrote after that, if anything. */
  | { readonly kind: 'after_answer'; readonly answer: MessageId };

/** So long a rule waits for us to write before it can wait for the customer. */
const MAX_WAIT_MS = 7 * 24 * 60 * 60 * 1000;

/** What has become of a silence when its time has come. */
export function silenceStep({ who, forMs, startedMs }: Silence, words: LastWords, nowMs: number): SilenceStep {
  if (words.status === 'resolved') return { kind: 'over' };
  if (who === 'agent') {
    return words.lastAnswer === null ? { kind: 'true' } : { kind: 'after_answer', answer: words.lastAnswer };
  }
  const { lastOutbound, lastInbound } = words;
  if (lastOutbound === null || (lastInbound !== null && lastInbound > lastOutbound)) {
    return nowMs > startedMs + MAX_WAIT_MS ? { kind: 'over' } : { kind: 'later', dueMs: nowMs + forMs };
  }
  const dueMs = idMs(lastOutbound) + forMs;
  return dueMs <= nowMs ? { kind: 'true' } : { kind: 'later', dueMs };
}

/** The time in a UUID version 7. */
function idMs(id: MessageId): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
