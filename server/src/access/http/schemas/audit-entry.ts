import Type from 'typebox';
import { auditActionNames, auditActions, auditActorKinds } from '#access/domain/audit';
import type { JsonObject } from '#core/json';
import { choiceOf, named, nullableText, nullableUuid, time, uuid } from '#http/schemas/fields';

const actionHelp = Object.entries(auditActions).map(([name, meaning]) => `${name}: ${meaning}`);

export const AuditEntryView = Type.Object(
  {
    id: uuid('Identifier of the entry.'),
    at: time('When it was done.'),
    actor: Type.Object(
      {
        kind: choiceOf(auditActorKinds, 'Who did it: a request with a key, the operator, or the service by itself.'),
        key_id: nullableUuid('The key of the request.'),
        agent_id: nullableUuid('The agent that the request acted for.'),
      },
      { description: 'Who did it.' },
    ),
    action: choiceOf(auditActionNames, named('AuditAction', `What was done. ${actionHelp.join(' ')}`)),
    target_id: Type.String({ description: 'What it was done to: the id of the key, number or tenant.' }),
    details: Type.Unsafe<JsonObject>({
      type: 'object',
      additionalProperties: true,
      description: 'What is worth knowing of it, by name. Never a secret.',
    }),
    request_id: nullableText('X-Request-Id of the request.'),
    address: nullableText('Network address that the request came from.'),
  },
  named('AuditEntry', 'One change, and who made it.'),
);

export const auditExample: JsonObject = {
  id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f11',
  at: '2030-01-03T08:00:00.000Z',
  actor: { kind: 'key', key_id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f02', agent_id: null },
  action: 'key.rotated',
  target_id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01',
  details: { successor: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f03', overlap_s: 3600 },
  request_id: '4f2k1z-9',
  address: '192.0.2.10',
};
