import { type AttributeTypes, NO_ATTRIBUTES } from '#contacts/domain/contact-attribute';
import { type ContactFacts, contactValues } from '#contacts/domain/contact-fields';
import type { FieldTable } from '#core/conditions/condition';
import type { FieldValue } from '#core/conditions/evaluate';
import type { ContactId, ConversationId, MessageId, PhoneNumberId } from '#core/ids';
import { isJsonList, type JsonObject } from '#core/json';
import { objectOf, textOf } from '#core/json-fields';
import type { Moment } from './decide.ts';

/** A message of a customer, with what is known of its sender and its conversation. */
export interface EvaluatedMessage {
  readonly messageId: MessageId;
  readonly contactId: ContactId;
  readonly conversationId: ConversationId;
  readonly phoneNumberId: PhoneNumberId;
  /** Null: the sender shows no number. */
  readonly fromPhone: string | null;
  /** Whom an answer goes to: the number that the sender shows, else the user id. */
  readonly sender: string;
  readonly type: string;
  readonly body: string | null;
  readonly content: JsonObject;
  readonly createdMs: number;
  /** Whether it is the first one of its sender. */
  readonly isFirst: boolean;
  /** Whether a sending number of the tenant itself wrote it. */
  readonly isFromOwnNumber: boolean;
  /** Of the advertisement or post that the customer came from; null: none. */
  readonly referral: JsonObject | null;
  /** Null: it was erased. */
  readonly contact: ContactFacts | null;
  readonly conversation: {
    readonly status: string | null;
    readonly tags: readonly string[];
    readonly priority: string | null;
    readonly teamId: string | null;
    readonly assigneeId: string | null;
    readonly handledBy: string | null;
  };
}

/** Types that no customer writes by hand: system messages, and changes of messages that were evaluated. */
const AUTOMATED: ReadonlySet<string> = new Set(['system', 'unsupported']);

/** Why no rule evaluates a message; null when rules do. */
export function whyAutomated({
  type,
  isFromOwnNumber,
}: Pick<EvaluatedMessage, 'type' | 'isFromOwnNumber'>): string | null {
  if (isFromOwnNumber) return 'It came from one of your own numbers: two bots would reply to each other.';
  return AUTOMATED.has(type) ? `Customers do not write messages of type ${type}.` : null;
}

/** What the button that a customer pressed carries; null when none was pressed. */
export function buttonPayloadOf(type: string, content: JsonObject): string | null {
  if (type === 'button') return textOf(content.payload) ?? textOf(content.text);
  if (type !== 'interactive') return null;
  return textOf(objectOf(content.button_reply).id) ?? textOf(objectOf(content.list_reply).id);
}

/**
 * What conditions can refer to, beside the words of the message.
 * @param hours of the number at the moment of evaluation; null: none are set
 * @param attributes those of contacts that are wanted
 */
export function factsOf(
  message: EvaluatedMessage,
  hours: 'open' | 'closed' | null,
  attributes: AttributeTypes = NO_ATTRIBUTES,
): Readonly<Record<string, FieldValue>> {
  const { contact, conversation } = message;
  return {
    type: message.type,
    button_payload: buttonPayloadOf(message.type, message.content),
    first_message: message.isFirst,
    hours,
    phone_number_id: message.phoneNumberId,
    ...referralFacts(message.referral),
    ...contactValues(contact, attributes),
    'conversation.status': conversation.status,
    'conversation.tags': conversation.tags,
    'conversation.priority': conversation.priority,
    'conversation.team_id': conversation.teamId,
    'conversation.assignee_id': conversation.assigneeId,
    'conversation.handled_by': conversation.handledBy,
  };
}

function referralFacts(referral: JsonObject | null): Readonly<Record<string, FieldValue>> {
  const fields = ['source_type', 'source_id', 'source_url', 'headline', 'ctwa_clid'];
  return Object.fromEntries(fields.map((field) => [`referral.${field}`, textOf(referral?.[field])]));
}

/** A message as rules evaluate it. @param facts of now, or those that were stored with a decision */
export function momentOf(
  message: Pick<EvaluatedMessage, 'type' | 'body' | 'isFromOwnNumber'>,
  facts: Readonly<Record<string, FieldValue>>,
  at: Pick<Moment, 'nowMs' | 'opened' | 'silenceOf'>,
): Moment {
  return { ...at, automated: whyAutomated(message), values: { ...facts, text: message.body?.trim() ?? null } };
}

/**
 * Values that people wrote, by the names of fields: a time may be a string.
 * @param fields of rules
 */
export function factsFromGiven(given: JsonObject, fields: FieldTable): Readonly<Record<string, FieldValue>> {
  const facts = Object.entries(factsFromJson(given)).map(([field, value]) => {
    const isTime = fields(field)?.kind === 'time' && typeof value === 'string';
    return [field, isTime ? Date.parse(value) : value] as const;
  });
  return Object.fromEntries(facts);
}

/** Values that were stored as JSON; anything that is not a value of a field is dropped. */
export function factsFromJson(json: JsonObject): Readonly<Record<string, FieldValue>> {
  const facts: Record<string, FieldValue> = {};
  for (const [field, value] of Object.entries(json)) {
    if (isJsonList(value)) facts[field] = value.filter((one) => typeof one === 'string');
    else if (typeof value !== 'object' || value === null) facts[field] = value;
  }
  return facts;
}
