import Type, { type Static, type TInteger } from 'typebox';
import type { JsonObject } from '#core/json';
import { byKind, type RetentionKind } from '#core/retention';
import { changeOf, named, nullableInteger, viewOf } from '#http/schemas/fields';

/** Longer than the service can run: what an installation keeps is the limit that counts. */
const MAX_DAYS = 36_500;

const meanings: Readonly<Record<RetentionKind, string>> = {
  messages: 'messages of both directions, with what they say and what became of them',
  received_media: 'files of customers; counts for files that arrive from now on',
  uploads: 'files that you upload; counts for files that you upload from now on',
  events: 'events, for the feed, the stream and redelivery',
  webhook_deliveries: 'webhook deliveries with what your endpoints answered',
  rule_decisions: 'what chatbot rules saw and decided',
};

type DayFields<T> = Readonly<Record<`${RetentionKind}_days`, T>>;

function dayFields<T>(fieldOf: (kind: RetentionKind) => T): DayFields<T> {
  const values = Object.entries(byKind(fieldOf)).map(([kind, value]) => [`${kind}_days`, value]);
  return Object.fromEntries(values) as DayFields<T>;
}

const chosen = dayFields((kind) =>
  nullableInteger(`Days that you keep ${meanings[kind]}. Null: as long as the installation.`, {
    minimum: 1,
    maximum: MAX_DAYS,
  }),
);
const kept = dayFields((kind) => nullableInteger(`Days: ${meanings[kind]}. Null: without end.`));
const least = dayFields((kind): TInteger => Type.Integer({ description: `Days: ${meanings[kind]}.` }));

export const RetentionView = viewOf(named('Retention', 'How long data of the tenant is kept.'), {
  ...chosen,
  effective: viewOf(named('RetentionDays', 'What holds now.'), kept),
  shortest: viewOf(named('ShortestRetention', 'The fewest days that you can choose.'), least),
  longest: viewOf(
    named('LongestRetention', 'What the installation keeps, which is the most that you can choose.'),
    kept,
  ),
});

export const ChangeRetention = changeOf(chosen, 'Omitted kinds stay unchanged.');
export type ChangeRetentionBody = Static<typeof ChangeRetention>;

/** Fields of an answer or a body, by kind. */
export function dayJson(days: Readonly<Partial<Record<RetentionKind, number | null>>>): JsonObject {
  return { ...dayFields((kind) => days[kind] ?? null) };
}

export const retentionExample: JsonObject = {
  ...dayJson({ messages: 365, received_media: 30, events: 7 }),
  effective: dayJson({
    messages: 365,
    received_media: 30,
    uploads: 90,
    events: 7,
    webhook_deliveries: 30,
    rule_decisions: 90,
  }),
  shortest: dayJson({
    messages: 31,
    received_media: 1,
    uploads: 31,
    events: 1,
    webhook_deliveries: 1,
    rule_decisions: 1,
  }),
  longest: dayJson({ received_media: 90, uploads: 90, events: 30, webhook_deliveries: 30, rule_decisions: 90 }),
};
