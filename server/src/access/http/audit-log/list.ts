import Type, { type Static } from 'typebox';
import { auditActionNames, auditActorKinds, auditEntryJson } from '#access/domain/audit';
import { AuditEntryView, auditExample } from '#access/http/schemas/audit-entry';
import { type AuditFilter, listAudit } from '#access/store/audit-log';
import type { ActorKind } from '#core/caller/origin';
import { answerList } from '#http/lists/answer-list';
import { givenOnly, optionalTimeMs } from '#http/lists/filters';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation } from '#http/operation';
import { queryErrorExamples } from '#http/schemas/examples';
import { choiceOf, named, text, time, uuid, withExample } from '#http/schemas/fields';
import { pageQuery } from '#http/schemas/lists';

const Query = Type.Object(
  {
    ...pageQuery,
    actor: Type.Optional(
      withExample(choiceOf<ActorKind>(auditActorKinds, 'Only changes by this kind of actor.'), 'key'),
    ),
    key_id: Type.Optional(withExample(uuid('Only changes by this key.'), '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f02')),
    agent_id: Type.Optional(
      withExample(uuid('Only changes by requests that acted for this agent.'), '0190a6f2-9a00-7b00-8c00-0a1b2c3d4e5f'),
    ),
    action: Type.Optional(
      withExample(choiceOf(auditActionNames, named('AuditAction', 'Only changes of this kind.')), 'key.rotated'),
    ),
    target_id: Type.Optional(
      withExample(text(64, 'Only changes to this key, number or tenant.'), '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01'),
    ),
    created_after: Type.Optional(withExample(time('Only changes after this time.'), '2030-01-01T00:00:00Z')),
    created_before: Type.Optional(withExample(time('Only changes before this time.'), '2030-02-01T00:00:00Z')),
  },
  { additionalProperties: false },
);

export const listAuditLogRoute = defineOperation({
  method: 'GET',
  path: '/v1/audit-log',
  operationId: 'listAuditLog',
  summary: 'List audit log entries',
  description:
    'Returns who changed what, newest first. Entries are written together with the change, and are never changed or removed.',
  tag: 'Keys',
  scope: 'audit:read',
  query: Query,
  answer: pageAnswer('the audit log', AuditEntryView, auditExample),
  errors: [],
  errorExamples: queryErrorExamples,
  handle: ({ db, cursorKey }) => {
    return (request, reply) => {
      const filter = auditFilter(request.query);
      return answerList(request, reply, {
        cursorKey,
        name: 'audit_log',
        filter: { ...filter },
        read: (tenantId, window) => listAudit(db, tenantId, filter, window),
        idOf: (entry) => entry.entryId,
        present: auditEntryJson,
      });
    };
  },
});

function auditFilter(query: Static<typeof Query>): AuditFilter {
  return givenOnly({
    actor: query.actor,
    keyId: query.key_id?.toLowerCase(),
    agentId: query.agent_id?.toLowerCase(),
    action: query.action,
    targetId: query.target_id,
    createdAfterMs: optionalTimeMs(query.created_after),
    createdBeforeMs: optionalTimeMs(query.created_before),
  });
}
