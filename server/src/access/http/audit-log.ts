import { Readable } from 'node:stream';
import Type from 'typebox';
import { beginAuditExport } from '#access/actions/export-audit';
import { auditActionNames, auditActorKinds, auditEntryJson } from '#access/domain/audit';
import { type ChainedEntry, chainedEntryJson } from '#access/domain/audit-chain';
import { listAudit } from '#access/store/audit-log';
import type { ActorKind } from '#core/caller/origin';
import { answerList } from '#http/lists/answer-list';
import { givenOnly, periodFilter } from '#http/lists/filters';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation, type Operation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';
import { choiceOf, named, optional, text, uuid, withExample } from '#http/schemas/fields';
import { pageQuery, periodQuery } from '#http/schemas/lists';
import { AuditEntryView, auditExample } from './schemas/audit-entry.ts';
import { auditHashExample } from './schemas/audit-events.ts';

const listAuditLogRoute = defineOperation({
  method: 'GET',
  path: '/v1/audit-log',
  operationId: 'listAuditLog',
  summary: 'List audit log entries',
  description:
    'Returns who changed what, newest first. Entries are written together with the change, and are never changed or removed.',
  tag: 'Keys',
  scope: 'audit:read',
  query: Type.Object(
    optional({
      ...pageQuery,
      actor: withExample(choiceOf<ActorKind>(auditActorKinds, 'Only changes by this kind of actor.'), 'key'),
      key_id: withExample(uuid('Only changes by this key.'), '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f02'),
      agent_id: withExample(
        uuid('Only changes by requests that acted for this agent.'),
        '0190a6f2-9a00-7b00-8c00-0a1b2c3d4e5f',
      ),
      action: withExample(
        choiceOf(auditActionNames, named('AuditAction', 'Only changes of this kind.')),
        'key.rotated',
      ),
      target_id: withExample(
        text(64, 'Only changes to this key, number or tenant.'),
        '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01',
      ),
      ...periodQuery('changes'),
    }),
    { additionalProperties: false },
  ),
  answer: pageAnswer('the audit log', AuditEntryView, auditExample),
  errors: [],
  handle: ({ db, cursorKey }) => {
    return (request, reply) => {
      const { query } = request;
      const filter = givenOnly({
        actor: query.actor,
        keyId: query.key_id?.toLowerCase(),
        agentId: query.agent_id?.toLowerCase(),
        action: query.action,
        targetId: query.target_id,
        ...periodFilter(query),
      });
      return answerList(request, reply, {
        cursorKey,
        name: 'audit_log',
        filter,
        read: (tenantId, window) => listAudit(db, tenantId, filter, window),
        idOf: ({ entryId }) => entryId,
        present: auditEntryJson,
      });
    };
  },
});

const exportAuditLogRoute = defineOperation({
  method: 'GET',
  path: '/v1/audit-log/export',
  operationId: 'exportAuditLog',
  summary: 'Export the audit log',
  description:
    'Returns every entry, oldest first, as a stream of any length with one JSON object per line. Each entry has its position in the chain (`seq`) and a hash that covers it and all entries before it, so a copy kept elsewhere shows whether the log was changed later. An entry joins the chain about a second after it is written.',
  tag: 'Keys',
  scope: 'audit:read',
  recentSignIn: true,
  query: Type.Object(
    optional({
      after_seq: withExample(
        Type.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'Only entries after this position in the chain: the `seq` of the last entry that you have.',
        }),
        0,
      ),
    }),
    { additionalProperties: false },
  ),
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

/** In the order of the documentation. */
export const auditLogOperations: readonly Operation[] = [listAuditLogRoute, exportAuditLogRoute];

async function* lines(portions: AsyncIterable<readonly ChainedEntry[]>): AsyncIterable<string> {
  for await (const portion of portions)
    yield portion.map((entry) => `${JSON.stringify(chainedEntryJson(entry))}\n`).join('');
}
