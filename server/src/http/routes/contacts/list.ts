import Type from 'typebox';
import { contactJson } from '#core/contact-json';
import { segmentCondition } from '#operations/manage-segments';
import { listContacts } from '#storage/contact-lists';
import { answerList } from '../../lists/answer-list.ts';
import { givenOnly, optionalTimeMs, phoneFilter } from '../../lists/filters.ts';
import { defineOperation } from '../../operation.ts';
import { ContactView, contactExample, contactStatuses, marketingStates } from '../../schemas/contact.ts';
import { pageExample, queryErrorExamples } from '../../schemas/examples.ts';
import { choiceOf, text, time, uuid, withExample } from '../../schemas/fields.ts';
import { listOf, pageQuery } from '../../schemas/lists.ts';
import { segmentExampleId } from '../../schemas/segment.ts';

const moment = '2030-01-01T09:00:00Z';
const MAX_QUERY = 200;

const Query = Type.Object(
  {
    ...pageQuery,
    phone: Type.Optional(withExample(text(40, 'The contact with this number, in any spelling.'), '447700900123')),
    tag: Type.Optional(withExample(text(100, 'Only contacts with this tag.'), 'VIP')),
    q: Type.Optional(
      withExample(text(MAX_QUERY, 'Beginnings of words of the name, or of the number; accents do not matter.'), 'ada'),
    ),
    status: Type.Optional(withExample(choiceOf(contactStatuses, 'Only contacts in this status.'), 'active')),
    consent: Type.Optional(withExample(choiceOf(marketingStates, 'Only with this consent to marketing.'), 'granted')),
    external_id: Type.Optional(withExample(text(200, 'The contact with this external id.'), 'crm-42')),
    segment_id: Type.Optional(withExample(uuid('Only contacts of this segment.'), segmentExampleId)),
    created_after: Type.Optional(withExample(time('Only contacts made then or later.'), moment)),
    created_before: Type.Optional(withExample(time('Only contacts made before.'), moment)),
    updated_since: Type.Optional(withExample(time('Only contacts changed then or later.'), moment)),
  },
  { additionalProperties: false },
);

export const listContactsRoute = defineOperation({
  method: 'GET',
  path: '/v1/contacts',
  operationId: 'listContacts',
  summary: 'List and search contacts',
  description: 'Newest first. Filters narrow down together.',
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
      const filter = givenOnly({
        phone: phoneFilter('phone', query.phone),
        tag: query.tag,
        q: query.q,
        status: query.status,
        consent: query.consent,
        externalId: query.external_id,
        createdAfterMs: optionalTimeMs(query.created_after),
        createdBeforeMs: optionalTimeMs(query.created_before),
        updatedSinceMs: optionalTimeMs(query.updated_since),
      });
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
