/** The changes of a callback as they came: what endpoints of tenants get that want the network's own form. */

import type { MessageId } from '#core/ids';
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from '#core/json';
import { idOf, objectOf, personOf, shortTextOf } from '#core/json-fields';
import { surrogateId } from '#messages/domain/network-message-id';
import { MAX_CALLBACK_ITEMS } from './callback.ts';
import { noticeFields, numberOf } from './callback-notices.ts';
import { templateFields } from './callback-template.ts';

/** One change, and what stood beside it. */
export interface NetworkChange {
  /** Its place in the callback. */
  readonly index: number;
  /** Its entry, without the changes. */
  readonly entry: JsonObject;
  readonly change: JsonObject;
  readonly field: string;
  /** Whom it is about; null: it does not say. */
  readonly subject: ChangeSubject | null;
}

export type ChangeSubject =
  | { readonly kind: 'number'; readonly phoneNumberId: string }
  | {
      readonly kind: 'account';
      readonly networkAccountId: string;
      /** The number of the account that it is about, in either spelling; both null: all of it. */
      readonly displayPhone: string | null;
      readonly phoneNumberId: string | null;
      /** Whether it is certain to be about the account itself, which several tenants may have. */
      readonly isShared: boolean;
    };

/** The changes of a parsed body, in order. What is malformed is left out: it is nobody's. */
export function readChanges(body: JsonValue): readonly NetworkChange[] {
  const entries = isJsonObject(body) && isJsonList(body.entry) ? body.entry.filter(isJsonObject) : [];
  const changes = entries.flatMap(({ changes, ...entry }) =>
    (isJsonList(changes) ? changes : []).filter(isJsonObject).map((change) => ({ entry, change })),
  );
  return changes.slice(0, MAX_CALLBACK_ITEMS).flatMap(({ entry, change }, index) => {
    const { field } = change;
    return typeof field === 'string'
      ? [{ index, entry, change, field, subject: subjectOf(entry, field, change.value) }]
      : [];
  });
}

/** Fields of which every report is about the whole account or about a number that it names. */
const SHARED_FIELDS: ReadonlySet<string> = new Set([...noticeFields, ...templateFields]);

function subjectOf(entry: JsonObject, field: string, given: JsonValue | undefined): ChangeSubject | null {
  const value = objectOf(given);
  // What names a number is for whoever has that number, and for nobody else.
  if (value.metadata !== undefined) {
    const phoneNumberId = idOf(objectOf(value.metadata).phone_number_id);
    return phoneNumberId === null ? null : { kind: 'number', phoneNumberId };
  }
  const networkAccountId = idOf(objectOf(value.waba_info).waba_id) ?? idOf(entry.id);
  if (networkAccountId === null || field === 'messages') return null;
  // Some reports of accounts name the number so.
  const named = numberOf({ display_phone_number: value.phone_number ?? null, ...value });
  return { kind: 'account', networkAccountId, ...named, isShared: SHARED_FIELDS.has(field) };
}

/** How the network names a message of ours in a change: in a status with our token, or where a customer answers to it. */
export interface NamedInChange {
  readonly networkMessageId: string;
  readonly phoneNumberId: string;
  readonly recipients: readonly string[];
  /** Null: there is no token. */
  readonly echo: string | null;
}

const MAX_ECHO = 512;

/** The messages of ours that a change may name. */
export function namedIn({ change, field, subject }: NetworkChange): readonly NamedInChange[] {
  if (field !== 'messages' || subject?.kind !== 'number') return [];
  const { phoneNumberId } = subject;
  const value = objectOf(change.value);
  const statuses = objectsIn(value.statuses).flatMap((status): readonly NamedInChange[] => {
    const recipients = personsOf(status.recipient_id, status.recipient_user_id);
    const echo = shortTextOf(status.biz_opaque_callback_data, MAX_ECHO);
    const networkMessageId = idOf(status.id);
    return networkMessageId === null ? [] : [{ networkMessageId, phoneNumberId, recipients, echo }];
  });
  const answers = objectsIn(value.messages).flatMap((message): readonly NamedInChange[] => {
    const recipients = personsOf(message.from, message.from_user_id);
    const ids = [objectOf(message.context).id, objectOf(message.reaction).message_id].map(idOf);
    return ids.flatMap((id) => (id === null ? [] : [{ networkMessageId: id, phoneNumberId, recipients, echo: null }]));
  });
  return [...statuses, ...answers];
}

function personsOf(phoneField: JsonValue | undefined, userIdField: JsonValue | undefined): readonly string[] {
  const { phone, userId } = personOf(phoneField, userIdField);
  return [phone, userId].filter((one) => one !== null);
}

function objectsIn(list: JsonValue | undefined): readonly JsonObject[] {
  return isJsonList(list) ? list.filter(isJsonObject) : [];
}

/** A message of ours as its sender knows it. */
export interface KnownMessage {
  readonly messageId: MessageId;
  readonly clientRef: string | null;
}

/**
 * The change with the messages of ours by the ids that clients of the network got when they sent them, and with what these clients had sent along
 * instead of our token.
 * @param known by the network's ids
 */
export function withOwnIds(change: JsonObject, known: ReadonlyMap<string, KnownMessage>): JsonObject {
  const value = change.value;
  if (known.size === 0 || !isJsonObject(value)) return change;
  const written: Record<string, JsonValue> = { ...value };
  for (const [name, rewrite] of [
    ['statuses', ofStatus],
    ['messages', ofAnswer],
  ] as const) {
    const list = value[name];
    if (isJsonList(list)) written[name] = list.map((one) => (isJsonObject(one) ? rewrite(one, known) : one));
  }
  return { ...change, value: written };
}

function ofStatus(status: JsonObject, known: ReadonlyMap<string, KnownMessage>): JsonObject {
  const message = known.get(idOf(status.id) ?? '');
  if (message === undefined) return status;
  const { biz_opaque_callback_data: _token, ...rest } = { ...status, id: surrogateId(message.messageId) } as JsonObject;
  return message.clientRef === null ? rest : { ...rest, biz_opaque_callback_data: message.clientRef };
}

function ofAnswer(message: JsonObject, known: ReadonlyMap<string, KnownMessage>): JsonObject {
  const written: Record<string, JsonValue> = { ...message };
  for (const [name, key] of [
    ['context', 'id'],
    ['reaction', 'message_id'],
  ] as const) {
    const naming = message[name];
    const named = isJsonObject(naming) ? known.get(idOf(naming[key]) ?? '') : undefined;
    if (isJsonObject(naming) && named !== undefined) written[name] = { ...naming, [key]: surrogateId(named.messageId) };
  }
  return written;
}
