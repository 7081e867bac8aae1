import { createContact, updateContact } from '#contacts/actions/manage-contacts';
import type { ContactChange } from '#contacts/domain/contact-change';
import { contactJson } from '#contacts/domain/contact-json';
import { listContacts } from '#contacts/store/contact-lists';
import { findContact } from '#contacts/store/contacts';
import { listNetworkBlocks } from '#contacts/store/network-blocks';
import { parsePhone } from '#core/phone/phone';
import { givenOnly } from '#http/lists/filters';
import { defineOperation, type Operation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { getOperation, listOperation, updateOperation } from '#http/resource';
import { errorExample } from '#http/schemas/errors';
import { choiceOf, optional, queryOf, withExample } from '#http/schemas/fields';
import { problemOf } from '#http/validation/faults';
import { contactFilters, readContactFilter, withSegment } from './contact-filter.ts';
import { changedContact, contactDetailResource, contactResource } from './contact-resource.ts';
import { contactSearchOperations } from './contact-search.ts';
import { ChangeContact, type ContactBody, CreateContact, contactExampleId } from './schemas/contact.ts';

const contactExists = errorExample(
  'contactExists',
  'contact_exists',
  `The contact ${contactExampleId} already has this phone number, user ID or external ID.`,
);

const listContactsRoute = listOperation(contactResource, {
  summary: 'List and search contacts',
  description: 'Returns contacts, newest first. Filters are combined: a contact must match all of them.',
  query: contactFilters,
  filter: readContactFilter,
  read: async ({ rt, db }, { tenantId, window, filter: selection }) => {
    const filter = await withSegment(db, tenantId, selection);
    if (filter === null) return { items: [], hasMore: false };
    return listContacts(db, { tenantId, filter, nowMs: rt.clock.now() }, window);
  },
  idOf: ({ contactId }) => contactId,
});

const createContactRoute = defineOperation({
  method: 'POST',
  path: '/v1/contacts',
  operationId: 'createContact',
  summary: 'Create a contact',
  description:
    'Creates a contact. One person is one contact: variants of the same number (Brazil with and without the 9, Mexico 52 and 521, Argentina 54 and 549) belong to the same contact. A person who shows no number has the user ID of the network instead; one of the two is required. If the contact already exists, the response is a 409 that names it or, with on_conflict=update, the updated contact.',
  tag: 'Contacts',
  scope: 'contacts:write',
  query: queryOf(
    optional({
      on_conflict: withExample(
        choiceOf(['refuse', 'update'], 'What to do if the contact already exists. Default: refuse.'),
        'update',
      ),
    }),
  ),
  body: CreateContact,
  bodyExamples: {
    contact: {
      summary: 'A contact with a tag',
      value: { phone: '+44 7700 900123', name: 'Ada Obi', language: 'en', tags: ['VIP'] },
    },
    user: { summary: 'A person who shows no number', value: { user_id: 'US.13491208655302741918', name: 'Ada Obi' } },
  },
  takesIdempotencyKey: 'within',
  answer: { ...changedContact, status: 201, description: 'The contact was created.' },
  otherAnswers: [{ ...changedContact, description: 'The contact already existed and was updated.' }],
  errorExamples: [contactExists],
  handle: ({ rt }) => {
    return async (request, reply, once) => {
      const { tenantId } = principalOf(request);
      const asked = { tenantId, onConflict: request.query.on_conflict ?? 'refuse' };
      const fields = readContactBody(request.body);
      return once.change(
        (db) => createContact(rt, db, asked, fields),
        ({ contact, created }) => {
          reply.code(created ? 201 : 200);
          return contactJson(contact);
        },
      );
    };
  },
});

const getContactRoute = getOperation(contactDetailResource, {
  description:
    'Returns what is known about a contact, whether messages may be sent to it, and whether the network blocks it.',
  find: async ({ db }, tenantId, id) => {
    const contact = await findContact(db, tenantId, id);
    return contact && { contact, blocks: await listNetworkBlocks(db, tenantId, contact.contactId) };
  },
});

const updateContactRoute = updateOperation(contactResource, {
  description:
    'Updates the contact. Omitted fields stay unchanged; attributes are changed individually, tags are replaced as a whole.',
  body: ChangeContact,
  bodyExamples: {
    name: { summary: 'Change the name', value: { name: 'Ada Obi', language: 'en-GB' } },
    tags: { summary: 'Replace all tags', value: { tags: ['VIP', 'wholesale'] } },
  },
  failures: [contactExists],
  update: async ({ rt, db }, item, { body }) =>
    updateContact(rt, db, { ...item, contactId: item.id }, readContactBody(body)),
});

/** In the order of the documentation; it goes on with the erasure of a contact, which is a feature of its own. */
export const contactOperations: readonly Operation[] = [
  listContactsRoute,
  createContactRoute,
  ...contactSearchOperations,
  getContactRoute,
  updateContactRoute,
];

/** What a body says of a contact. @throws ApiProblem validation_failed for a number that cannot be one */
function readContactBody(body: ContactBody): ContactChange {
  const { name, external_id: externalId, language, attributes, tags } = body;
  return givenOnly({
    phone: readPhone(body.phone),
    userId: body.user_id,
    name,
    externalId,
    language,
    attributes,
    tags,
  });
}

function readPhone(written: string | undefined): string | undefined {
  if (written === undefined) return undefined;
  const parsed = parsePhone(written);
  if (!parsed.ok) throw problemOf([{ path: 'body.phone', message: `phone ${parsed.reason}.` }]);
  return parsed.phone;
}
