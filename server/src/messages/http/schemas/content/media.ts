import Type, { type TUnsafe } from 'typebox';
import { named, uuid } from '#http/schemas/fields';
import {
  MAX_CAPTION_CHARACTERS,
  MAX_FILENAME_CHARACTERS,
  MAX_LINK_CHARACTERS,
  type MediaFields,
  type MediaType,
  oneNestedSource,
  oneSource,
} from '#media/domain/media-content';
import { address, fields, words } from './parts.ts';

const mediaId = Type.Optional(uuid(named('MediaId', 'media_id of an upload.')));
const link = Type.Optional(
  address(
    MAX_LINK_CHARACTERS,
    named('MediaLink', 'URL that the network downloads the media from, instead of media_id.'),
  ),
);
const source = { media_id: mediaId, link };
const caption = Type.Optional(words(MAX_CAPTION_CHARACTERS, 'Text below the media.'));
const filename = Type.Optional(
  words(MAX_FILENAME_CHARACTERS, 'Filename shown to the customer; its extension determines the icon.'),
);
const voice = Type.Optional(Type.Boolean({ description: 'Shows the audio as a voice message (audio/ogg with Opus).' }));

const fieldsOf = {
  image: fields({ ...source, caption }, named('ImageContent', 'The image.'), oneSource),
  video: fields({ ...source, caption }, named('VideoContent', 'The video.'), oneSource),
  audio: fields({ ...source, voice }, named('AudioContent', 'The audio. It has no caption.'), oneSource),
  document: fields({ ...source, caption, filename }, named('DocumentContent', 'The document.'), oneSource),
  sticker: fields({ ...source }, named('StickerContent', 'The sticker. It has no caption.'), oneSource),
} as const;

/** `media` of a message of this type. */
export function mediaField(type: MediaType): TUnsafe<MediaFields> {
  return Type.Unsafe<MediaFields>(fieldsOf[type]);
}

const nested = { media_id: mediaId, id: Type.Optional(uuid('Same as media_id.')), link };

/** Media inside a header or a template's parameter: the network's name `id` is understood beside ours. */
export const NestedMedia = fields(
  nested,
  named('NestedMedia', 'The media: exactly one of media_id, id and link.'),
  oneNestedSource,
);
export const NestedDocument = fields(
  { ...nested, filename },
  named('NestedDocument', 'The document: exactly one of media_id, id and link.'),
  oneNestedSource,
);
