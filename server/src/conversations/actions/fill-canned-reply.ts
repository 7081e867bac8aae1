import { contactFields, contactValue } from '#contacts/domain/contact-fields';
import { findAttributeTypes } from '#contacts/store/contact-attributes';
import { findContact } from '#contacts/store/contacts';
import { contactFieldsOf, type FilledReply, fillReply } from '#conversations/domain/fill-reply';
import { findCannedReply, noteUse } from '#conversations/store/canned-replies';
import { findConversation } from '#conversations/store/conversations';
import type { FieldKind } from '#core/conditions/condition';
import type { FieldValue } from '#core/conditions/evaluate';
import { ApiProblem, requireFound } from '#core/errors';
import type { TenantId } from '#core/ids';
import type { Database, Transaction } from '#database/database';

/** Which canned reply is filled for whom. */
export interface FillRequest {
  readonly tenantId: TenantId;
  readonly replyId: string;
  /** One of the two is given; else nothing is known of the contact. */
  readonly contactId: string | null;
  readonly conversationId: string | null;
  /** What was asked for, by its name. */
  readonly values: Readonly<Record<string, string>>;
  readonly nowMs: number;
}

/**
 * The text of a canned reply for a contact. It counts as a use when nothing is missing.
 * @throws ApiProblem not_found for the reply, validation_failed for a contact or a conversation that the tenant does not have
 */
export function fillCannedReply(db: Database, request: FillRequest): Promise<FilledReply> {
  return db.transaction((tx) => fillWithin(tx, request));
}

async function fillWithin(tx: Transaction, request: FillRequest): Promise<FilledReply> {
  const { tenantId, replyId, values, nowMs } = request;
  const { text } = requireFound(await findCannedReply(tx, tenantId, replyId));
  const contactId = await contactOf(tx, request);
  const readField = contactId === null ? () => null : await readerOf(tx, { tenantId, contactId, text });
  const filled = fillReply(text, readField, values);
  if (filled.missing.length === 0) await noteUse(tx, { tenantId, replyId, nowMs });
  return filled;
}

async function contactOf(tx: Transaction, { tenantId, contactId, conversationId }: FillRequest) {
  if (conversationId === null) return contactId;
  const conversation = await findConversation(tx, tenantId, conversationId);
  return conversation?.contactId ?? unknown('conversation_id', 'conversation');
}

interface ContactText {
  readonly tenantId: TenantId;
  readonly contactId: string;
  readonly text: string;
}

/** Reads the fields that the text names. An attribute that was deleted has no value. */
async function readerOf(tx: Transaction, { tenantId, contactId, text }: ContactText) {
  const contact = (await findContact(tx, tenantId, contactId)) ?? unknown('contact_id', 'contact');
  const types = await findAttributeTypes(tx, tenantId);
  const kindOf = contactFields(types);
  const written = contactFieldsOf(text).map((field) => {
    const kind = kindOf(field)?.kind;
    return [field, kind === undefined ? null : writtenValue(contactValue(contact, field, types), kind)] as const;
  });
  const byField = new Map(written);
  return (field: string) => byField.get(field) ?? null;
}

/** A value as it stands in a sentence: dates as days, lists with commas. */
function writtenValue(value: FieldValue, kind: FieldKind): string | null {
  if (value === null) return null;
  if (kind === 'time' && typeof value === 'number') return new Date(value).toISOString().slice(0, 10);
  return typeof value === 'object' ? value.join(', ') : String(value);
}

function unknown(field: string, noun: string): never {
  const message = `${field} does not name a ${noun} of this tenant.`;
  throw new ApiProblem('validation_failed', { sentence: message, details: [{ path: `body.${field}`, message }] });
}
