import Type from 'typebox';
import { contactJson } from '#core/contact-json';
import { segmentCondition } from '#operations/manage-segments';
import { listContacts } from '#storage/contact-lists';
import { answerList } from '../../lists/answer-list.ts';
import { givenOnly } from '../../lists/filters.ts';
import { defineOperation } from '../../operation.ts';
import { ContactView, contactExample } from '../../schemas/contact.ts';
import { pageExample, queryErrorExamples } from '../../schemas/examples.ts';
import { listOf, pageQuery } from '../../schemas/lists.ts';
import { contactFilters, readContactFilter } from './contact-filter.ts';

const Query = Type.Object({ ...pageQuery, ...contactFilters }, { additionalProperties: false });

export const listContactsRoute = defineOperation({
  method: 'GET',
  path: '/v1/contacts',
  operationId: 'listContacts',
  summary: 'List and search contacts',
  description: 'Returns contacts, newest first. Filters are combined: a contact must match all of them.',
  tag: 'Contacts',
  scope: 'contacts:read',
  query: Query,
  answer: {
    status: 200,
    description: 'A page of contacts.',
    schema: listOf(ContactView, 'A page of contacts, newest first.'),
    example: pageExample(contactExample),
    headers: ['Link'],
  },
  errors: [],
  errorExamples: queryErrorExamples,
  handle: ({ rt, db, cursorKey }) => {
    return (request, reply) => {
      const { query } = request;
      const filter = readContactFilter(query);
      const segmentId = query.segment_id?.toLowerCase();
      return answerList(request, reply, {
        cursorKey,
        name: 'contacts',
        filter: { ...filter, ...givenOnly({ segmentId }) },
        read: async (tenantId, window) => {
          const condition = segmentId === undefined ? undefined : await segmentCondition(db, tenantId, segmentId);
          if (condition === null) return NOBODY;
          const asked = { tenantId, filter: { ...filter, ...givenOnly({ condition }) }, nowMs: rt.clock.now() };
          return listContacts(db, asked, window);
        },
        idOf: (contact) => contact.contactId,
        present: contactJson,
      });
    };
  },
});

/** A segment that there is not, or that is another tenant's, has no contacts. */
const NOBODY = { items: [], hasMore: false } as const;
