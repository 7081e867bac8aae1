import type { FastifyRequest } from 'fastify';
import { authorOf } from '#core/caller/author';
import { isUuid } from '#core/ids';
import { actorOf } from '#http/plugins/agent';
import { principalOf } from '#http/plugins/auth';
import { parseRfc3339 } from '#http/validation/rfc3339';
import type { SendRequest } from '#messages/actions/accept-message';
import type { MessageContent } from '#messages/domain/content';
import type { SendMessageBody } from '#messages/http/schemas/send-request';

/** The request of a body that its schema has accepted, from whoever asks: an agent, or a key, which may be limited to numbers. */
export function readSend(
  body: SendMessageBody,
  asked: Pick<FastifyRequest, 'agent' | 'principal' | 'step'>,
): SendRequest {
  const { phoneNumberIds } = principalOf(asked);
  const content = contentOf(body);
  return {
    to: body.to,
    content,
    phoneNumberId: body.phone_number_id ?? null,
    campaignName: body.campaign_name ?? null,
    clientRef: body.client_ref ?? null,
    replyTo: targetOf(body, content),
    ...(phoneNumberIds.length > 0 && { knownNumbers: phoneNumberIds }),
    resendOf: null,
    author: authorOf(actorOf(asked)),
    priority: body.priority ?? null,
    sendAtMs: body.send_at === undefined ? null : parseRfc3339(body.send_at),
    expiresMs: body.expires_at === undefined ? null : parseRfc3339(body.expires_at),
    ttlS: body.ttl_s ?? null,
    ...(asked.step && { traceParent: asked.step.traceParent }),
  };
}

function contentOf(body: SendMessageBody): MessageContent {
  switch (body.type) {
    case undefined:
    case 'text':
      return { type: 'text', body: body.body, previewUrl: body.preview_url ?? false };
    case 'template':
      return { type: body.type, template: body.template };
    case 'location':
      return { type: body.type, location: body.location };
    case 'contacts':
      return { type: body.type, contacts: body.contacts };
    case 'reaction':
      return { type: body.type, reaction: inOneSpelling(body.reaction) };
    case 'interactive':
      return { type: body.type, interactive: body.interactive };
    default:
      return { type: body.type, media: body.media };
  }
}

/** A reaction names its target as the others name what they answer; the network's own ids stay in the content. */
function targetOf(body: SendMessageBody, content: MessageContent): string | null {
  if (content.type === 'reaction') return isUuid(content.reaction.message_id) ? content.reaction.message_id : null;
  return 'reply_to' in body ? (body.reply_to?.toLowerCase() ?? null) : null;
}

/** Ids of ours are lower-case; the network's are opaque. */
function inOneSpelling<R extends { readonly message_id: string }>(reaction: R): R {
  const lower = reaction.message_id.toLowerCase();
  return isUuid(lower) ? { ...reaction, message_id: lower } : reaction;
}
