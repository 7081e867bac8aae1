import Type from 'typebox';
import { readContactCondition } from '#contacts/actions/contact-condition';
import { contactJson } from '#contacts/domain/contact-json';
import { ContactView, contactExample, SearchContacts } from '#contacts/http/schemas/contact';
import { listContacts } from '#contacts/store/contact-lists';
import { answerList } from '#http/lists/answer-list';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { pageExample, queryErrorExamples } from '#http/schemas/examples';
import { listOf, pageQuery } from '#http/schemas/lists';

const Query = Type.Object(pageQuery, { additionalProperties: false });

export const searchContactsRoute = defineOperation({
  method: 'POST',
  path: '/v1/contacts/search',
  operationId: 'searchContacts',
  summary: 'Search contacts by a condition',
  description:
    'Returns the contacts that match a condition, newest first. Segments and chatbot rules use the same conditions.',
  tag: 'Contacts',
  scope: 'contacts:read',
  query: Query,
  body: SearchContacts,
  bodyExamples: {
    tag: {
      summary: 'With a tag, and silent for 30 days',
      value: {
        when: {
          all: [
            { field: 'contact.tags', match: 'has', value: 'VIP' },
            { field: 'contact.last_inbound_at', match: 'lt', value: '-30d' },
          ],
        },
      },
    },
  },
  takesIdempotencyKey: true,
  answer: {
    status: 200,
    description: 'A page of contacts.',
    schema: listOf(ContactView, 'A page of contacts, newest first.'),
    example: pageExample(contactExample),
    headers: ['Idempotent-Replayed', 'Link'],
  },
  errors: [],
  errorExamples: queryErrorExamples,
  handle: ({ rt, db, cursorKey }) => {
    return async (request, reply) => {
      const { when } = request.body;
      const { tenantId } = principalOf(request);
      const condition = await readContactCondition(db, tenantId, { input: when, path: 'body.when' });
      const asked = { tenantId, filter: { condition }, nowMs: rt.clock.now() };
      return answerList(request, reply, {
        cursorKey,
        name: 'contacts_search',
        filter: { when: JSON.stringify(when) },
        read: (_tenantId, window) => listContacts(db, asked, window),
        idOf: (contact) => contact.contactId,
        present: contactJson,
      });
    };
  },
});
