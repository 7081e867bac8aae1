import type { JsonObject } from '#core/json';
import { type ContentRule, exactlyOne } from '#core/rule-fault';

export const mediaTypes = ['image', 'video', 'audio', 'document', 'sticker'] as const;
export type MediaType = (typeof mediaTypes)[number];

/** The network's limits of a media message. It names none for a file name; ours keeps it below that of file systems. */
export const MAX_CAPTION_CHARACTERS = 1024;
export const MAX_FILENAME_CHARACTERS = 240;
/** Longer addresses are refused by many servers. */
export const MAX_LINK_CHARACTERS = 2048;

/** What the network takes as each type, as a person reads it: for the refusal of a media that does not fit. */
export const mediaLimits: Readonly<Record<MediaType, string>> = {
  image: 'image/jpeg or image/png of at most 5 MB',
  video: 'video/mp4 or video/3gpp of at most 16 MB',
  audio: 'audio/aac, audio/amr, audio/mpeg, audio/mp4 or audio/ogg (opus) of at most 16 MB',
  document: 'a PDF, plain text or office document of at most 100 MB',
  sticker: 'image/webp of at most 100 KB (500 KB when animated)',
};

/** The object of a media message as the API takes, stores and shows it. */
export interface MediaFields {
  /** Our id of uploaded bytes. Exactly one of this and `link` is there. */
  readonly media_id?: string;
  /** An address that the network fetches itself. */
  readonly link?: string;
  /** Not of audio and sticker. */
  readonly caption?: string;
  /** Of a document alone: the name that the customer sees; its ending chooses the icon. */
  readonly filename?: string;
  /** Of audio alone: shown as a voice message. */
  readonly voice?: boolean;
}

export interface MediaContent {
  readonly type: MediaType;
  readonly media: MediaFields;
}

/** Reads or replaces one media object of a content. `path` is its place, from the body of the request. */
export type MediaVisitor = (media: JsonObject, as: MediaType, path: string) => JsonObject;

/** Inside interactive headers and template parameters the network's own name `id` is understood too. */
export const nestedSources = ['media_id', 'id', 'link'] as const;

/** "media_id xor link". */
export const oneSource: ContentRule = (value) => exactlyOne(value, ['media_id', 'link']);
export const oneNestedSource: ContentRule = (value) => exactlyOne(value, nestedSources);

export function isMediaType(type: unknown): type is MediaType {
  return mediaTypes.some((known) => known === type);
}

/** Our id in a media object, in its one spelling, when it names one. */
export function mediaIdOf(media: JsonObject): string | null {
  const id = media.media_id ?? media.id;
  return typeof id === 'string' ? id.toLowerCase() : null;
}
