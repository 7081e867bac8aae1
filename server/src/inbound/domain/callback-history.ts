/** Messages from before the API, which the network hands over in portions when a business shares them. */
import type { NoticeItem } from '#accounts/domain/account-notice';
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from '#core/json';
import { idOf, objectOf, type Person, personOf, textOf, timeOf } from '#core/json-fields';
import { phoneKey } from '#core/phone/phone-key';
import type { PastStage } from '#messages/domain/past-message';
import { readContent } from './callback-content.ts';
import { toSent } from './callback-echoes.ts';
import { type CallbackContacts, completePerson, readContacts } from './callback-inbound.ts';
import type { CallbackItem } from './callback-items.ts';

const FIELD = 'history';

/** What every message of a change has in common. */
interface HistoryPlace {
  readonly phoneNumberId: string | null;
  /** Digits. */
  readonly businessPhone: string | null;
  readonly contacts: CallbackContacts;
}

/**
 * The messages of a change, each an item, and how far the network has come, as a notice; null: the change is about something else. Files
 * of messages come later, in `messages` instead of `history`.
 */
export function readHistory(
  entry: JsonObject,
  field: string,
  value: JsonValue | undefined,
): readonly CallbackItem[] | null {
  if (field !== FIELD || !isJsonObject(value)) return null;
  const { phone_number_id: id, display_phone_number: shown } = objectOf(value.metadata);
  const businessPhone = personOf(shown, undefined).phone;
  const place = { phoneNumberId: idOf(id), businessPhone, contacts: readContacts(value.contacts) };
  const portions = (isJsonList(value.history) ? value.history : []).flatMap((raw) => readPortion(raw, place, entry));
  const files = (isJsonList(value.messages) ? value.messages : []).map((raw) => readPast(raw, place, null));
  const items = [...portions, ...files];
  return items.length === 0 ? null : items;
}

function readPortion(raw: JsonValue, place: HistoryPlace, entry: JsonObject): readonly CallbackItem[] {
  if (!isJsonObject(raw)) return [{ kind: 'ignored', reason: 'A portion of the history is not an object.', raw }];
  const threads = isJsonList(raw.threads) ? raw.threads : [];
  const items = threads.flatMap((thread) => readThread(thread, place));
  const notice = readProgress(raw, { place, entry, items });
  return notice === null ? items : [...items, notice];
}

function readThread(thread: JsonValue, place: HistoryPlace): readonly CallbackItem[] {
  const { id, messages } = objectOf(thread);
  if (!isJsonList(messages))
    return [{ kind: 'ignored', reason: 'A thread of the history has no messages.', raw: thread }];
  const context = objectOf(objectOf(thread).context);
  const customer = personOf(id ?? context.wa_id, context.user_id);
  return messages.map((raw) => readPast(raw, place, customer));
}

/** @param threaded the customer whose thread it is in; null: it is in none */
function readPast(raw: JsonValue, place: HistoryPlace, threaded: Person | null): CallbackItem {
  const refused = (reason: string): CallbackItem => ({ kind: 'ignored', reason, raw });
  if (!isJsonObject(raw)) return refused('A message of the history is not an object.');
  const networkMessageId = idOf(raw.id);
  const at = timeOf(raw.timestamp);
  const { phoneNumberId, businessPhone, contacts } = place;
  if (networkMessageId === null) return refused('A message of the history has no id.');
  if (at === null) return refused('A message of the history has no usable timestamp.');
  if (phoneNumberId === null) return refused('A message of the history names no business number.');
  const sender = personOf(raw.from, raw.from_user_id);
  const isSent = sender.phone !== null && businessPhone !== null && phoneKey(sender.phone) === phoneKey(businessPhone);
  const named = isSent ? personOf(raw.to, raw.to_user_id) : sender;
  const { phone: from, userId } = completePerson(isNobody(named) && threaded ? threaded : named, contacts);
  if (from === null && userId === null)
    return refused('A message of the history does not say whom it was written with.');
  const said = readContent(raw);
  const isEmpty = said.type === 'unsupported' && raw.type === PLACEHOLDER;
  const quotedId = said.context?.quoted?.id ?? null;
  const common = { kind: 'past', phoneNumberId, networkMessageId, at, from, userId, isEmpty, quotedId } as const;
  if (!isSent) return { ...common, said: { direction: 'inbound', ...said } };
  return { ...common, said: { direction: 'outbound', content: toSent(said, raw), stage: stageOf(raw) } };
}

/** The type of a message whose file comes later. */
const PLACEHOLDER = 'media_placeholder';

function isNobody({ phone, userId }: Person): boolean {
  return phone === null && userId === null;
}

const stages: ReadonlyMap<string, PastStage> = new Map([
  ['DELIVERED', 'delivered'],
  ['READ', 'read'],
  ['PLAYED', 'read'],
  ['ERROR', 'failed'],
]);

/** How far the message had come. `SENT`, `PENDING` and words that are not known say no more than that it was written. */
function stageOf(raw: JsonObject): PastStage {
  return stages.get(textOf(objectOf(raw.history_context).status) ?? '') ?? 'sent';
}

interface Progress {
  readonly place: HistoryPlace;
  readonly entry: JsonObject;
  readonly items: readonly CallbackItem[];
}

/** How far the network has come, or why there is nothing: the messages themselves are no part of it. */
function readProgress(portion: JsonObject, { place, entry, items }: Progress): NoticeItem | null {
  const networkAccountId = idOf(entry.id);
  const { phoneNumberId } = place;
  if (networkAccountId === null || phoneNumberId === null) return null;
  const { phase = null, chunk_order = null, progress = null } = objectOf(portion.metadata);
  const errors = isJsonList(portion.errors) ? portion.errors : [];
  const about = errors.length > 0 ? { errors } : { phase, chunk_order, progress, messages: items.length };
  // Distinguishes portions of two syncs of one number, and is the same when a portion is repeated.
  const first = items.flatMap((item) => (item.kind === 'past' ? item.networkMessageId : []))[0] ?? null;
  return {
    ...{ kind: 'notice', networkAccountId, field: FIELD, event: null, displayPhone: null, phoneNumberId },
    at: timeOf(entry.time),
    value: about,
    raw: { field: FIELD, phone_number_id: phoneNumberId, first, ...about },
  };
}
