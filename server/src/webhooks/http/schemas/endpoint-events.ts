import Type from 'typebox';
import type { EventType } from '#events/domain/event';
import type { EventDescription } from '#http/schemas/events/description';
import { choiceOf, nullableTime, text, time, uuid } from '#http/schemas/fields';

const Disabled = Type.Object(
  {
    id: uuid('Identifier of the endpoint.'),
    url: text(2_000, 'Where events were posted.'),
    reason: choiceOf(['gone', 'failing'], 'gone: it answered 410; failing: no attempt succeeded for five days.'),
    failing_since: nullableTime('When the first attempt failed after the last that succeeded.'),
    disabled_at: time('When it was switched off.'),
  },
  { description: 'A webhook endpoint that gets nothing any more.' },
);

const Failing = Type.Object(
  {
    id: uuid('Identifier of the endpoint.'),
    url: text(2_000, 'Where events are posted.'),
    failing_since: time('When the first attempt failed after the last that succeeded.'),
    disabled_from: time('When it is switched off if nothing succeeds until then.'),
  },
  { description: 'A webhook endpoint that gets nothing at present.' },
);

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
