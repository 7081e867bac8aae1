import type { FastifyRequest } from 'fastify';
import type { ContactRequest } from '#contacts/actions/manage-contacts';
import type { ContactChange } from '#contacts/domain/contact-change';
import { type ContactBody, ContactView, contactExample } from '#contacts/http/schemas/contact';
import { parsePhone } from '#core/phone/phone';
import { givenOnly } from '#http/lists/filters';
import { principalOf } from '#http/plugins/auth';
import { matchingVersions } from '#http/plugins/if-match';
import { problemOf } from '#http/validation/faults';

/** What a body wishes of a contact. @throws ApiProblem validation_failed for a number that cannot be one */
export function readContactBody(body: ContactBody): ContactChange {
  const { name, external_id: externalId, language, attributes, tags } = body;
  return givenOnly({ phone: phoneOf(body.phone), name, externalId, language, attributes, tags });
}

function phoneOf(written: string | undefined): string | undefined {
  if (written === undefined) return undefined;
  const parsed = parsePhone(written);
  if (!parsed.ok) throw problemOf([{ path: 'body.phone', message: `phone ${parsed.reason}.` }]);
  return parsed.phone;
}

/** The contact that the path names, in the version that If-Match wants. */
export function contactRequest(request: FastifyRequest<{ Params: { id: string } }>): ContactRequest {
  const { tenantId } = principalOf(request);
  return { tenantId, contactId: request.params.id.toLowerCase(), versions: matchingVersions(request) };
}

/** What an operation answers that changes a contact. */
export const changedContact = {
  status: 200,
  description: 'The updated contact.',
  schema: ContactView,
  example: contactExample,
  headers: ['Idempotent-Replayed', 'ETag'],
} as const;
