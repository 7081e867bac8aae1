import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import type { BlobStore } from '#blobs/blob-store';
import { ApiProblem, requireFound } from '#core/errors';
import type { JsonObject } from '#core/json';
import { defineOperation, type Operation } from '#http/operation';
import { principalOf, requesterOf } from '#http/plugins/auth';
import { getOperation, listOperation, type Resource } from '#http/resource';
import { errorExample } from '#http/schemas/errors';
import { unknownNumberExample } from '#http/schemas/examples';
import { choiceOf, uuid } from '#http/schemas/fields';
import { formatRfc3339 } from '#http/validation/rfc3339';
import { deleteMedia } from '#media/actions/delete-media';
import { storeMedia } from '#media/actions/store-media';
import { blobKey } from '#media/domain/blob-key';
import { type Media, sendableAs } from '#media/domain/media';
import { findMedia, listMedia } from '#media/store/media';
import { type ContentPlan, contentDisposition, etagOf, planContent } from './content-plan.ts';
import { arrivedMedia, uploadOnce } from './receive-file.ts';
import {
  emptyAnswer,
  MediaIdParams,
  MediaItem,
  mediaExample,
  mediaExampleId,
  UploadedMedia,
  UploadForm,
  uploadedExample,
  uploadFormExample,
} from './schemas/media.ts';

const media: Resource<Media> = {
  path: '/v1/media',
  name: 'Media',
  names: 'Media',
  noun: 'media',
  many: 'media',
  tag: 'Media',
  scopes: { read: 'media:read', write: 'media:write' },
  params: MediaIdParams,
  view: MediaItem,
  example: mediaExample,
  present: presentMedia,
};

const uploadMediaRoute = defineOperation({
  method: 'POST',
  path: '/v1/media',
  operationId: 'uploadMedia',
  summary: 'Upload media',
  description:
    'Stores a file of any type, at most 16 MiB, that can be sent from any number by its media_id. Identical bytes are stored once, but each upload gets its own media_id.',
  tag: 'Media',
  scope: 'media:write',
  form: UploadForm,
  formExample: uploadFormExample,
  takesIdempotencyKey: 'within',
  answer: { status: 200, description: 'The media is stored.', schema: UploadedMedia, example: uploadedExample },
  errors: ['unknown_phone_number', 'media_quota_exceeded', 'media_store_unavailable'],
  errorExamples: [
    errorExample('noFile', 'validation_failed', 'file is required: a part with the bytes and a filename.', 'body.file'),
    unknownNumberExample,
  ],
  handle: (context) => (request, _reply, once) =>
    uploadOnce(context, request, once, async (file, tenantId) =>
      presentUploaded(await storeMedia(context.rt, context.db, arrivedMedia(file, { tenantId, origin: 'upload' }))),
    ),
});

const listMediaRoute = listOperation(media, {
  description: 'Returns media that was uploaded or received and has not expired, newest first.',
  read: ({ rt, db }, { tenantId, window }) => listMedia(db, tenantId, window, rt.clock.now()),
  idOf: ({ mediaId }) => mediaId,
});

const getMediaRoute = getOperation(media, {
  summary: "Get a media file's metadata",
  description: 'Returns the type, size and hash of the media; its bytes are at /content.',
  find: ({ rt, db }, tenantId, id) => findMedia(db, tenantId, id, rt.clock.now()),
});

/** Bytes as they are downloaded. */
const bytes = {
  schema: Type.Unsafe<string>({ type: 'string', contentMediaType: 'application/octet-stream' }),
  contentType: '*/*',
};

