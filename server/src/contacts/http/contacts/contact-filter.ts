import Type, { type Static } from 'typebox';
import { contactStatuses, marketingStates } from '#contacts/http/schemas/contact';
import { segmentExampleId } from '#contacts/http/schemas/segment';
import type { ContactFilter } from '#contacts/store/contact-lists';
import { givenOnly, optionalTimeMs, phoneFilter } from '#http/lists/filters';
import { choiceOf, named, text, time, uuid, withExample } from '#http/schemas/fields';

const moment = '2030-01-01T09:00:00Z';
const MAX_QUERY = 200;

/** What narrows a list of contacts down. */
export const contactFilters = {
  phone: Type.Optional(withExample(text(40, 'The contact with this number, in any spelling.'), '447700900123')),
  tag: Type.Optional(withExample(text(100, 'Only contacts with this tag.'), 'VIP')),
  q: Type.Optional(
    withExample(text(MAX_QUERY, 'Beginnings of words of the name, or of the number; accents do not matter.'), 'ada'),
  ),
  status: Type.Optional(
    withExample(choiceOf(contactStatuses, named('ContactStatus', 'Only contacts in this status.')), 'active'),
  ),
  consent: Type.Optional(
    withExample(
      choiceOf(marketingStates, named('MarketingConsent', 'Only with this consent to marketing.')),
      'granted',
    ),
  ),
  external_id: Type.Optional(withExample(text(200, 'The contact with this external id.'), 'crm-42')),
  segment_id: Type.Optional(withExample(uuid('Only contacts of this segment.'), segmentExampleId)),
  created_after: Type.Optional(withExample(time('Only contacts made then or later.'), moment)),
  created_before: Type.Optional(withExample(time('Only contacts made before.'), moment)),
  updated_since: Type.Optional(withExample(time('Only contacts changed then or later.'), moment)),
};

const Filters = Type.Object(contactFilters);

/** The filter without its segment, which has to be looked up. @throws ApiProblem validation_failed */
export function readContactFilter(query: Static<typeof Filters>): Omit<ContactFilter, 'condition'> {
  return givenOnly({
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
}
