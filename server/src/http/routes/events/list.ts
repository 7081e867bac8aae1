import { wireEvent } from '#core/wire-event';
import { awaitFeed, placeAfter } from '#operations/event-feed';
import { defineOperation } from '../../operation.ts';
import { principalOf } from '../../plugins/auth.ts';
import { EventPage, eventPageExample, FeedQuery, notAnEventExample, unknownTypeExample } from '../../schemas/event.ts';
import { queryErrorExamples } from '../../schemas/examples.ts';
import { DEFAULT_LIMIT } from '../../schemas/lists.ts';
import { typesFilter } from './types-filter.ts';

export const listEvents = defineOperation({
  method: 'GET',
  path: '/v1/events',
  operationId: 'listEvents',
  summary: 'Read what happened',
  description:
    'Events of the tenant, oldest first, in the order in which they took effect: none ever appears before one that was shown. Ask again with after set to page.next_cursor; with wait the answer comes as soon as there is an event. Kept for 30 days. Test keys and live keys see the same.',
  tag: 'Events',
  scope: 'events:read',
  query: FeedQuery,
  answer: { status: 200, description: 'Events, or none.', schema: EventPage, example: eventPageExample },
  errors: ['events_expired'],
  errorExamples: [...queryErrorExamples, unknownTypeExample, notAnEventExample],
  handle: ({ rt, db, eventWatch }) => {
    return async (request) => {
      const { tenantId } = principalOf(request);
      const { after, types, limit = DEFAULT_LIMIT, wait = 0 } = request.query;
      const wish = { types: typesFilter(types), limit, waitMs: wait * 1000 };
      const place = await placeAfter(db, tenantId, after?.toLowerCase() ?? null);
      const page = await awaitFeed({ rt, db, watch: eventWatch }, place, wish);
      return {
        data: page.events.map(wireEvent),
        page: { limit, has_more: page.hasMore, next_cursor: page.place.cursor },
      };
    };
  },
});
