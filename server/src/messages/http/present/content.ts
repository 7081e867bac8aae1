import type { JsonObject } from '#core/json';
import type { MediaFields } from '#media/domain/media-content';
import type { MessageContent } from '#messages/domain/content';
import type { TemplateFields } from '#templates/domain/content';

/**
 * What a message of the business says, under the name that it was sent under. The network's own shapes (cards,
 * interactive messages, components) were checked when they came in, and are shown as they were sent.
 */
export function presentContent(content: MessageContent): JsonObject {
  switch (content.type) {
    case 'text':
      return { body: content.body };
    case 'template':
      return { template: presentTemplate(content.template) };
    case 'location': {
      const { latitude, longitude, name, address } = content.location;
      return { location: { latitude, longitude, name: name ?? null, address: address ?? null } };
    }
    case 'contacts':
      return { contacts: content.contacts };
    case 'reaction': {
      const { message_id, emoji } = content.reaction;
      return { reaction: { message_id, emoji } };
    }
    case 'interactive':
      return { interactive: content.interactive };
    default:
      return { media: presentMedia(content.media) };
  }
}

function presentMedia({ media_id, link, caption, filename, voice }: MediaFields): JsonObject {
  return {
    media_id: media_id ?? null,
    link: link ?? null,
    caption: caption ?? null,
    filename: filename ?? null,
    ...(voice === undefined ? {} : { voice }),
  };
}

function presentTemplate({ name, language, variables, components }: TemplateFields): JsonObject {
  return {
    name,
    language,
    ...(variables === undefined ? {} : { variables }),
    // What the values became in the template is not what the caller wrote.
    ...(components === undefined || variables !== undefined ? {} : { components }),
  };
}
