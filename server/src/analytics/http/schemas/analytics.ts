import Type from 'typebox';
import { MESSAGE_MEASURES, type MessageMeasure } from '#events/domain/message-sums';
import { named, nullableInteger, nullableTime, time, viewOf } from '#http/schemas/fields';
import { conversationPointFields, measureFields } from './conversation-analytics.ts';

const MEANINGS: Readonly<Record<MessageMeasure, string>> = {
  accepted: 'Outbound messages accepted in the period.',
  sent: 'Accepted messages sent so far.',
  delivered: 'Accepted messages delivered so far.',
  read: 'Accepted messages read so far.',
  failed: 'Accepted messages that failed so far.',
  replied: 'Accepted messages answered so far, by a quoted reply or by the next message within three days.',
  received: 'Inbound messages received in the period.',
};

const countFields = measureFields(MEANINGS, (description) => Type.Integer({ description }));

/** In a series of conversations: null when it is narrowed down to what no message has. */
const pointFields = measureFields(MEANINGS, (description) => nullableInteger(description));

export const CountsObject = Type.Object(
  countFields,
  named('MessageCounts', 'Messages. Outbound ones count where they were accepted, whatever happened to them later.'),
);

/** What every report says of itself. */
export const reportFields = {
  from: time(named('ReportStart', 'Start of the report, extended to a full quarter-hour.')),
  to: time(named('ReportEnd', 'End of the report, exclusive.')),
  timezone: Type.String(named('ReportTimezone', 'Time zone of the report.')),
  as_of: nullableTime(named('CountedUntil', 'Time of the newest counted event. Null if nothing was counted yet.')),
  complete: Type.Boolean({
    ...named('ReportIsComplete', 'Whether all events until now are counted; usually within a second.'),
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

export const PointObject = viewOf(
  named(
    'TimeseriesPoint',
    'One step of a series. Message figures are null in reports of one agent, team, tag or handler; conversation figures, in reports of one type, template or campaign.',
  ),
  {
    start: time('Start of the step. The first step may start before the report.'),
    ...pointFields,
    ...conversationPointFields,
  },
);

const rate = (description: string) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], minimum: 0, maximum: 1, description });

export const FunnelRow = viewOf(named('FunnelRow', 'Progress of the messages of one key.'), {
  key: Type.String({ description: 'The template, campaign, number, type or category.' }),
  accepted: countFields.accepted,
  sent: countFields.sent,
  delivered: countFields.delivered,
  read: countFields.read,
  replied: countFields.replied,
  failed: countFields.failed,
  delivered_rate: rate('Delivered as a share of sent.'),
  read_rate: rate('Read as a share of delivered.'),
  replied_rate: rate('Replied as a share of delivered.'),
});

export const ErrorRow = viewOf(named('ErrorCount', 'Failures of one code.'), {
  code: Type.String({ description: 'The code in `delivery.error`.' }),
  failed: countFields.failed,
  share: rate('Share of all failures in the period.'),
});

export const HeatmapRow = viewOf(
  named('HeatmapRow', 'Messages in one hour of the week. Hours without messages are omitted.'),
  {
    weekday: Type.Integer({ minimum: 1, maximum: 7, description: 'Weekday; 1 is Monday.' }),
    hour: Type.Integer({ minimum: 0, maximum: 23, description: 'Hour in the time zone.' }),
    accepted: countFields.accepted,
    received: countFields.received,
  },
);
