import Type from 'typebox';
import type { JsonObject } from '#core/json';
import type { Answer } from '#http/operation';
import {
  choiceOf,
  named,
  nullableObject,
  nullableText,
  nullableUuid,
  time,
  uuid,
  withExample,
} from '#http/schemas/fields';
import { mediaClasses } from '#media/domain/media';

/** The answer to an upload. */
export const UploadedMedia = Type.Object(
  {
    media_id: uuid('ID of the media.'),
    mime_type: Type.String({ description: 'Type detected from the bytes, otherwise the declared type.' }),
    size: Type.Integer({ description: 'Size in bytes.' }),
    sha256: Type.String({ description: 'SHA-256 of the bytes, 64 hex digits.' }),
    sendable_as: Type.Array(
      choiceOf(
        mediaClasses.map(({ type }) => type),
        'A message type.',
      ),
      { description: 'Message types that the network accepts it for; may be empty.' },
    ),
    expires_at: time('When it is deleted.'),
  },
  named('UploadedMedia', 'Media that was stored.'),
);

/** Media as it is read, and an item of the list. */
export const MediaItem = Type.Intersect(
  [
    UploadedMedia,
    Type.Object({
      filename: nullableText('Original filename.'),
      origin: choiceOf(['upload', 'inbound', 'resumable'], 'uploaded, sent by a customer, or uploaded for a handle.'),
      created_at: time('When it was stored.'),
    }),
  ],
  named('Media', 'Media of the tenant.'),
);

/** The answer to an upload for a handle in one form. */
export const HandleAnswer = Type.Object(
  {
    handle: Type.String({ description: "The network's handle, to be used immediately; it may contain line breaks." }),
    media_id: uuid('ID of the file as media.'),
  },
  { description: 'The network received the file.' },
);

/** An upload for a handle, as it is read. */
export const HandleUpload = Type.Object(
  {
    upload_id: uuid('ID of the upload.'),
    status: choiceOf(
      ['uploading', 'processing', 'ready', 'failed'],
      'uploading: bytes are missing. processing: the network has not issued a handle yet. failed: no handle will be issued.',
    ),
    offset: Type.Integer({ description: 'Bytes received.' }),
    size: Type.Integer({ description: 'Total size in bytes.' }),
    handle: nullableText("The network's handle, once ready."),
    media_id: nullableUuid('ID of the file as media, once all bytes are received.'),
    error: nullableObject('Why there is no handle, even while it is retried.', {
      code: { type: 'string', description: 'handle_refused or handle_unavailable.' },
      message: { type: 'string', description: 'One sentence.' },
    }),
    created_at: time('When it started.'),
  },
  named('HandleUpload', 'An upload that returns a network handle.'),
);

export const UploadIdParams = Type.Object({
  id: withExample(uuid('ID of the upload.'), '0190a6f6-1111-7222-8333-444455556666'),
});

export const mediaExampleId = '0190a6f4-2222-7333-8444-555566667777';
export const MediaIdParams = Type.Object({ id: withExample(uuid('ID of the media.'), mediaExampleId) });

/** An answer that consists of its headers. */
export function emptyAnswer(status: number, description: string, headers: NonNullable<Answer['headers']>): Answer {
  const schema = Type.Unsafe<string>({ type: 'string', description: 'Empty.' });
  return { status, description, schema, contentType: 'text/plain', example: '', headers };
}

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
        description: 'Declared type. A type detected from the bytes takes precedence. Default: the type of the part.',
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
  media_id: mediaExampleId,
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
  media_id: mediaExampleId,
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