const getMediaContentRoute = defineOperation({
  method: 'GET',
  path: '/v1/media/:id/content',
  operationId: 'getMediaContent',
  summary: 'Download media',
  description:
    'Returns the bytes, as a file to save. Range (one range of bytes: 206), If-Range and If-None-Match (304) are honored; the ETag is the sha256.',
  tag: 'Media',
  scope: 'media:read',
  params: MediaIdParams,
  requestHeaders: [
    { name: 'Range', description: 'The requested range, which is returned with 206.', example: 'bytes=0-1023' },
    {
      name: 'If-None-Match',
      description: 'ETags that the client already has; if one matches, the response is 304.',
      example: '"9f86d081884c7d65"',
    },
  ],
  answer: {
    ...bytes,
    status: 200,
    description: 'The bytes, with the content type of the media.',
    example: 'the bytes',
    headers: ['ETag', 'Content-Disposition', 'Accept-Ranges'],
  },
  otherAnswers: [
    {
      ...bytes,
      status: 206,
      description: 'The range that was requested.',
      example: 'the by',
      headers: ['ETag', 'Content-Range', 'Content-Disposition', 'Accept-Ranges'],
    },
    emptyAnswer(304, 'The client already has the content.', ['ETag']),
  ],
  errors: ['not_found', 'range_not_satisfiable', 'media_store_unavailable'],
  handle: ({ rt, db, blobs }) => {
    return async (request, reply) => {
      const { tenantId } = principalOf(request);
      const media = requireFound(await findMedia(db, tenantId, request.params.id.toLowerCase(), rt.clock.now()));
      const plan = planContent(media, request.headers as Record<string, string | undefined>);
      if (plan.status === 416) {
        throw new ApiProblem('range_not_satisfiable', { headers: { 'content-range': `bytes */${media.size}` } });
      }
      writeHead(reply, media, plan);
      if (plan.status === 304) return reply.send();
      // Without a stream Fastify would claim a length of 0 for HEAD.
      if (request.method === 'HEAD') return reply.send(Readable.from([]));
      return reply.send(await openContent(blobs, media, plan));
    };
  },
});

const deleteMediaRoute = defineOperation({
  method: 'DELETE',
  path: '/v1/media/:id',
  operationId: 'deleteMedia',
  summary: 'Delete media',
  description:
    'Deletes the media. It can no longer be read or sent, and queued messages that use it fail. Messages that were already sent keep what they showed.',
  tag: 'Media',
  scope: 'media:write',
  params: MediaIdParams,
  answer: {
    status: 200,
    description: 'The media was deleted.',
    schema: Type.Object(
      {
        media_id: uuid('ID of the deleted media.'),
        status: choiceOf(['deleted'], 'It can no longer be read or sent.'),
      },
      { description: 'The media was deleted.' },
    ),
    example: { media_id: mediaExampleId, status: 'deleted' },
  },
  errors: ['not_found'],
  handle: ({ rt, db }) => {
    return async (request) => {
      const mediaId = request.params.id.toLowerCase();
      if (!(await deleteMedia(rt, db, requesterOf(request), mediaId))) throw new ApiProblem('not_found');
      return { media_id: mediaId, status: 'deleted' };
    };
  },
});

/** In the order of the documentation. */
export const mediaOperations: readonly Operation[] = [
  uploadMediaRoute,
  listMediaRoute,
  getMediaRoute,
  getMediaContentRoute,
  deleteMediaRoute,
];

/** The answer to an upload: what the caller did not know before. */
function presentUploaded(media: Media): JsonObject {
  return {
    media_id: media.mediaId,
    mime_type: media.mimeType,
    size: media.size,
    sha256: media.sha256,
    sendable_as: sendableAs(media),
    expires_at: formatRfc3339(media.expiresMs),
  };
}

function presentMedia(media: Media): JsonObject {
  return {
    ...presentUploaded(media),
    filename: media.filename,
    origin: media.origin,
    created_at: formatRfc3339(media.createdMs),
  };
}

function writeHead(reply: FastifyReply, media: Media, plan: Exclude<ContentPlan, { status: 416 }>): void {
  reply.code(plan.status).headers({ etag: etagOf(media), 'cache-control': 'private, no-cache' });
  if (plan.status === 304) return;
  const length = plan.status === 206 ? plan.range.last - plan.range.first + 1 : media.size;
  reply.type(media.mimeType).headers({
    'accept-ranges': 'bytes',
    'content-length': length,
    'content-disposition': contentDisposition(media.filename),
    // Opened in a browser all the same, it may load and run nothing.
    'content-security-policy': "default-src 'none'; sandbox",
  });
  if (plan.status === 206) {
    reply.header('content-range', `bytes ${plan.range.first}-${plan.range.last}/${media.size}`);
  }
}

async function openContent(blobs: BlobStore, media: Media, plan: ContentPlan) {
  const key = blobKey(media.sha256, media.blobId);
  const stream = await blobs.open(key, plan.status === 206 ? plan.range : undefined);
  // The row promises the bytes: without them somebody emptied the store behind our back.
  if (stream === null) throw new Error(`The media store has no bytes under ${key}.`);
  return stream;
}
