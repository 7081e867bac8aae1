import Type from 'typebox';
import type { JsonObject } from '#core/json';
import { choiceOf, named, nullableText, nullableUuid, time, uuid, withExample } from '#http/schemas/fields';
import { mediaClasses } from '#media/domain/media';

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
  named('UploadedMedia', 'Media that was stored.'),
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
  named('Media', 'Media of the tenant.'),
);

/** The answer to an upload for a handle in one form. */
export const HandleAnswer = Type.Object(
  {
    handle: Type.String({ description: 'The handle of the network, to be used at once; it may span lines.' }),
    media_id: uuid('The same file as media.'),
  },
  { description: 'The network has the file.' },
);

/** An upload for a handle, as it is read. */
export const HandleUpload = Type.Object(
  {
    upload_id: uuid('Identifier of the upload.'),
    status: choiceOf(
      ['uploading', 'processing', 'ready', 'failed'],
      'Bytes are missing, the network has no handle yet, here it is, or there will be none.',
    ),
    offset: Type.Integer({ description: 'Bytes that are here.' }),
    size: Type.Integer({ description: 'Bytes in all.' }),
    handle: nullableText('The handle of the network, once it is ready.'),
    media_id: nullableUuid('The same file as media, once all bytes are here.'),
    error: Type.Unsafe({
      type: ['object', 'null'],
      description: 'Why there is no handle, also while it is tried again.',
      properties: {
        code: { type: 'string', description: 'handle_refused or handle_unavailable.' },
        message: { type: 'string', description: 'One sentence.' },
      },
      required: ['code', 'message'],
    }),
    created_at: time('When it began.'),
  },
  named('HandleUpload', 'An upload that yields a handle of the network.'),
);

export const UploadIdParams = Type.Object({
  id: withExample(uuid('Identifier of the upload.'), '0190a6f6-1111-7222-8333-444455556666'),
});

export const MediaIdParams = Type.Object({
  id: withExample(uuid('Identifier of the media.'), '0190a6f4-2222-7333-8444-555566667777'),
});

/** The form of an upload. Its file is read as a stream; the validator never sees it. */
export const UploadForm = Type.Object(
  {
    file: Type.Unsafe({
      type: 'string',
      // OpenAPI 3.1 has no need of it, but forms on pages offer to choose a file by it.
      format: 'binary',
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
  { additionalProperties: false, description: 'A file to upload.' },
);

/** The fields of the form; what stands for the file is the name of any file of yours, as curl wants it. */
export const uploadFormExample: JsonObject = { file: '@parcel.jpg', mime_type: 'image/jpeg' };

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

export const handleExample: JsonObject = {
  handle: '4::aW1hZ2UvanBlZw==:ARb1:e:1893499200:1000000000000001:122000:ARb2',
  media_id: '0190a6f4-2222-7333-8444-555566667777',
};

export const handleUploadExample: JsonObject = {
  upload_id: '0190a6f6-1111-7222-8333-444455556666',
  status: 'uploading',
  offset: 1048576,
  size: 7340032,
  handle: null,
  media_id: null,
  error: null,
  created_at: '2030-01-01T09:00:00.000Z',
};
