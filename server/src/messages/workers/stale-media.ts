import type { SendOutcome } from '#network/classify';
import type { OutcomeDecision } from './decide-outcome.ts';

/**
 * Refusals that an id of media which the network no longer knows can cause: an unknown object, or an invalid value.
 * They have other causes too, so that they are retried only after a first attempt.
 */
const STALE_MEDIA_CODES: ReadonlySet<number | null> = new Set([100, 131009]);

export interface SentMedia {
  readonly outcome: SendOutcome;
  /** Our ids of the media that were sent under the network's. */
  readonly mediaIds: readonly string[];
  /** 1 for the first. */
  readonly attempt: number;
}

/** Whether the network may have forgotten the media of a message: it is uploaded again, and the message sent once more. */
export function mayBeStale({ outcome, mediaIds, attempt }: SentMedia): boolean {
  return (
    outcome.kind === 'refused' && mediaIds.length > 0 && attempt === 1 && STALE_MEDIA_CODES.has(outcome.networkCode)
  );
}

/** Immediately: there is nothing else to wait for. */
export function evaluateStaleMedia(nowMs: number): Pick<OutcomeDecision, 'settlement' | 'trace'> {
  const detail = 'The network rejected it, possibly because it no longer has the media. The media is uploaded again.';
  return {
    settlement: { kind: 'again', dueMs: nowMs, possibleDuplicate: false, uncounted: false },
    trace: { atMs: nowMs, event: 'retry', detail, data: { attempt: 1 } },
  };
}
