import Type from 'typebox';
import { contactRequest, contactResource } from '#contacts/http/contact-resource';
import { contactExampleId } from '#contacts/http/schemas/contact';
import type { ErasureItem } from '#core/erasure';
import type { JsonObject } from '#core/json';
import { deleteContact } from '#erasure/actions/delete-contact';
import { defineOperation } from '#http/operation';
import { ifMatchHeader } from '#http/plugins/if-match';
import { staleExample } from '#http/schemas/errors';
import { choiceOf, nullableTime, uuid } from '#http/schemas/fields';
import { timeOrNull } from '#http/validation/rfc3339';

const exampleErasure: JsonObject[] = [
  { what: 'messages', outcome: 'erased', until: null, why: 'Both directions. IDs, times and price are kept.' },
  { what: 'callbacks', outcome: 'kept', until: '2030-01-08T09:00:00.000Z', why: 'Raw callbacks from the network.' },
];

const Erasure = Type.Array(
  Type.Object({
    what: Type.String({ description: 'A kind of data, such as messages or callbacks.' }),
    outcome: choiceOf(['erased', 'pending', 'kept'], 'pending: being erased in the background.'),
    until: nullableTime('Latest time of erasure. Null if it is erased, or has no such time.'),
    why: Type.String({ description: 'What the data is, and why any of it is kept.' }),
  }),
  { description: 'Every place that can identify a person, and what happened to the data there.' },
);

const Deleted = Type.Object(
  {
    id: uuid('ID of the deleted contact.'),
    status: choiceOf(['deleted'], 'The contact is erased.'),
    erasure: Erasure,
  },
  { description: 'The contact was erased.' },
);

export const deleteContactRoute = defineOperation({
  method: 'DELETE',
  path: '/v1/contacts/:id',
  operationId: 'deleteContact',
  summary: 'Erase a contact',
  description:
    'Erases the identity of the contact, everything it can be found by, and the content of messages to and from it. Messages keep their IDs and are still counted; waiting messages are canceled. A number that was blocked or opted out stays blocked or opted out. The response lists what is kept, until when, and why.',
  tag: 'Contacts',
  scope: 'contacts:write',
  recentSignIn: true,
  permission: 'contacts:manage',
  params: contactResource.params,
  requestHeaders: [ifMatchHeader],
  answer: {
    status: 200,
    description: 'The contact was erased.',
    schema: Deleted,
    example: { id: contactExampleId, status: 'deleted', erasure: exampleErasure },
  },
  errors: ['not_found'],
  errorExamples: [staleExample('contact')],
  handle: ({ rt, db }) => {
    return async (request) => {
      const asked = contactRequest(request);
      const items = await deleteContact(rt, db, asked);
      return { id: asked.contactId, status: 'deleted', erasure: items.map(presentItem) };
    };
  },
});

function presentItem({ what, outcome, untilMs, why }: ErasureItem): JsonObject {
  return { what, outcome, until: timeOrNull(untilMs), why };
}
