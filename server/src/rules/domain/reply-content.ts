import { isJsonObject, type JsonObject } from '#core/json';
import { isMediaType } from '#media/domain/media-content';
import { contentFromStored, type MessageContent } from '#messages/domain/content';

/** The message of a reply action, in the form that `POST /v1/messages` takes, without its recipient. */
export function replyContent(reply: JsonObject): MessageContent {
  const type = typeof reply.type === 'string' ? reply.type : 'text';
  if (type === 'text' || type === 'contacts') return contentFromStored(type, reply);
  const stored = reply[isMediaType(type) ? 'media' : type];
  return contentFromStored(type, isJsonObject(stored) ? stored : {});
}
