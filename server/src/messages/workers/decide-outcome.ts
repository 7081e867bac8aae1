import { retryDelayMs } from '#core/backoff';
import { deliveryErrors } from '#core/delivery-errors';
import { fallbackErrorRules, type RetryClass } from '#core/network/network-errors';
import type { DeliveryError, TraceEntry } from '#messages/domain/message';
import type { Settlement } from '#messages/store/settle-batch';
import type { SendOutcome } from '#network/classify';
import { DEADLINE_OVER } from '#network/exchange';
import type { OutgoingContent } from './outgoing-content.ts';

/** What is to be done about an outcome that is not "accepted". A value: nothing happens here. */
export interface OutcomeDecision {
  readonly settlement: Settlement;
  readonly trace: TraceEntry;
  /** What the lane should learn from it, if anything. */
  readonly lesson: RetryClass | 'network_down' | 'unanswered' | 'silent' | null;
}

export interface EvaluateInput {
  readonly outcome: Exclude<SendOutcome, { kind: 'accepted' }>;
  /** Number of the attempt, 1 for the first. */
  readonly attempt: number;
  readonly nowMs: number;
  readonly expiresMs: number;
  readonly unknownWaitMs: number;
  /** How long to leave the network alone when it cannot be reached. */
  readonly downMs: number;
  readonly random: () => number;
}

/** The one place that turns an outcome into a state. */
export function decideOutcome(input: EvaluateInput): OutcomeDecision {
  switch (input.outcome.kind) {
    case 'not_sent':
      return evaluateNotSent(input, input.outcome.reason);
    case 'unknown':
      return evaluateUnknown(input, input.outcome.reason);
    case 'refused':
      return evaluateRefused(input, input.outcome);
  }
}

function evaluateNotSent({ attempt, nowMs, expiresMs, downMs }: EvaluateInput, reason: string): OutcomeDecision {
  const dueMs = Math.min(nowMs + downMs, expiresMs);
  const detail = `The network could not be reached (${reason}). Nothing was sent, so this does not count as an attempt.`;
  return {
    settlement: { kind: 'again', dueMs, possibleDuplicate: false, uncounted: true },
    trace: { atMs: nowMs, event: 'not_sent', detail, data: { attempt, next: iso(dueMs) } },
    lesson: 'network_down',
  };
}

function evaluateUnknown({ attempt, nowMs, unknownWaitMs }: EvaluateInput, reason: string): OutcomeDecision {
  const dueMs = nowMs + unknownWaitMs;
  const detail = `The connection failed after the request was sent (${reason}): the network may have it. It waits for a status.`;
  return {
    settlement: { kind: 'unknown', dueMs },
    trace: { atMs: nowMs, event: 'unknown', detail, data: { attempt, until: iso(dueMs) } },
    lesson: reason === DEADLINE_OVER ? 'silent' : 'unanswered',
  };
}

function evaluateRefused(input: EvaluateInput, outcome: Extract<SendOutcome, { kind: 'refused' }>): OutcomeDecision {
  const { attempt, nowMs, expiresMs, random } = input;
  const { rule, networkCode, details, retryAfterMs } = outcome;
  const data = { attempt, network_code: networkCode, details };
  if (rule.retryClass === 'auth') return evaluateAuth(input, rule.sentence, data);
  const delayMs = retryDelayMs({
    retryClass: rule.retryClass,
    attempt,
    random,
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
  });
  if (delayMs === null) {
    const error = finalError(rule.retryClass === 'never' ? rule.code : 'attempts_exhausted', outcome);
    const detail = `The network refused it: ${rule.sentence}`;
    return {
      settlement: { kind: 'failed', error },
      trace: { atMs: nowMs, event: 'failed', detail, data },
      lesson: rule.retryClass,
    };
  }
  const dueMs = Math.min(nowMs + Math.ceil(delayMs), expiresMs);
  return {
    settlement: { kind: 'again', dueMs, possibleDuplicate: false, uncounted: false },
    trace: {
      atMs: nowMs,
      event: 'retry',
      detail: `The network refused it for now: ${rule.sentence}`,
      data: { ...data, next: iso(dueMs) },
    },
    lesson: rule.code === fallbackErrorRules.turnedAway.code ? 'unanswered' : rule.retryClass,
  };
}

/** The account's fault, not the message's: the number pauses and the message waits for a person. */
function evaluateAuth({ nowMs }: EvaluateInput, sentence: string, data: TraceEntry['data']): OutcomeDecision {
  return {
    settlement: { kind: 'again', dueMs: nowMs, possibleDuplicate: false, uncounted: true },
    trace: {
      atMs: nowMs,
      event: 'waiting',
      detail: `The network rejected the sending number: ${sentence} The number is paused.`,
      ...(data ? { data } : {}),
    },
    lesson: 'auth',
  };
}

function finalError(code: string, { rule, networkCode }: Extract<SendOutcome, { kind: 'refused' }>): DeliveryError {
  const exhausted = code === 'attempts_exhausted';
  return {
    code,
    message: exhausted ? `${deliveryErrors.attempts_exhausted} The last response: ${rule.sentence}` : rule.sentence,
    networkCode,
    retryable: exhausted,
  };
}

interface UnsendableInput extends Pick<EvaluateInput, 'attempt' | 'nowMs' | 'expiresMs' | 'random'> {
  readonly content: Exclude<OutgoingContent, { kind: 'ready' }>;
}

/** A message whose content cannot be had: tried again while that can help, else failed. Nothing left. */
export function evaluateUnsendable(input: UnsendableInput): Pick<OutcomeDecision, 'settlement' | 'trace'> {
  const { content, attempt, nowMs, expiresMs, random } = input;
  const again = content.kind === 'no_media' && content.failure.retryable;
  const delayMs = again ? retryDelayMs({ retryClass: 'transient', attempt, random }) : null;
  const why = content.kind === 'no_media' ? content.failure.sentence : deliveryErrors.target_unavailable;
  if (delayMs === null) {
    const code = content.kind === 'no_media' ? 'media_unavailable' : 'target_unavailable';
    const message = content.kind === 'no_media' ? `${deliveryErrors.media_unavailable} ${why}` : why;
    return {
      settlement: { kind: 'failed', error: { code, message, networkCode: null, retryable: again } },
      trace: { atMs: nowMs, event: 'failed', detail: `It was not sent: ${why}`, data: { attempt } },
    };
  }
  const dueMs = Math.min(nowMs + Math.ceil(delayMs), expiresMs);
  return {
    settlement: { kind: 'again', dueMs, possibleDuplicate: false, uncounted: false },
    trace: { atMs: nowMs, event: 'retry', detail: `Not sent yet: ${why}`, data: { attempt, next: iso(dueMs) } },
  };
}

/** A message whose validity is over: of one that was to be sent again, an earlier send may have arrived. */
export function overdueError(resends: number): DeliveryError {
  return resends > 0 ? deliveryUnknownError() : expiredError();
}

function expiredError(): DeliveryError {
  return { code: 'expired', message: deliveryErrors.expired, networkCode: null, retryable: true };
}

/** Its recipient refused it, or was erased, in the meantime. */
export function silencedError(code: 'contact_blocked' | 'contact_opted_out' | 'contact_erased'): DeliveryError {
  return { code, message: deliveryErrors[code], networkCode: null, retryable: false };
}

/** An unknown send whose wait is over, and which its tenant does not want repeated, or not once more. */
export function deliveryUnknownError(): DeliveryError {
  return { code: 'delivery_unknown', message: deliveryErrors.delivery_unknown, networkCode: null, retryable: true };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
