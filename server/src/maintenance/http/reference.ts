import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import Type from 'typebox';
import { matchesAnyEtag } from '#http/etag';
import { type Answer, defineOperation, type Operation } from '#http/operation';
import { makeBundle, takesGzip } from '#http/reference/bundle';
import { referencePage, SCRIPT_PATH } from '#http/reference/page';

/** An hour: after an update a browser shows the old page no longer than that. */
const CACHE_CONTROL = 'public, max-age=3600';

/** What a browser is told that has it already. */
const notModified: Answer = {
  status: 304,
  description: 'The client already has the content.',
  schema: Type.Unsafe<string>({ type: 'string', description: 'Empty.' }),
  contentType: 'text/plain',
  example: '',
  headers: ['ETag'],
};

interface PackedText {
  readonly text: string;
  readonly gzipped: Buffer;
  readonly sha256: string;
}

function packText(text: string): PackedText {
  return { text, gzipped: gzipSync(text), sha256: createHash('sha256').update(text).digest('hex') };
}

const getOpenApiRoute = defineOperation({
  method: 'GET',
  path: '/v1/openapi.json',
  operationId: 'getOpenApi',
  summary: 'Get the API description',
  description:
    'Returns the OpenAPI description of the service. No key is needed. It changes only with the service; use its ETag to detect changes.',
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
  handle: ({ openApiText }) => {
    let packed: PackedText | null = null;
    return (request, reply) => {
      packed ??= packText(openApiText());
      const { text, gzipped, sha256 } = packed;
      const isPacked = takesGzip(request.headers['accept-encoding']);
      const etag = isPacked ? `"${sha256}-gzip"` : `"${sha256}"`;
      reply.headers({ etag, 'cache-control': 'no-cache', vary: 'Accept-Encoding' });
      if (matchesAnyEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
      if (isPacked) reply.header('content-encoding', 'gzip');
      return reply.type('application/json; charset=utf-8').send(isPacked ? gzipped : text);
    };
  },
});

const getDocsRoute = defineOperation({
  method: 'GET',
  path: '/docs',
  operationId: 'getDocs',
  summary: 'Open the API reference',
  description:
    'Returns a page for browsers: every operation with its fields and examples, a field for your key, and a form to try each operation against this server. The page loads nothing from any other address, and forgets the key when it is closed. The page itself needs no key.',
  tag: 'System',
  scope: null,
  answer: {
    status: 200,
    description: 'The page.',
    contentType: 'text/html',
    schema: Type.Unsafe<string>({ type: 'string', description: 'HTML.' }),
    example: '<!doctype html>\n<html lang="en">…</html>\n',
    headers: ['ETag'],
  },
  otherAnswers: [notModified],
  handle: () => {
    const { html, etag, headers } = referencePage();
    return (request, reply) => {
      reply.headers({ ...headers, etag, 'cache-control': CACHE_CONTROL });
      if (matchesAnyEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
      return reply.type('text/html; charset=utf-8').send(html);
    };
  },
});

const getDocsScriptRoute = defineOperation({
  method: 'GET',
  path: SCRIPT_PATH,
  operationId: 'getDocsScript',
  summary: 'Get the script of the API reference',
  description:
    'Returns the script that renders the page at /docs, for the browser that shows it. The script is part of this server and changes only with it.',
  tag: 'System',
  scope: null,
  answer: {
    status: 200,
    description: 'The script, compressed with gzip if the request accepts it.',
    contentType: 'text/javascript',
    schema: Type.Unsafe<string>({ type: 'string', description: 'JavaScript.' }),
    example: '(function () { … })();\n',
    headers: ['ETag'],
  },
  otherAnswers: [notModified],
  handle: () => {
    const bundle = makeBundle();
    return async (request, reply) => {
      const { length, etag, encoding, open } = await bundle(request.headers['accept-encoding']);
      reply.headers({ etag, 'cache-control': CACHE_CONTROL, vary: 'Accept-Encoding' });
      if (matchesAnyEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
      if (encoding !== null) reply.header('content-encoding', encoding);
      return reply.type('text/javascript; charset=utf-8').header('content-length', length).send(open());
    };
  },
});

/** In the order of the documentation. */
export const referenceOperations: readonly Operation[] = [getOpenApiRoute, getDocsRoute, getDocsScriptRoute];
