import { ApiProblem } from '#core/errors';
import { awaitFeed, placeAfter } from '#events/actions/event-feed';
import { wireEvent } from '#events/domain/wire-event';
import {
  EventPage,
  eventPageExample,
  FeedQuery,
  notAnEventExample,
  unknownTypeExample,
} from '#events/http/schemas/event';
import { defineOperation } from '#http/operation';
import { principalOf, requireStillAllowed } from '#http/plugins/auth';
import { queryErrorExamples } from '#http/schemas/examples';
import { DEFAULT_LIMIT } from '#http/schemas/lists';
import { inSlot } from '#http/slots/wait-slot';
import { typesFilter } from './types-filter.ts';

const TOO_MANY_WAITS = 'Too many requests are waiting: at most 50 of a key and 100 of a tenant. Ask without wait.';
const RETRY_LATER = { 'retry-after': '5' };

export const listEventsRoute = defineOperation({
  method: 'GET',
  path: '/v1/events',
  operationId: 'listEvents',
  summary: 'List events',
  description:
    "Returns the tenant's events, oldest first, in the order in which they took effect: no event ever appears before one that was already returned. To continue, set after to page.next_cursor; with wait, the response is sent as soon as there is an event. Events are kept for 30 days. Test keys and live keys see the same events.",
  tag: 'Events',
  scope: 'events:read',
  query: FeedQuery,
  answer: { status: 200, description: 'The events, if there are any.', schema: EventPage, example: eventPageExample },
  errors: ['events_expired'],
  errorExamples: [...queryErrorExamples, unknownTypeExample, notAnEventExample],
  handle: (context) => {
    const { rt, db, eventWatch, gate } = context;
    return async (request) => {
      const { tenantId } = principalOf(request);
      const { after, types, limit = DEFAULT_LIMIT, wait = 0 } = request.query;
      const wish = {
        types: typesFilter(request, types),
        limit,
        waitMs: wait * 1000,
        requireAllowed: () => requireStillAllowed(gate, request),
      };
      const place = await placeAfter(db, tenantId, after?.toLowerCase() ?? null);
      const read = () => awaitFeed({ rt, db, watch: eventWatch }, place, wish);
      const page = wait === 0 ? await read() : await inSlot(context, request, read);
      if (page === null) throw new ApiProblem('rate_limited', { sentence: TOO_MANY_WAITS, headers: RETRY_LATER });
      return {
        data: page.events.map(wireEvent),
        page: { limit, has_more: page.hasMore, next_cursor: page.place.cursor },
      };
    };
  },
});
