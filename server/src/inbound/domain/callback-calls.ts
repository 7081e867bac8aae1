/** Calls: the field `calls` reports their beginning and end, and the progress of those that the business makes. */

import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from '#core/json';
import { idOf, labelOf, objectOf, type Person, personOf, textOf, timeOf } from '#core/json-fields';
import type { Call, CallDirection, CallState } from '#messages/domain/call';
import { type CallbackContacts, completePerson } from './callback-inbound.ts';
import type { CallbackItem } from './callback-items.ts';

/** What a change says beside its calls. */
export interface CallPlace {
  readonly phoneNumberId: string | null;
  /** Digits of the business number; null: the change does not show it. */
  readonly businessPhone: string | null;
  readonly contacts: CallbackContacts;
  /** Errors of the only call of the change. */
  readonly errors?: JsonValue | undefined;
}

/** A network error's sentence is short; a longer one is cut. */
const MAX_ERROR_LENGTH = 300;
/** A call of more than a week is a mistake of whoever counts. */
const MAX_DURATION_S = 7 * 86_400;

/** One member of `calls[]`: the beginning or the end of a call. */
export function readCall(raw: JsonValue, place: CallPlace): CallbackItem {
  if (!isJsonObject(raw)) return { kind: 'ignored', reason: 'A call is not an object.', raw };
  const event = textOf(raw.event);
  if (event !== 'connect' && event !== 'terminate') return unread(raw, `call:${labelOf(event ?? '')}`, place);
  const direction = directionOf(raw, place);
  const at = timeOf(raw.timestamp);
  const report = event === 'connect' ? ringing : ended;
  return callItem(raw, place, {
    person: customerOf(raw, direction, place),
    call: at === null ? null : report(raw, direction, at, raw.errors ?? place.errors),
  });
}

/** What the statuses of a call that the business makes say. */
const statusStates: ReadonlyMap<string, CallState> = new Map([
  ['RINGING', 'ringing'],
  ['ACCEPTED', 'answered'],
  ['REJECTED', 'rejected'],
]);

/** One member of `statuses[]` of a change of calls. Only calls that the business makes have any. */
export function readCallStatus(raw: JsonValue, place: CallPlace): CallbackItem {
  if (!isJsonObject(raw)) return { kind: 'ignored', reason: 'A status of a call is not an object.', raw };
  const word = textOf(raw.status) ?? '';
  const state = statusStates.get(word.toUpperCase());
  if (state === undefined) return unread(raw, `call:${labelOf(word)}`, place);
  const at = timeOf(raw.timestamp);
  const answered = state === 'answered' && at !== null ? { answered_at: timeText(at) } : {};
  return callItem(raw, place, {
    person: personOf(raw.recipient_id, raw.recipient_user_id),
    call: at === null ? null : { ...begun('business_initiated', at), state, ...answered },
  });
}

function callItem(
  raw: JsonObject,
  { phoneNumberId, contacts }: CallPlace,
  { person, call }: { readonly person: Person; readonly call: Call | null },
): CallbackItem {
  const networkMessageId = idOf(raw.id);
  if (networkMessageId === null) return { kind: 'ignored', reason: 'A call has no id.', raw };
  if (call === null) return { kind: 'ignored', reason: 'A call has no usable timestamp.', raw };
  if (phoneNumberId === null) return { kind: 'ignored', reason: 'A call names no business number.', raw };
  const { phone: from, userId, profileName, username } = completePerson(person, contacts);
  if (from === null && userId === null) {
    return { kind: 'ignored', reason: 'A call does not say who the customer is.', raw };
  }
  return { kind: 'call', phoneNumberId, networkMessageId, from, userId, profileName, username, call };
}

function unread(raw: JsonObject, name: string, { phoneNumberId }: CallPlace): CallbackItem {
  return { kind: 'other', field: 'calls', phoneNumberId, name, raw };
}

/** Early reports do not say who called. The offer of a session comes from the caller, and the business gets its own answered. */
function directionOf(raw: JsonObject, { businessPhone }: CallPlace): CallDirection {
  const word = textOf(raw.direction)?.toUpperCase();
  if (word === 'USER_INITIATED') return 'user_initiated';
  if (word === 'BUSINESS_INITIATED') return 'business_initiated';
  const session = textOf(objectOf(raw.session).sdp_type);
  if (session !== null) return session === 'answer' ? 'business_initiated' : 'user_initiated';
  const { phone } = personOf(raw.from, undefined);
  return phone !== null && phone === businessPhone ? 'business_initiated' : 'user_initiated';
}

function customerOf(raw: JsonObject, direction: CallDirection, { businessPhone }: CallPlace): Person {
  const caller = personOf(raw.from, raw.from_user_id);
  const called = personOf(raw.to, raw.to_user_id);
  const [customer, business] = direction === 'user_initiated' ? [caller, called] : [called, caller];
  // Some samples of the network name the two the wrong way round; the business is never its own customer.
  const isBusiness = customer.phone !== null && customer.phone === businessPhone && customer.userId === null;
  return isBusiness ? business : customer;
}

/** A call of which nothing is known but that it began. */
function begun(direction: CallDirection, at: number): Call {
  return {
    direction,
    state: 'ringing',
    started_at: timeText(at),
    answered_at: null,
    ended_at: null,
    duration_seconds: null,
    error: null,
  };
}

function ringing(_raw: JsonObject, direction: CallDirection, at: number): Call {
  return begun(direction, at);
}

/** Start, end and duration are there only if somebody picked up. */
function ended(raw: JsonObject, direction: CallDirection, at: number, errors: JsonValue | undefined): Call {
  const answeredMs = timeOf(raw.start_time);
  const endedMs = timeOf(raw.end_time) ?? at;
  const duration = durationOf(raw.duration);
  const hasFailed = textOf(raw.status)?.toUpperCase() === 'FAILED';
  const isAnswered = (duration ?? 0) > 0 || (answeredMs !== null && !hasFailed);
  return {
    ...begun(direction, Math.min(answeredMs ?? at, endedMs)),
    state: isAnswered ? 'answered' : hasFailed ? 'failed' : 'missed',
    answered_at: isAnswered && answeredMs !== null ? timeText(answeredMs) : null,
    ended_at: timeText(endedMs),
    duration_seconds: isAnswered ? (duration ?? secondsBetween(answeredMs, endedMs)) : null,
    error: errorOf(errors),
  };
}

function durationOf(value: JsonValue | undefined): number | null {
  const seconds = Number(idOf(value) ?? Number.NaN);
  return Number.isInteger(seconds) && seconds >= 0 && seconds <= MAX_DURATION_S ? seconds : null;
}

function secondsBetween(startMs: number | null, endMs: number): number | null {
  return startMs === null || endMs < startMs ? null : Math.round((endMs - startMs) / 1000);
}

function errorOf(errors: JsonValue | undefined): Call['error'] {
  const [error] = isJsonList(errors) ? errors.filter(isJsonObject) : [];
  if (error === undefined) return null;
  const code = Number(idOf(error.code) ?? Number.NaN);
  const message = textOf(error.message) ?? textOf(error.title) ?? '';
  return { network_code: Number.isInteger(code) ? code : null, message: message.slice(0, MAX_ERROR_LENGTH) };
}

function timeText(ms: number): string {
  return new Date(ms).toISOString();
}
