import type { FastifyRequest } from 'fastify';
import { permissionOfScope } from '#core/caller/permissions';
import { allows } from '#core/caller/scopes';
import { ApiProblem } from '#core/errors';
import { AUDIT_RECORDED, type EventType, isEventType } from '#events/domain/event';
import { requirePermission } from '#http/plugins/agent';
import { principalOf } from '#http/plugins/auth';
import { problemOf } from '#http/validation/faults';

const AUDIT_SCOPE = 'audit:read';

type Asker = Pick<FastifyRequest, 'principal' | 'agent'>;

/**
 * The types that a query names; null: all that need not be named.
 * @throws ApiProblem validation_failed for what is no type of event, forbidden for entries of the audit log that the asker may not read
 */
export function typesFilter(request: Asker, text: string | undefined): readonly EventType[] | null {
  if (text === undefined) return null;
  const names = [...new Set(text.split(',').map((name) => name.trim()))];
  const unknown = names.filter((name) => !isEventType(name));
  if (unknown.length > 0) {
    throw problemOf(
      unknown.map((name) => ({
        path: 'query.types',
        message: `types contains ${name.slice(0, 100)}, which is not an event type.`,
      })),
    );
  }
  if (names.includes(AUDIT_RECORDED)) requireAuditRead(request);
  return names.filter(isEventType);
}

/** Entries of the audit log take the rights that reading the log takes. @throws ApiProblem forbidden */
export function requireAuditRead(request: Asker): void {
  if (!allows(principalOf(request).scopes, AUDIT_SCOPE)) {
    throw new ApiProblem('forbidden', { sentence: `This API key lacks the scope ${AUDIT_SCOPE}.` });
  }
  requirePermission(request, permissionOfScope[AUDIT_SCOPE]);
}
