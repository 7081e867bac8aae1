import Type, { type Static } from 'typebox';
import { segmentCondition } from '#contacts/actions/manage-segments';
import type { ContactFilter } from '#contacts/store/contact-lists';
import type { TenantId } from '#core/ids';
import { MAX_RECIPIENT_INPUT } from '#core/phone/recipient';
import type { Database } from '#database/database';
import { givenOnly, optionalTimeMs, phoneFilter } from '#http/lists/filters';
import { choiceOf, named, optional, text, time, uuid, withExample } from '#http/schemas/fields';
import { contactStatuses, marketingStates } from './schemas/contact.ts';
import { segmentExampleId } from './segments.ts';

const moment = '2030-01-01T09:00:00Z';
const MAX_QUERY = 200;

/** What narrows a list of contacts down. */
export const contactFilters = optional({
  phone: withExample(text(40, 'The contact with this number, in any spelling.'), '447700900123'),
  user_id: withExample(
    text(MAX_RECIPIENT_INPUT, 'The contact with this user ID of the network.'),
    'US.13491208655302741918',
  ),
  tag: withExample(text(100, 'Only contacts with this tag.'), 'VIP'),
  q: withExample(text(MAX_QUERY, 'Start of a word of the name, or of the number; accents are ignored.'), 'ada'),
  status: withExample(choiceOf(contactStatuses, named('ContactStatus', 'Only contacts with this status.')), 'active'),
  consent: withExample(
    choiceOf(marketingStates, named('MarketingConsent', 'Only contacts with this marketing consent.')),
    'granted',
  ),
  external_id: withExample(text(200, 'The contact with this external ID.'), 'crm-42'),
  segment_id: withExample(uuid('Only contacts in this segment.'), segmentExampleId),
  created_after: withExample(time('Only contacts created at or after this time.'), moment),
  created_before: withExample(time('Only contacts created before this time.'), moment),
  updated_since: withExample(time('Only contacts changed at or after this time.'), moment),
});

const Filters = Type.Object(contactFilters);

/** What a query asks for: the segment is still to be looked up. */
type ContactSelection = Omit<ContactFilter, 'condition'> & { readonly segmentId?: string };

/** @throws ApiProblem validation_failed */
export function readContactFilter(query: Static<typeof Filters>): ContactSelection {
  return givenOnly({
    phone: phoneFilter('phone', query.phone),
    userId: query.user_id,
    tag: query.tag,
    q: query.q,
    status: query.status,
    consent: query.consent,
    externalId: query.external_id,
    segmentId: query.segment_id?.toLowerCase(),
    createdAfterMs: optionalTimeMs(query.created_after),
    createdBeforeMs: optionalTimeMs(query.created_before),
    updatedSinceMs: optionalTimeMs(query.updated_since),
  });
}

/** The same with the condition of the segment. @returns null when no contact can match: the tenant has no such segment */
export async function withSegment(
  db: Database,
  tenantId: TenantId,
  { segmentId, ...filter }: ContactSelection,
): Promise<ContactFilter | null> {
  if (segmentId === undefined) return filter;
  const condition = await segmentCondition(db, tenantId, segmentId);
  return condition === null ? null : { ...filter, condition };
}
