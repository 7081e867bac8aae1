import Type from 'typebox';
import { MESSAGE_MEASURES, type MessageMeasure } from '#events/domain/message-sums';
import { named, nullableTime, time } from '#http/schemas/fields';
import { conversationPointFields } from './conversation-analytics.ts';

const MEANINGS: Readonly<Record<MessageMeasure, string>> = {
  accepted: 'Outbound messages that were accepted in this time.',
  sent: 'Those of them that the network took, by now.',
  delivered: 'Those that reached the device of their recipient, by now.',
  read: 'Those that were read, by now.',
  failed: 'Those that failed, by now.',
  replied: 'Those that their recipient answered: by quoting them, or with the next message within three days.',
  received: 'Inbound messages that came in this time.',
};

function count(measure: MessageMeasure) {
  return Type.Integer({ description: MEANINGS[measure] });
}

const countFields = {
  accepted: count('accepted'),
  sent: count('sent'),
  delivered: count('delivered'),
  read: count('read'),
  failed: count('failed'),
  replied: count('replied'),
  received: count('received'),
};

/** In a series of conversations: null when it is narrowed down to what no message has. */
const pointFields = Object.fromEntries(
  MESSAGE_MEASURES.map((measure) => [
    measure,
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: `${MEANINGS[measure]} Null in a report of one agent, team, tag or handler.`,
    }),
  ]),
);

export const CountsObject = Type.Object(
  countFields,
  named('MessageCounts', 'Messages. Outbound ones count where they were accepted, whatever happened to them later.'),
);

/** What every report says of itself. */
export const reportFields = {
  from: time('Where the report begins, widened to a whole quarter of an hour.'),
  to: time('Where it ends, itself not included.'),
  timezone: Type.String({ description: 'The time zone of its dates and steps.' }),
  as_of: nullableTime('When the newest event was recorded that is counted; null when nothing was counted yet.'),
  complete: Type.Boolean({
    description: 'Whether everything that happened until now is counted: as a rule within a second.',
  }),
};

export const reportExample = {
  from: '2030-01-01T00:00:00.000Z',
  to: '2030-02-01T00:00:00.000Z',
  timezone: 'UTC',
  as_of: null,
  complete: true,
};

export const noCountsExample = Object.fromEntries(MESSAGE_MEASURES.map((measure) => [measure, 0]));

export const PointObject = Type.Object(
  {
    start: time('Where the step begins; the first one may begin before the report does.'),
    ...pointFields,
    ...conversationPointFields,
  },
  named('TimeseriesPoint', 'One step of a series.'),
);

const rate = (description: string) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], minimum: 0, maximum: 1, description });

export const FunnelRow = Type.Object(
  {
    key: Type.String({ description: 'The template, campaign, number, type or category.' }),
    accepted: count('accepted'),
    sent: count('sent'),
    delivered: count('delivered'),
    read: count('read'),
    replied: count('replied'),
    failed: count('failed'),
    delivered_rate: rate('Delivered of sent.'),
    read_rate: rate('Read of delivered.'),
    replied_rate: rate('Replied of delivered.'),
  },
  named('FunnelRow', 'How far the messages of one key came.'),
);

export const ErrorRow = Type.Object(
  {
    code: Type.String({ description: 'The code that `delivery.error` carries.' }),
    failed: count('failed'),
    share: rate('Of all failures of this time.'),
  },
  named('ErrorCount', 'Failures of one code.'),
);

export const HeatmapRow = Type.Object(
  {
    weekday: Type.Integer({ minimum: 1, maximum: 7, description: '1 is Monday.' }),
    hour: Type.Integer({ minimum: 0, maximum: 23, description: "Hour of the time zone's clocks." }),
    accepted: count('accepted'),
    received: count('received'),
  },
  named('HeatmapRow', 'Messages of one hour of the week. Hours without any are left out.'),
);
