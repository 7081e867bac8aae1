import { contactFields, contactValue } from '#contacts/domain/contact-fields';
import { findAttributeTypes } from '#contacts/store/contact-attributes';
import { findContact } from '#contacts/store/contacts';
import { contactFieldsOf, type FilledReply, fillReply } from '#conversations/domain/fill-reply';
import { type CannedReply, findCannedReply } from '#conversations/store/canned-replies';
import { findConversation } from '#conversations/store/conversations';
import type { FieldKind } from '#core/conditions/condition';
import type { FieldValue } from '#core/conditions/evaluate';
import { ApiProblem, requireFound } from '#core/errors';
import type { AgentId, MediaId, TenantId } from '#core/ids';
import type { Database, SqlRunner } from '#database/database';
import { type Media, sendableAs } from '#media/domain/media';
import type { MediaContent } from '#media/domain/media-content';
import { findMedia } from '#media/store/media';

/** Which canned reply is filled for whom. */
export interface FillRequest {
  readonly tenantId: TenantId;
  readonly replyId: string;
  /** The agent who fills it and has those of their teams; null: whoever has all. */
  readonly viewerId: AgentId | null;
  /** One of the two is given; else nothing is known of the contact. */
  readonly contactId: string | null;
  readonly conversationId: string | null;
  /** What was asked for, by its name. */
  readonly values: Readonly<Record<string, string>>;
  readonly nowMs: number;
}

/** A canned reply that can be sent. */
export interface ReadyReply extends FilledReply {
  readonly replyId: string;
  /** Its files as messages, in order. */
  readonly files: readonly MediaContent[];
  /** Files that were deleted. */
  readonly missingMediaIds: readonly MediaId[];
}

/**
 * A canned reply with the values of a contact. Nothing is stored.
 * @throws ApiProblem not_found for the reply, validation_failed for a contact or a conversation that the tenant does not have
 */
export async function fillCannedReply(db: Database, request: FillRequest): Promise<ReadyReply> {
  const { tenantId, replyId, viewerId, values } = request;
  const reply = requireFound(await findCannedReply(db, tenantId, replyId, viewerId));
  const { text } = reply;
  const contactId = await contactOf(db, request);
  const readField = contactId === null ? () => null : await readerOf(db, { tenantId, contactId, text });
  return { replyId: reply.replyId, ...fillReply(text, readField, values), ...(await filesOf(db, request, reply)) };
}

async function filesOf(
  db: SqlRunner,
  { tenantId, nowMs }: Pick<FillRequest, 'tenantId' | 'nowMs'>,
  { mediaIds }: CannedReply,
): Promise<Pick<ReadyReply, 'files' | 'missingMediaIds'>> {
  const found = await Promise.all(mediaIds.map((mediaId) => findMedia(db, tenantId, mediaId, nowMs)));
  const files = found.flatMap((media) => (media === null ? [] : fileMessage(media)));
  return { files, missingMediaIds: mediaIds.filter((_id, index) => found[index] === null) };
}

function fileMessage(media: Media): readonly MediaContent[] {
  const [type] = sendableAs(media);
  if (type === undefined) return [];
  const { mediaId, filename } = media;
  return [{ type, media: { media_id: mediaId, ...(type === 'document' && filename !== null ? { filename } : {}) } }];
}

async function contactOf(db: SqlRunner, { tenantId, contactId, conversationId }: FillRequest) {
  if (conversationId === null) return contactId;
  const conversation = await findConversation(db, tenantId, conversationId);
  return conversation?.contactId ?? unknown('conversation_id', 'conversation');
}

interface ContactText {
  readonly tenantId: TenantId;
  readonly contactId: string;
  readonly text: string;
}

/** Reads the fields that the text names. An attribute that was deleted has no value. */
async function readerOf(db: SqlRunner, { tenantId, contactId, text }: ContactText) {
  const contact = (await findContact(db, tenantId, contactId)) ?? unknown('contact_id', 'contact');
  const types = await findAttributeTypes(db, tenantId);
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
