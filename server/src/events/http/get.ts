import { getEvent } from '#events/actions/event-feed';
import { AUDIT_RECORDED } from '#events/domain/event';
import { wireEvent } from '#events/domain/wire-event';
import { EventIdParams, EventView, eventExample } from '#events/http/schemas/event';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { requireAuditRead } from './types-filter.ts';

export const getEventRoute = defineOperation({
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
