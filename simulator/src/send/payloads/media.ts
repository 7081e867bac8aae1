/** `image`, `video`, `audio`, `document` and `sticker`: by the id of uploaded media or by a link. */
import { type NetworkError, networkError } from '../../graph/errors.ts';
import type { JsonObject } from '../../json.ts';
import { checkKeys, checkOptionalString, isWebAddress } from './text.ts';

export const MEDIA_TYPES = ['image', 'video', 'audio', 'document', 'sticker'] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

const MAX_CAPTION = 1024;
// The network states no bound for file names; this is the longest that file systems take.
const MAX_FILENAME = 255;

const KEYS: Readonly<Record<MediaType, readonly string[]>> = {
  image: ['id', 'link', 'caption', 'provider'],
  video: ['id', 'link', 'caption', 'provider'],
  audio: ['id', 'link', 'voice', 'provider'],
  document: ['id', 'link', 'caption', 'filename', 'provider'],
  sticker: ['id', 'link', 'provider'],
};

/** True for the types whose payload names a file. */
export function isMediaType(type: string): type is MediaType {
  return (MEDIA_TYPES as readonly string[]).includes(type);
}

/** The payload of a media message, or of a header or parameter that shows media. */
export function checkMedia(type: MediaType, payload: JsonObject): NetworkError | null {
  const { id, link, caption, filename, voice } = payload;
  const unknown = checkKeys(type, payload, KEYS[type]);
  if (unknown !== null) return unknown;
  if (id === undefined && link === undefined) {
    return networkError(131008, `Parameter ${type}['id'] or ${type}['link'] is required.`);
  }
  if (id !== undefined && link !== undefined) {
    return networkError(100, `Only one of ${type}['id'] and ${type}['link'] is allowed.`);
  }
  const source = id ?? link;
  if (typeof source !== 'string' || source === '') return networkError(131009, `${type}: not a media id or link.`);
  if (link !== undefined && !isWebAddress(source)) {
    return networkError(131009, `Param ${type}['link'] must be an http or https address.`);
  }
  if (voice !== undefined && typeof voice !== 'boolean')
    return networkError(100, "Param audio['voice'] must be a boolean.");
  return (
    checkOptionalString(`${type}['caption']`, caption, MAX_CAPTION) ??
    checkOptionalString(`${type}['filename']`, filename, MAX_FILENAME)
  );
}
