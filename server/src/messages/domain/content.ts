import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from '#core/json';
import {
  isMediaType,
  type MediaContent,
  type MediaFields,
  type MediaType,
  type MediaVisitor,
  mediaIdOf,
  mediaTypes,
} from '#media/domain/media-content';
import {
  mapTemplateMedia,
  type TemplateContent,
  type TemplateFields,
  templatePayload,
} from '#templates/domain/content';
import type { ContactsContent } from './contacts.ts';
import { type InteractiveContent, mapInteractiveMedia } from './interactive.ts';
import type { LocationContent, LocationFields } from './location.ts';
import type { ReactionContent, ReactionFields } from './reaction.ts';
import { storedText, type TextContent, textFromStored } from './text.ts';

/** What can be sent, in the order of the documentation. */
export const messageTypes = [
  'text',
  'template',
  ...mediaTypes,
  'location',
  'contacts',
  'reaction',
  'interactive',
] as const;
export type MessageType = (typeof messageTypes)[number];

/** What the business wrote on its phone, of a kind that the API cannot send; kept as the network reported it. */
export interface UnsupportedContent {
  readonly type: 'unsupported';
  readonly original: JsonObject;
}

/**
 * What a message says. Beside text, each carries one object in the API's own spelling: it is stored and shown as the
 * caller wrote it, and becomes the network's object when it is sent.
 */
export type MessageContent =
  | TextContent
  | TemplateContent
  | MediaContent
  | LocationContent
  | ContactsContent
  | ReactionContent
  | InteractiveContent
  | UnsupportedContent;

/** A media of ours that a content names. */
export interface MediaRef {
  /** Where in the body of the request: `body.media.media_id`. */
  readonly path: string;
  readonly mediaId: string;
  /** The type that it is sent as. */
  readonly as: MediaType;
}

/** What only the moment of sending knows. */
export interface NetworkNames {
  /** The network's id of each media of ours, for the sending number. */
  readonly media: ReadonlyMap<string, string>;
  /** The network's id of the message that a reaction names by our id; null when that message has none. */
  readonly target: string | null;
}

/** The text of a message, or its caption: what can be edited. */
export function bodyOfSent(content: MessageContent): string | null {
  if (content.type === 'text') return content.body;
  return 'media' in content ? (content.media.caption ?? null) : null;
}

/** The stored form: without the type, which is in a separate column. */
export function storedContent(content: MessageContent): JsonObject {
  switch (content.type) {
    case 'text':
      return storedText(content);
    case 'template':
      return asJson(content.template);
    case 'location':
      return asJson(content.location);
    case 'contacts':
      return { contacts: content.contacts };
    case 'reaction':
      return asJson(content.reaction);
    case 'interactive':
      return content.interactive;
    case 'unsupported':
      return content.original;
    default:
      return asJson(content.media);
  }
}

/** The content of a stored message; one of a type that this version does not know reads as a text without words. */
export function contentFromStored(type: string, stored: JsonObject): MessageContent {
  if (type === 'text') return textFromStored(stored);
  if (isMediaType(type)) return { type, media: stored as MediaFields };
  switch (type) {
    case 'template':
      return { type, template: stored as unknown as TemplateFields };
    case 'location':
      return { type, location: stored as unknown as LocationFields };
    case 'contacts':
      return { type, contacts: (isJsonList(stored.contacts) ? stored.contacts : []).filter(isJsonObject) };
    case 'reaction':
      return { type, reaction: stored as unknown as ReactionFields };
    case 'interactive':
      return { type, interactive: stored };
    case 'unsupported':
      return { type, original: stored };
    default:
      return textFromStored({});
  }
}

/** Every media id of ours that the content names, with its place. */
export function mediaRefs(content: MessageContent): readonly MediaRef[] {
  const refs: MediaRef[] = [];
  mapMedia(content, (media, as, path) => {
    const mediaId = mediaIdOf(media);
    const key = media.media_id === undefined ? 'id' : 'media_id';
    if (mediaId !== null) refs.push({ path: `${path}.${key}`, mediaId, as });
    return media;
  });
  return refs;
}

/**
 * The object that the network takes under the name of the type (for contacts a list).
 * @param names the network's ids of everything that the content names by ours
 */
export function networkPayload(content: MessageContent, names: NetworkNames): JsonValue {
  const ready = mapMedia(content, (media) => networkMedia(media, names));
  switch (ready.type) {
    case 'contacts':
      return ready.contacts;
    case 'template':
      return templatePayload(ready.template);
    case 'reaction':
      return { message_id: names.target ?? ready.reaction.message_id, emoji: ready.reaction.emoji };
    default:
      return storedContent(ready);
  }
}

/**
 * With each media object visited. Parts that no visit changes stay the same objects: each message is scanned for media.
 */
function mapMedia(content: MessageContent, visit: MediaVisitor): MessageContent {
  switch (content.type) {
    case 'interactive': {
      const interactive = mapInteractiveMedia(content.interactive, visit);
      return interactive === content.interactive ? content : { ...content, interactive };
    }
    case 'template': {
      const template = mapTemplateMedia(content.template, visit);
      return template === content.template ? content : { ...content, template };
    }
    case 'text':
    case 'location':
    case 'contacts':
    case 'reaction':
    case 'unsupported':
      return content;
    default: {
      const media = visit(asJson(content.media), content.type, 'body.media') as MediaFields;
      return media === content.media ? content : { ...content, media };
    }
  }
}

/** `{id}` instead of our id; a link stays as it is. */
function networkMedia(media: JsonObject, names: NetworkNames): JsonObject {
  const mediaId = mediaIdOf(media);
  if (mediaId === null) return media;
  const { media_id: _ours, id: _alias, ...rest } = media;
  return { id: names.media.get(mediaId) ?? mediaId, ...rest };
}

/** Our object types are JSON by construction; the language cannot see that of an interface. */
function asJson(fields: object): JsonObject {
  return fields as JsonObject;
}
