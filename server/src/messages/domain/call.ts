/** Calls: what is known of one, and what a further report of the network adds to it. */
import type { JsonObject } from '#core/json';

export const callDirections = ['user_initiated', 'business_initiated'] as const;

/**
 * What became of a call, as far as the network says so. Of two reports of the same call the later word of this list is true,
 * whichever came first: a call that rang may have been answered, and one that was answered was not missed.
 */
export const callStates = ['ringing', 'missed', 'failed', 'rejected', 'answered'] as const;

export type CallDirection = (typeof callDirections)[number];
export type CallState = (typeof callStates)[number];

/** A call as it is stored and shown. Times are texts in RFC 3339, UTC: they sort as they stand. */
export interface Call {
  readonly direction: CallDirection;
  readonly state: CallState;
  /** The earliest time that the network reports of it. */
  readonly started_at: string;
  /** Null: it was not answered, or the network does not say when. */
  readonly answered_at: string | null;
  /** Null: it has not ended. */
  readonly ended_at: string | null;
  /** How long the two spoke. */
  readonly duration_seconds: number | null;
  /** Why it failed; null: the network reports no error. */
  readonly error: { readonly network_code: number | null; readonly message: string } | null;
}

/** The call that an entry of a conversation is; null: the entry is a message. */
export function callOf({ type, content }: { readonly type: string; readonly content: JsonObject }): Call | null {
  return type === 'call' && content.state !== undefined ? (content as unknown as Call) : null;
}

export function callContent(call: Call): JsonObject {
  return { ...call };
}

/**
 * What two reports say together. The order does not matter, nor how often one is counted: the network promises neither order nor
 * number. The same object when the second adds nothing.
 */
export function mergeCalls(known: Call, told: Call): Call {
  const merged: Call = {
    direction: known.direction === told.direction ? known.direction : 'business_initiated',
    state: rankOf(told.state) > rankOf(known.state) ? told.state : known.state,
    started_at: least(known.started_at, told.started_at) ?? known.started_at,
    answered_at: least(known.answered_at, told.answered_at),
    ended_at: least(known.ended_at, told.ended_at),
    duration_seconds: greatest(known.duration_seconds, told.duration_seconds),
    error: earlierError(known.error, told.error),
  };
  return isSame(merged, known) ? known : merged;
}

/** Compared by members: the database keeps them in an order of its own. */
function isSame(one: Call, other: Call): boolean {
  const members = Object.keys(one) as (keyof Call)[];
  const error = one.error?.network_code === other.error?.network_code && one.error?.message === other.error?.message;
  return error && members.every((member) => member === 'error' || one[member] === other[member]);
}

/** Whether the customer tried to reach the business and did not: that is unread, and waits for an answer. */
export function isUnansweredCall({ direction, state }: Call): boolean {
  return direction === 'user_initiated' && state !== 'ringing' && state !== 'answered';
}

function rankOf(state: CallState): number {
  return callStates.indexOf(state);
}

function least(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

function greatest(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}

/** Of two different errors, always the same one. */
function earlierError(one: Call['error'], other: Call['error']): Call['error'] {
  if (one === null || other === null) return one ?? other;
  const [left, right] = [one, other].map(({ network_code, message }) => JSON.stringify([network_code, message]));
  return (left ?? '') <= (right ?? '') ? one : other;
}

/** One sentence for lists, such as `Voice call, 2 min 13 s.` */
export function summarizeCall(call: Call): string {
  const spoken = call.duration_seconds === null ? '' : `, ${durationText(call.duration_seconds)}`;
  if (call.direction === 'user_initiated') {
    const sentences: Readonly<Record<CallState, string>> = {
      ringing: 'The customer is calling.',
      missed: 'Missed voice call.',
      failed: 'Failed voice call.',
      rejected: 'Declined voice call.',
      answered: `Voice call${spoken}.`,
    };
    return sentences[call.state];
  }
  const outcomes: Readonly<Record<CallState, string>> = {
    ringing: ', ringing',
    missed: ', not answered',
    failed: ', failed',
    rejected: ', declined',
    answered: spoken,
  };
  return `Voice call to the customer${outcomes[call.state]}.`;
}

function durationText(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${rest} s` : `${rest} s`;
}
