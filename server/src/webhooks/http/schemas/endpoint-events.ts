import type { EventType } from '#events/domain/event';
import type { EventDescription } from '#http/schemas/events/description';
import { choiceOf, nullableTime, text, time, uuid, viewOf } from '#http/schemas/fields';

const Disabled = viewOf('A webhook endpoint that was disabled.', {
  id: uuid('ID of the endpoint.'),
  url: text(2_000, 'URL that events were posted to.'),
  reason: choiceOf(['gone', 'failing'], 'gone: it returned 410. failing: no attempt succeeded for five days.'),
  failing_since: nullableTime('Time of the first failed attempt since the last success.'),
  disabled_at: time('When it was disabled.'),
});

const Failing = viewOf('A webhook endpoint that is failing.', {
  id: uuid('ID of the endpoint.'),
  url: text(2_000, 'URL that events are posted to.'),
  failing_since: time('Time of the first failed attempt since the last success.'),
  disabled_from: time('When it is disabled if no attempt succeeds before.'),
});

/** What events of webhook endpoints carry. */
export const endpointEvents: Partial<Record<EventType, EventDescription>> = {
  'endpoint.failing': {
    data: Failing,
    example: {
      id: '0190a6f5-1111-7222-8333-444455556666',
      url: 'https://shop.example/hooks/postrider',
      failing_since: '2030-01-01T09:00:00.000Z',
      disabled_from: '2030-01-06T09:00:00.000Z',
    },
  },
  'endpoint.disabled': {
    data: Disabled,
    example: {
      id: '0190a6f5-1111-7222-8333-444455556666',
      url: 'https://shop.example/hooks/postrider',
      reason: 'failing',
      failing_since: '2030-01-01T09:00:00.000Z',
      disabled_at: '2030-01-06T09:00:00.000Z',
    },
  },
};
