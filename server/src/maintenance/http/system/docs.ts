import Type from 'typebox';
import { matchesAnyEtag } from '#http/etag';
import { type Answer, defineOperation } from '#http/operation';
import { referencePage } from '#http/reference/page';

/** An hour: after an update a browser shows the old page no longer than that. */
export const CACHE_CONTROL = 'public, max-age=3600';

/** What a browser is told that has it already. */
export const notModified: Answer = {
  status: 304,
  description: 'The client already has the content.',
  schema: Type.Unsafe<string>({ type: 'string', description: 'Empty.' }),
  contentType: 'text/plain',
  example: '',
  headers: ['ETag'],
};

export const getDocsRoute = defineOperation({
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
  errors: [],
  handle: () => {
    const { html, etag, headers } = referencePage();
    return (request, reply) => {
      reply.headers({ ...headers, etag, 'cache-control': CACHE_CONTROL });
      if (matchesAnyEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
      return reply.type('text/html; charset=utf-8').send(html);
    };
  },
});
