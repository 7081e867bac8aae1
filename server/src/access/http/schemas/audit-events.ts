import Type from 'typebox';
import type { EventType } from '#events/domain/event';
import type { EventDescription } from '#http/schemas/events/description';
import { text } from '#http/schemas/fields';
import { AuditEntryView, auditExample } from './audit-entry.ts';

export const auditHashExample = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

const Recorded = Type.Intersect([
  Type.Object({
    seq: Type.Integer({ minimum: 1, description: "Position in the tenant's hash chain, without gaps." }),
    hash: text(64, 'SHA-256 that covers the entry and all entries before it.'),
  }),
  AuditEntryView,
]);

/** What events of the audit log carry. */
export const auditEvents: Partial<Record<EventType, EventDescription>> = {
  'audit.recorded': { data: Recorded, example: { seq: 7, hash: auditHashExample, ...auditExample } },
};
