import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import Type from 'typebox';
import { matchesAnyEtag } from '#http/etag';
import { defineOperation } from '#http/operation';
import { takesGzip } from '#http/reference/bundle';
import { notModified } from './docs.ts';

export const getOpenApiRoute = defineOperation({
  method: 'GET',
  path: '/v1/openapi.json',
  operationId: 'getOpenApi',
  summary: 'Get the API description',
  description:
    'Returns the OpenAPI description of the service. No key is needed. It changes only with the service: its ETag says whether it has.',
  tag: 'System',
  scope: null,
  answer: {
    status: 200,
    description: 'The OpenAPI document, compressed with gzip if the request accepts it.',
    schema: Type.Unsafe({ type: 'object', additionalProperties: true, description: 'An OpenAPI 3.1 document.' }),
    example: { openapi: '3.1.0', info: { title: 'Postrider', version: '1.0.0' } },
    headers: ['ETag'],
  },
  otherAnswers: [notModified],
  errors: [],
  handle: ({ openApiText }) => {
    let packed: { readonly gzipped: Buffer; readonly sha256: string } | null = null;
    return (request, reply) => {
      packed ??= { gzipped: gzipSync(openApiText), sha256: createHash('sha256').update(openApiText).digest('hex') };
      const { gzipped, sha256 } = packed;
      const isPacked = takesGzip(request.headers['accept-encoding']);
      const etag = isPacked ? `"${sha256}-gzip"` : `"${sha256}"`;
      reply.headers({ etag, 'cache-control': 'no-cache', vary: 'Accept-Encoding' });
      if (matchesAnyEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
      if (isPacked) reply.header('content-encoding', 'gzip');
      return reply.type('application/json; charset=utf-8').send(isPacked ? gzipped : openApiText);
    };
  },
});
