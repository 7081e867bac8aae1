import Type from 'typebox';
import { auditActionNames, auditActions, auditActorKinds } from '#access/domain/audit';
import type { JsonObject } from '#core/json';
import { choiceOf, named, nullableText, nullableUuid, time, uuid } from '#http/schemas/fields';

const actionHelp = Object.entries(auditActions).map(([name, meaning]) => `${name}: ${meaning}`);

export const AuditEntryView = Type.Object(
  {
    id: uuid('ID of the entry.'),
    at: time('When it happened.'),
    actor: Type.Object(
      {
        kind: choiceOf(auditActorKinds, 'Who made the change: a request with a key, the operator, or the service.'),
        key_id: nullableUuid('Key of the request.'),
        agent_id: nullableUuid('Agent that the request acted for.'),
      },
      { description: 'Who did it.' },
    ),
    action: choiceOf(auditActionNames, named('AuditAction', `Type of change. ${actionHelp.join(' ')}`)),
    target_id: Type.String({ description: 'ID of the changed object, such as a key, number or tenant.' }),
    details: Type.Unsafe<JsonObject>({
      type: 'object',
      additionalProperties: true,
      description: 'Details by name. Never contains secrets.',
    }),
    request_id: nullableText('X-Request-Id of the request.'),
    address: nullableText('IP address that the request came from.'),
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
