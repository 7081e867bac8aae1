import { isUuid } from '#core/ids';
import type { JsonValue } from '#core/json';
import type { MarketingMessagesFields } from '#core/network/marketing-messages';
import { contentFromStored, type MessageContent, mediaRefs, networkPayload } from '#messages/domain/content';
import type { MediaFailure, MediaSource } from '#messages/domain/media-lookup';
import type { ClaimedMessage } from '#messages/store/send-queue';

const NO_MEDIA: readonly string[] = [];

/** What is to be sent, or why it cannot be. */
export type OutgoingContent =
  | {
      readonly kind: 'ready';
      readonly payload: JsonValue;
      readonly quotedNetworkId: string | null;
      /** Options of the Marketing Messages API, over which it leaves; null: over the Cloud API. */
      readonly marketing: MarketingMessagesFields | null;
      /** Our ids of the media that go out under the network's. */
      readonly mediaIds: readonly string[];
    }
  | { readonly kind: 'no_media'; readonly failure: MediaFailure }
  /** A reaction to a message of ours that has no id at the network. */
  | { readonly kind: 'no_target' };

/**
 * The network's object of a claimed message, with the network's ids of all that it names by ours. Without a promise for
 * a text: what is stored is what is sent.
 */
export function outgoingContent(
  media: MediaSource,
  message: ClaimedMessage,
): OutgoingContent | Promise<OutgoingContent> {
  const { type, content: stored, replyToNetworkId } = message;
  if (type === 'text') {
    return { kind: 'ready', payload: stored, quotedNetworkId: replyToNetworkId, marketing: null, mediaIds: NO_MEDIA };
  }
  return resolved(media, message, contentFromStored(type, stored));
}

async function resolved(
  source: MediaSource,
  message: ClaimedMessage,
  content: MessageContent,
): Promise<OutgoingContent> {
  const reacts = content.type === 'reaction';
  const target = message.replyToNetworkId;
  if (reacts && target === null && isUuid(content.reaction.message_id)) return { kind: 'no_target' };
  const media = new Map<string, string>();
  for (const { mediaId } of mediaRefs(content)) {
    const answer = await source.networkIdFor(message.tenantId, mediaId, message.phoneNumberId);
    if ('failure' in answer) return { kind: 'no_media', failure: answer.failure };
    media.set(mediaId, answer.networkId);
  }
  // "context … works for every type but reaction (carries its own id)".
  const payload = networkPayload(content, { media, target });
  const marketing = content.type === 'template' ? (content.template.marketing_messages ?? null) : null;
  return { kind: 'ready', payload, quotedNetworkId: reacts ? null : target, marketing, mediaIds: [...media.keys()] };
}
