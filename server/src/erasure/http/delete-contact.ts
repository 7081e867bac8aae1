import Type from 'typebox';
import { contactRequest } from '#contacts/http/contacts/read-contact';
import { ContactIdParams, contactExampleId, staleContactExample } from '#contacts/http/schemas/contact';
import type { ErasureItem } from '#core/erasure';
import type { JsonObject } from '#core/json';
import { deleteContact } from '#erasure/actions/delete-contact';
import { defineOperation } from '#http/operation';
import { originOf } from '#http/plugins/auth';
import { ifMatchHeader } from '#http/plugins/if-match';
import { choiceOf, nullableTime, uuid } from '#http/schemas/fields';
import { formatRfc3339 } from '#http/validation/rfc3339';

const exampleErasure: JsonObject[] = [
  { what: 'messages', outcome: 'erased', until: null, why: 'Both directions. Ids, times and price stay.' },
  { what: 'callbacks', outcome: 'kept', until: '2030-01-08T09:00:00.000Z', why: 'What the network posted, as bytes.' },
];

const Erasure = Type.Array(
  Type.Object({
    what: Type.String({ description: 'A kind of data, such as messages or callbacks.' }),
    outcome: choiceOf(['erased', 'pending', 'kept'], 'pending: it is erased in the background.'),
    until: nullableTime('When it is gone at the latest; null: it is erased, or has no such time.'),
    why: Type.String({ description: 'What exactly it is, and why something is kept.' }),
  }),
  { description: 'Every place that can name a person, and what happened to the data there.' },
);

const Deleted = Type.Object(
  {
    id: uuid('Identifier of the contact that is gone.'),
    status: choiceOf(['deleted'], 'It is erased.'),
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
    'Erases the identity of the contact, what it can be found by, what it wrote and what was sent to it. Messages keep their ids and are still counted; waiting messages are canceled. A number that was blocked or opted out stays blocked or opted out. The response lists what is kept, until when, and why.',
  tag: 'Contacts',
  scope: 'contacts:write',
  permission: 'contacts:manage',
  params: ContactIdParams,
  requestHeaders: [ifMatchHeader],
  answer: {
    status: 200,
    description: 'The contact was erased.',
    schema: Deleted,
    example: { id: contactExampleId, status: 'deleted', erasure: exampleErasure },
  },
  errors: ['not_found', 'precondition_failed'],
  errorExamples: [staleContactExample],
  handle: ({ rt, db }) => {
    return async (request) => {
      const asked = contactRequest(request);
      const items = await deleteContact(rt, db, { ...asked, origin: originOf(request) });
      return { id: asked.contactId, status: 'deleted', erasure: items.map(presentItem) };
    };
  },
});

function presentItem({ what, outcome, untilMs, why }: ErasureItem): JsonObject {
  return { what, outcome, until: untilMs === null ? null : formatRfc3339(untilMs), why };
}
