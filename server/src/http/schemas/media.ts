import Type from 'typebox';
import type { JsonObject } from '#core/json';
import { mediaClasses } from '#core/media';
import { choiceOf, nullableText, time, uuid } from './fields.ts';

const facts = {
  media_id: uuid('Identifier of the media.'),
  mime_type: Type.String({ description: 'What the bytes are, else what was declared.' }),
  size: Type.Integer({ description: 'Bytes.' }),
  sha256: Type.String({ description: 'SHA-256 of the bytes, 64 hex digits.' }),
  sendable_as: Type.Array(
    choiceOf(
      mediaClasses.map(({ type }) => type),
      'A type of message.',
    ),
    { description: 'Types of messages that the network takes it for; maybe none.' },
  ),
};
const expiresAt = time('When it is removed.');

/** The answer to an upload. */
export const UploadedMedia = Type.Object(
  { ...facts, expires_at: expiresAt },
  { description: 'Media that was stored.' },
);

/** Media as it is read, and an item of the list. */
export const MediaItem = Type.Object(
  {
    ...facts,
    filename: nullableText('Name that came with it.'),
    origin: choiceOf(['upload', 'inbound', 'resumable'], 'Uploaded, sent by a customer, or uploaded for a handle.'),
    created_at: time('When it was stored.'),
    expires_at: expiresAt,
  },
  { description: 'Media of the tenant.' },
);

export const MediaIdParams = Type.Object({ id: uuid('Identifier of the media.') });

/** The form of an upload. Its file is read as a stream; the validator never sees it. */
export const UploadForm = Type.Object(
  {
    file: Type.Unsafe({
      type: 'string',
      contentMediaType: 'application/octet-stream',
      description: 'The bytes, at most 16 MiB (16,777,216), as a file part with a filename.',
    }),
    mime_type: Type.Optional(
      Type.String({
        description: 'Declared type; the bytes decide when they show their own. Default: that of the part.',
      }),
    ),
    phone_number_id: Type.Optional(
      Type.String({ description: 'A sending number of the tenant. One upload serves every number.' }),
    ),
  },
  { additionalProperties: false },
);

export const uploadedExample: JsonObject = {
  media_id: '0190a6f4-2222-7333-8444-555566667777',
  mime_type: 'image/jpeg',
  size: 48211,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  sendable_as: ['image'],
  expires_at: '2030-04-01T09:00:00.000Z',
};

export const mediaExample: JsonObject = {
  ...uploadedExample,
  filename: 'parcel.jpg',
  origin: 'upload',
  created_at: '2030-01-01T09:00:00.000Z',
};
