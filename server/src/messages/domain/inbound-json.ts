import type { JsonObject } from '#core/json';
import { objectOf, textOf } from '#core/json-fields';
import type { InboundMedia } from '#media/domain/inbound-media';
import { callOf } from './call.ts';
import { type FlowResponse, readFlowResponse } from './flow-response.ts';
import { summaryOf } from './inbound-summary.ts';
import type { InboundMessage } from './message.ts';
import type { MessageVersion } from './message-change.ts';
import { referralFields } from './message-context.ts';

/** An inbound message as the API and its event show it. */
export function inboundJson(message: InboundMessage): JsonObject {
  const fields: JsonObject = {
    id: message.messageId,
    direction: 'inbound',
    type: message.type,
    from: message.from,
    from_user_id: message.fromUserId,
    profile_name: message.profileName,
    to: message.to,
    phone_number_id: message.phoneNumberId,
    body: message.body,
    summary: summaryOf(message),
    media: message.media && mediaJson(message.media),
    network_message_id: message.networkMessageId,
    reply_to: message.replyTo,
    ...contextJson(message),
    referral: message.referral && referralJson(message.referral),
    flow_response: flowResponseJson(readFlowResponse(message.type, message.content)),
    group_id: message.groupId,
    opens_window: message.opensWindow,
    edits: editsJson(message.versions),
    deleted_at: message.deletedMs === null ? null : timeText(message.deletedMs),
    conversation_id: message.conversationId,
    contact_id: message.contactId,
    network_timestamp: timeText(message.networkMs),
    received_at: timeText(message.createdMs),
    created_at: timeText(message.createdMs),
  };
  // The call of an erased contact says nothing any more.
  if (message.type === 'call' && callOf(message) === null) return fields;
  // The type is the network's word: one that is called like a field of ours must not replace it.
  return Object.hasOwn(fields, message.type) ? fields : { ...fields, [message.type]: message.content };
}

function contextJson({ context, replyTo }: InboundMessage): JsonObject {
  const { quoted, forwarded, product, error } = context ?? {
    quoted: null,
    forwarded: null,
    product: null,
    error: null,
  };
  return {
    quoted: quoted && { message_id: replyTo, network_message_id: quoted.id, from: quoted.from },
    forwarded,
    referred_product: product && { catalog_id: product.catalogId, product_retailer_id: product.retailerId },
    network_error: error && { network_code: error.code, message: error.message },
  };
}

/** What the message said before each of its edits, and when that was edited. */
export function editsJson(versions: readonly MessageVersion[] | null): JsonObject[] {
  const [, ...edits] = versions ?? [];
  return edits.map(({ atMs }, before) => ({ body: versions?.[before]?.body ?? null, edited_at: timeText(atMs) }));
}

/** What the network says of an advertisement or a post, field by field. */
function referralJson(referral: JsonObject): JsonObject {
  const fields = Object.fromEntries(referralFields.map((name) => [name, textOf(referral[name])]));
  return { ...fields, welcome_text: textOf(objectOf(referral.welcome_message).text) };
}

function flowResponseJson(response: FlowResponse | null): JsonObject | null {
  return response && { name: response.name, flow_token: response.flowToken, data: response.data };
}

function mediaJson({ status, mediaId, mimeType, size, sha256, filename, error }: InboundMedia): JsonObject {
  return {
    status,
    media_id: mediaId,
    mime_type: mimeType,
    size,
    sha256,
    filename,
    error: error && { code: error.code, message: error.message },
  };
}

function timeText(ms: number): string {
  return new Date(ms).toISOString();
}
