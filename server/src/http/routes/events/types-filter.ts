import type { FastifyRequest } from 'fastify';
import { ApiProblem } from '#core/errors';
import { AUDIT_RECORDED, type EventType, isEventType } from '#core/event';
import { permissionOfScope } from '#core/permissions';
import { allows } from '#core/scopes';
import { demandPermission } from '../../plugins/agent.ts';
import { principalOf } from '../../plugins/auth.ts';
import { problemOf } from '../../validation/faults.ts';

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
        message: `types names ${name.slice(0, 100)}, which is not a type of event.`,
      })),
    );
  }
  if (names.includes(AUDIT_RECORDED)) demandAuditRead(request);
  return names.filter(isEventType);
}

/** Entries of the audit log take the rights that reading the log takes. @throws ApiProblem forbidden */
export function demandAuditRead(request: Asker): void {
  if (!allows(principalOf(request).scopes, AUDIT_SCOPE)) {
    throw new ApiProblem('forbidden', { sentence: `This API key lacks the scope ${AUDIT_SCOPE}.` });
  }
  demandPermission(request, permissionOfScope[AUDIT_SCOPE]);
}
