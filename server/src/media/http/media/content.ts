import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import type { BlobStore } from '#blobs/blob-store';
import { ApiProblem } from '#core/errors';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { blobKey } from '#media/domain/blob-key';
import type { Media } from '#media/domain/media';
import { MediaIdParams } from '#media/http/schemas/media';
import { findMedia } from '#media/store/media';
import { type ContentPlan, contentDisposition, etagOf, planContent } from './content-plan.ts';

export const getMediaContentRoute = defineOperation({
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
    status: 200,
    description: 'The bytes, with the content type of the media.',
    schema: Type.Unsafe<string>({ type: 'string', contentMediaType: 'application/octet-stream' }),
    contentType: '*/*',
    example: 'the bytes',
    headers: ['ETag', 'Content-Disposition', 'Accept-Ranges'],
  },
  otherAnswers: [
    {
      status: 206,
      description: 'The range that was requested.',
      schema: Type.Unsafe<string>({ type: 'string', contentMediaType: 'application/octet-stream' }),
      contentType: '*/*',
      example: 'the by',
      headers: ['ETag', 'Content-Range', 'Content-Disposition', 'Accept-Ranges'],
    },
    {
      status: 304,
      description: 'The client already has the content.',
      schema: Type.Unsafe<string>({ type: 'string', description: 'Empty.' }),
      contentType: 'text/plain',
      example: '',
      headers: ['ETag'],
    },
  ],
  errors: ['not_found', 'range_not_satisfiable', 'media_store_unavailable'],
  handle: ({ rt, db, blobs }) => {
    return async (request, reply) => {
      const { tenantId } = principalOf(request);
      const media = await findMedia(db, tenantId, request.params.id.toLowerCase(), rt.clock.now());
      if (media === null) throw new ApiProblem('not_found');
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
