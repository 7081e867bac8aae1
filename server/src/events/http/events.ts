import { ApiProblem } from '#core/errors';
import { awaitFeed, getEvent, placeAfter } from '#events/actions/event-feed';
import { AUDIT_RECORDED, wireEvent } from '#events/domain/event';
import { defineOperation, type Operation } from '#http/operation';
import { principalOf, requireStillAllowed } from '#http/plugins/auth';
import { DEFAULT_LIMIT } from '#http/schemas/lists';
import { inSlot } from '#http/slots/wait-slot';
import {
  EventIdParams,
  EventPage,
  EventView,
  eventExample,
  eventPageExample,
  FeedQuery,
  notAnEventExample,
  unknownTypeExample,
} from './schemas/event.ts';
import { streamEventsRoute } from './stream.ts';
import { requireAuditRead, typesFilter } from './types-filter.ts';

const TOO_MANY_WAITS =
  'Too many requests are waiting: at most 50 per key and 100 per tenant. Send the request without wait.';

const listEventsRoute = defineOperation({
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
  errorExamples: [unknownTypeExample, notAnEventExample],
  handle: (context) => {
    const { rt, db, eventWatch, gate } = context;
    return async (request) => {
      const { tenantId } = principalOf(request);
      const { after, types, limit = DEFAULT_LIMIT, wait = 0 } = request.query;
      const wanted = {
        types: typesFilter(request, types),
        limit,
        waitMs: wait * 1000,
        requireAllowed: () => requireStillAllowed(gate, request),
      };
      const place = await placeAfter(db, tenantId, after?.toLowerCase() ?? null);
      const read = () => awaitFeed({ rt, db, watch: eventWatch }, place, wanted);
      const page = wait === 0 ? await read() : await inSlot(context, request, read);
      if (page === null) {
        throw new ApiProblem('rate_limited', { sentence: TOO_MANY_WAITS, headers: { 'retry-after': '5' } });
      }
      return {
        data: page.events.map(wireEvent),
        page: { limit, has_more: page.hasMore, next_cursor: page.place.cursor },
      };
    };
  },
});

const getEventRoute = defineOperation({
  method: 'GET',
  path: '/v1/events/:id',
  operationId: 'getEvent',
  summary: 'Get an event',
  description: 'Returns a single event, for example to see again what a webhook carried. Events are kept for 30 days.',
  tag: 'Events',
  scope: 'events:read',
  params: EventIdParams,
  answer: { status: 200, description: 'The event.', schema: EventView, example: eventExample },
  errors: ['not_found', 'events_expired'],
  handle: ({ db }) => {
    return async (request) => {
      const event = await getEvent(db, principalOf(request).tenantId, request.params.id.toLowerCase());
      if (event.type === AUDIT_RECORDED) requireAuditRead(request);
      return wireEvent(event);
    };
  },
});

/** In the order of the documentation. */
export const eventOperations: readonly Operation[] = [listEventsRoute, streamEventsRoute, getEventRoute];
