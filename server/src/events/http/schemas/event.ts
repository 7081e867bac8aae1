import Type from 'typebox';
import type { JsonObject } from '#core/json';
import { eventTypes } from '#events/domain/event';
import type { ErrorExample } from '#http/operation';
import { inboundExample } from '#http/schemas/examples';
import { choiceOf, named, nullableUuid, time, uuid, withExample } from '#http/schemas/fields';
import { DEFAULT_LIMIT, MAX_LIMIT } from '#http/schemas/lists';

/** Longer than proxies like to hold an answer back. */
export const MAX_EVENT_WAIT_S = 30;
const MAX_STREAM_S = 86_400;
const MAX_TYPES_CHARACTERS = 2_000;
const eventId = '0190a6f2-9a00-7d54-9b3a-000000000007';

export const EventView = Type.Object(
  {
    id: uuid('Identifier of the event. The same in the list, the stream and webhooks.'),
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
        has_more: Type.Boolean({ description: 'Whether more events are there already.' }),
        next_cursor: nullableUuid('What to ask for next as after. null: there was no event yet.'),
      },
      { description: 'Where this page stands.' },
    ),
  },
  { description: 'Events, oldest first.' },
);

export const EventIdParams = Type.Object({
  id: withExample(uuid('Identifier of the event.'), eventId),
});

const typesParameter = Type.Optional(
  withExample(
    Type.String({
      minLength: 1,
      maxLength: MAX_TYPES_CHARACTERS,
      description:
        'Only these types, comma separated. Default: all but audit.recorded, which must be named and takes the scope audit:read.',
    }),
    'message.received,message.failed',
  ),
);

export const FeedQuery = Type.Object(
  {
    after: Type.Optional(
      withExample(
        uuid('Only what comes after this event: next_cursor of the answer before. Default: all that is kept.'),
        eventId,
      ),
    ),
    types: typesParameter,
    limit: Type.Optional(
      withExample(
        Type.Integer({
          minimum: 1,
          maximum: MAX_LIMIT,
          default: DEFAULT_LIMIT,
          description: 'Most events in one answer.',
        }),
        100,
      ),
    ),
    wait: Type.Optional(
      withExample(
        Type.Integer({
          minimum: 0,
          maximum: MAX_EVENT_WAIT_S,
          default: 0,
          description: 'Seconds to wait for an event when there is none yet.',
        }),
        1,
      ),
    ),
  },
  { additionalProperties: false },
);

export const StreamQuery = Type.Object(
  {
    after: Type.Optional(
      withExample(
        uuid('Begin after this event, unless Last-Event-ID says otherwise. Default: with what happens from now on.'),
        eventId,
      ),
    ),
    types: typesParameter,
    for: Type.Optional(
      withExample(
        Type.Integer({
          minimum: 1,
          maximum: MAX_STREAM_S,
          description: 'Seconds after which the stream ends. Default: it goes on.',
        }),
        60,
      ),
    ),
  },
  { additionalProperties: false },
);

export const eventTypeName = choiceOf(eventTypes, named('EventType', 'Type of an event.'));

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

const unknownType = 'types names parcel.lost, which is not a type of event.';
const badAfter = 'after is not an event of this tenant.';

export const unknownTypeExample: ErrorExample = {
  name: 'unknownType',
  code: 'validation_failed',
  body: { error: unknownType, code: 'validation_failed', details: [{ path: 'query.types', message: unknownType }] },
};

export const notAnEventExample: ErrorExample = {
  name: 'notAnEvent',
  code: 'validation_failed',
  body: { error: badAfter, code: 'validation_failed', details: [{ path: 'query.after', message: badAfter }] },
};
