import { Readable } from 'node:stream';
import Type from 'typebox';
import { beginAuditExport } from '#access/actions/export-audit';
import { type ChainedEntry, chainedEntryJson } from '#access/domain/audit-chain';
import { auditExample } from '#access/http/schemas/audit-entry';
import { auditHashExample } from '#access/http/schemas/audit-events';
import { defineOperation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';
import { withExample } from '#http/schemas/fields';

const Query = Type.Object(
  {
    after_seq: Type.Optional(
      withExample(
        Type.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'Only entries after this position in the chain: the `seq` of the last entry that you have.',
        }),
        0,
      ),
    ),
  },
  { additionalProperties: false },
);

export const exportAuditLogRoute = defineOperation({
  method: 'GET',
  path: '/v1/audit-log/export',
  operationId: 'exportAuditLog',
  summary: 'Export the audit log',
  description:
    'Returns every entry, oldest first, as a stream of any length with one JSON object per line. Each entry has its position in the chain (`seq`) and a hash that covers it and all entries before it, so a copy kept elsewhere shows whether the log was changed later. An entry joins the chain about a second after it is written.',
  tag: 'Keys',
  scope: 'audit:read',
  query: Query,
  answer: {
    status: 200,
    description: 'The entries.',
    schema: Type.String({ description: 'One entry per line, as in the list, with `seq` and `hash`.' }),
    contentType: 'application/x-ndjson',
    example: `${JSON.stringify({ seq: 1, hash: auditHashExample, ...auditExample })}\n`,
    headers: ['Content-Disposition'],
  },
  errors: [],
  handle: ({ rt, db }) => {
    return async (request, reply) => {
      const portions = await beginAuditExport(rt, db, requesterOf(request), request.query.after_seq ?? 0);
      reply.type('application/x-ndjson');
      reply.header('content-disposition', 'attachment; filename="audit-log.ndjson"');
      return reply.send(Readable.from(lines(portions)));
    };
  },
});

async function* lines(portions: AsyncIterable<readonly ChainedEntry[]>): AsyncIterable<string> {
  for await (const portion of portions)
    yield portion.map((entry) => `${JSON.stringify(chainedEntryJson(entry))}\n`).join('');
}
