import Type from 'typebox';
import type { JsonObject } from '#core/json';
import { eventTypes } from '#events/domain/event';
import { errorExample } from '#http/schemas/errors';
import { inboundExample } from '#http/schemas/examples';
import { choiceOf, named, nullableUuid, optional, time, uuid, withExample } from '#http/schemas/fields';
import { DEFAULT_LIMIT, MAX_LIMIT } from '#http/schemas/lists';

/** Longer than proxies like to hold an answer back. */
const MAX_EVENT_WAIT_S = 30;
const MAX_STREAM_S = 86_400;
const MAX_TYPES_CHARACTERS = 2_000;
const eventId = '0190a6f2-9a00-7d54-9b3a-000000000007';

export const EventView = Type.Object(
  {
    id: uuid('ID of the event, the same in the list, the stream and webhooks.'),
    sequence: Type.Integer({
      minimum: 1,
      description: "Counts a tenant's events from 1, without gaps, in the order in which they took effect.",
    }),
    type: choiceOf(eventTypes, named('EventType', 'What happened; the page of events lists all types.')),
    api_version: Type.String({ description: 'Version of the envelope.' }),
    timestamp: time('When it was recorded.'),
    data: Type.Unsafe<object>({ type: 'object', additionalProperties: true, description: 'What it tells, by type.' }),
  },
  named('Event', 'Something that happened.'),
);

export const EventPage = Type.Object(
  {
    data: Type.Array(EventView),
    page: Type.Object(
      {
        limit: Type.Integer({ description: 'The limit that was used.' }),
        has_more: Type.Boolean({ description: 'Whether more events are available.' }),
        next_cursor: nullableUuid('Value for after in the next request. Null if there are no events yet.'),
      },
      { description: 'Position of this page.' },
    ),
  },
  { description: 'Events, oldest first.' },
);

export const EventIdParams = Type.Object({ id: withExample(uuid('ID of the event.'), eventId) });

const typesParameter = withExample(
  Type.String({
    minLength: 1,
    maxLength: MAX_TYPES_CHARACTERS,
    description:
      'Only these types, separated by commas. Default: all but audit.recorded, which must be named and requires the scope audit:read.',
  }),
  'message.received,message.failed',
);

export const FeedQuery = Type.Object(
  optional({
    after: withExample(
      uuid('Only events after this one: next_cursor of the previous response. Default: all stored events.'),
      eventId,
    ),
    types: typesParameter,
    limit: withExample(
      Type.Integer({
        minimum: 1,
        maximum: MAX_LIMIT,
        default: DEFAULT_LIMIT,
        description: 'Maximum number of events to return.',
      }),
      100,
    ),
    wait: withExample(
      Type.Integer({
        minimum: 0,
        maximum: MAX_EVENT_WAIT_S,
        default: 0,
        description: 'Seconds to wait for an event if there is none yet.',
      }),
      1,
    ),
  }),
  { additionalProperties: false },
);

export const StreamQuery = Type.Object(
  optional({
    after: withExample(
      uuid('Start after this event, unless Last-Event-ID is sent. By default, only new events are streamed.'),
      eventId,
    ),
    types: typesParameter,
    signals: withExample(
      Type.Boolean({
        description: 'true: also stream who looks at and who writes in conversations, and new notifications.',
      }),
      true,
    ),
    for: withExample(
      Type.Integer({
        minimum: 1,
        maximum: MAX_STREAM_S,
        description: 'Closes the stream after this many seconds. By default, it stays open.',
      }),
      60,
    ),
  }),
  { additionalProperties: false },
);

export const eventTypeName = choiceOf(eventTypes, named('EventType', 'Type of event.'));

export const eventExample: JsonObject = {
  id: eventId,
  sequence: 7,
  type: 'message.received',
  api_version: '1.0.0',
  timestamp: '2030-01-01T09:05:00.480Z',
  data: inboundExample,
};

export const eventPageExample: JsonObject = {
  data: [eventExample],
  page: { limit: 50, has_more: false, next_cursor: eventId },
};

export const unknownTypeExample = errorExample(
  'unknownType',
  'validation_failed',
  'types contains parcel.lost, which is not an event type.',
  'query.types',
);

export const notAnEventExample = errorExample(
  'notAnEvent',
  'validation_failed',
  'after is not an event of this tenant.',
  'query.after',
);
