import Type from 'typebox';
import { segmentCondition } from '#contacts/actions/manage-segments';
import { contactJson } from '#contacts/domain/contact-json';
import { ContactView, contactExample } from '#contacts/http/schemas/contact';
import { listContacts } from '#contacts/store/contact-lists';
import { answerList } from '#http/lists/answer-list';
import { givenOnly } from '#http/lists/filters';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation } from '#http/operation';
import { queryErrorExamples } from '#http/schemas/examples';
import { pageQuery } from '#http/schemas/lists';
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
  answer: pageAnswer('contacts', ContactView, contactExample),
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
