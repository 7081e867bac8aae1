import Type from 'typebox';
import { ConsentEntryView, ContactIdParams, consentEntryExample } from '#contacts/http/schemas/contact';
import { type ConsentEntry, listConsents } from '#contacts/store/contact-consents';
import { findContact } from '#contacts/store/contacts';
import { ApiProblem } from '#core/errors';
import type { JsonObject } from '#core/json';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { NoQuery } from '#http/schemas/parameters';
import { formatRfc3339 } from '#http/validation/rfc3339';

/** A change of mind a week for twenty years. */
const MAX_ENTRIES = 1_000;

const History = Type.Object(
  { data: Type.Array(ConsentEntryView, { description: 'Newest first, at most 1,000.' }) },
  { description: 'What a contact has consented to, and when.' },
);

export const listContactConsentsRoute = defineOperation({
  method: 'GET',
  path: '/v1/contacts/:id/consent/history',
  operationId: 'listContactConsents',
  summary: 'List the consent history of a contact',
  description:
    'Returns everything that the contact, and the contacts merged into it, have consented to or refused, newest first, each entry with its proof.',
  tag: 'Contacts',
  scope: 'contacts:read',
  params: ContactIdParams,
  query: NoQuery,
  answer: {
    status: 200,
    description: 'The entries.',
    schema: History,
    example: { data: [consentEntryExample] },
  },
  errors: ['not_found'],
  handle: ({ db }) => {
    return async (request) => {
      const { tenantId } = principalOf(request);
      const contact = await findContact(db, tenantId, request.params.id.toLowerCase());
      if (contact === null) throw new ApiProblem('not_found');
      const entries = await listConsents(db, tenantId, contact.contactId, MAX_ENTRIES);
      return { data: entries.map(presentEntry) };
    };
  },
});

function presentEntry(entry: ConsentEntry): JsonObject {
  return {
    id: entry.entryId,
    marketing: entry.marketing,
    source: entry.source,
    wording: entry.wording,
    message_id: entry.messageId,
    recorded_at: formatRfc3339(entry.recordedMs),
  };
}
