import Type from 'typebox';
import { matchesAnyEtag } from '#http/etag';
import { defineOperation } from '#http/operation';
import { makeBundle } from '#http/reference/bundle';
import { SCRIPT_PATH } from '#http/reference/page';
import { CACHE_CONTROL, notModified } from './docs.ts';

export const getDocsScriptRoute = defineOperation({
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
  errors: [],
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
