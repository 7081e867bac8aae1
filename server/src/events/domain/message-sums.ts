import type { MessageId } from '#core/ids';
import { idMadeMs } from '#core/ids';
import type { JsonValue } from '#core/json';
import type { StoredEvent } from './event.ts';
import { STAGE_BITS } from './message-events.ts';

/**
 * What a report can be narrowed to, or broken down by. `error` is the code of a failure. Authors (`agent:…`) and their kinds are
 * counted for accepted messages alone: what is written for the stages of a message, on the way of sending, does not name them.
 */
export const MESSAGE_DIMENSIONS = [
  'all',
  'number',
  'type',
  'template',
  'campaign',
  'category',
  'error',
  'author',
  'author_kind',
] as const;
export type MessageDimension = (typeof MESSAGE_DIMENSIONS)[number];

/** What is counted of messages. Outbound ones count in the quarter of an hour in which they were accepted. */
export const MESSAGE_MEASURES = ['accepted', 'sent', 'delivered', 'read', 'failed', 'replied', 'received'] as const;
export type MessageMeasure = (typeof MESSAGE_MEASURES)[number];
export type MessageCounts = Readonly<Record<MessageMeasure, number>>;

/** A change of one sum. */
export interface CountDelta {
  readonly dimension: MessageDimension;
  readonly key: string;
  readonly quarter: number;
  readonly counts: MessageCounts;
}

export const QUARTER_MS = 15 * 60 * 1000;
/** Quarters of an hour in a day of UTC. */
export const DAY_QUARTERS = 96;

export const NO_COUNTS: MessageCounts = {
  accepted: 0,
  sent: 0,
  delivered: 0,
  read: 0,
  failed: 0,
  replied: 0,
  received: 0,
};

/** Messages that were accepted in one quarter of an hour and have the same values. */
export interface MessageSum {
  /** One of STAGE_BITS; 0: they were accepted. */
  readonly stage: number;
  readonly quarter: number;
  readonly phoneNumberId: string | null;
  readonly type: string | null;
  readonly template: string | null;
  readonly campaignName: string | null;
  /** Of the price, if the stage contains one. */
  readonly category: string | null;
  /** Code of the failure, if it is one. */
  readonly error: string | null;
  readonly count: number;
  /** Of accepted ones: the kind and the id of who had them sent, as `agent:…`. */
  readonly author?: string | null;
}

export function quarterOf(ms: number): number {
  return Math.floor(ms / QUARTER_MS);
}

interface Summed {
  readonly dimension: string;
  readonly key: string;
  readonly quarter: number;
  readonly counts: Readonly<Record<string, number>>;
}

/** The changes of quarters summed up by day; each is identified by its first quarter. */
export function byDays<Delta extends Summed>(deltas: readonly Delta[]): readonly Delta[] {
  const days = new Map<string, Delta>();
  for (const delta of deltas) {
    const quarter = Math.floor(delta.quarter / DAY_QUARTERS) * DAY_QUARTERS;
    const name = `${delta.dimension}\n${quarter}\n${delta.key}`;
    const before = days.get(name)?.counts ?? {};
    const counts = Object.entries(delta.counts).map(([measure, count]) => [measure, (before[measure] ?? 0) + count]);
    days.set(name, { ...delta, quarter, counts: Object.fromEntries(counts) });
  }
  return [...days.values()];
}

/** Where one message counts, by the time in its id. Null: nowhere. */
export interface CountedMessage {
  readonly id: string;
  readonly phoneNumberId: string | null;
  readonly type: string | null;
  readonly template: string | null;
  readonly campaignName: string | null;
}

const MEASURES: Readonly<Partial<Record<StoredEvent['type'], MessageMeasure>>> = {
  'message.queued': 'accepted',
  'message.sent': 'sent',
  'message.delivered': 'delivered',
  'message.read': 'read',
  'message.failed': 'failed',
  'message.received': 'received',
};

const MEASURE_OF_STAGE: Readonly<Record<number, MessageMeasure>> = {
  0: 'accepted',
  [STAGE_BITS.sent]: 'sent',
  [STAGE_BITS.delivered]: 'delivered',
  [STAGE_BITS.read]: 'read',
  [STAGE_BITS.failed]: 'failed',
};

type SumKey = Omit<MessageSum, 'stage'>;

/** Adds up what events say of messages. */
export class MessageTally {
  readonly #deltas = new Map<string, CountDelta & { counts: Record<MessageMeasure, number> }>();

  get deltas(): readonly CountDelta[] {
    return [...this.#deltas.values()];
  }

  addEvent({ type, data }: StoredEvent): void {
    const measure = MEASURES[type];
    if (measure === undefined) return;
    this.#addAll(measure, {
      quarter: quarterOf(idMadeMs(String(data.id))),
      phoneNumberId: textOrNull(data.phone_number_id),
      type: textOrNull(data.type),
      template: textOrNull(data.template),
      campaignName: textOrNull(data.campaign_name),
      category: measure === 'delivered' || measure === 'read' ? fieldOf(data.pricing, 'category') : null,
      error: measure === 'failed' ? fieldOf(data.error, 'code') : null,
      author: measure === 'accepted' ? authorIn(data.author) : null,
      count: 1,
    });
  }

  add(measure: MessageMeasure, message: CountedMessage): void {
    this.#addAll(measure, {
      ...message,
      quarter: quarterOf(idMadeMs(message.id)),
      category: null,
      error: null,
      count: 1,
    });
  }

  addSum(sum: MessageSum): void {
    const measure = MEASURE_OF_STAGE[sum.stage];
    if (measure !== undefined) this.#addAll(measure, sum);
  }

  #addAll(measure: MessageMeasure, sum: SumKey): void {
    this.#count(measure, 'all', '', sum);
    this.#count(measure, 'number', sum.phoneNumberId, sum);
    this.#count(measure, 'type', sum.type, sum);
    this.#count(measure, 'template', sum.template, sum);
    this.#count(measure, 'campaign', sum.campaignName, sum);
    this.#count(measure, 'category', sum.category, sum);
    this.#count(measure, 'error', sum.error, sum);
    this.#count(measure, 'author', sum.author ?? null, sum);
    this.#count(measure, 'author_kind', sum.author?.split(':')[0] ?? null, sum);
  }

  /** @param key null: the messages have none */
  #count(measure: MessageMeasure, dimension: MessageDimension, key: string | null, { quarter, count }: SumKey): void {
    if (key === null) return;
    const name = `${dimension}\n${quarter}\n${key}`;
    const delta = this.#deltas.get(name) ?? { dimension, key, quarter, counts: { ...NO_COUNTS } };
    delta.counts[measure] += count;
    this.#deltas.set(name, delta);
  }
}

/** An inbound message as an answer to one of ours. */
export interface InboundReply {
  readonly from: string;
  readonly phoneNumberId: string;
  readonly replyTo: MessageId | null;
  readonly atMs: number;
}

/** Null for other events than what a customer said to the business. */
export function replyOf({ type, data }: StoredEvent): InboundReply | null {
  if (type !== 'message.received' || data.opens_window === false) return null;
  return {
    from: String(data.from ?? data.from_user_id),
    phoneNumberId: String(data.phone_number_id),
    replyTo: textOrNull(data.reply_to) as MessageId | null,
    atMs: idMadeMs(String(data.id)),
  };
}

function authorIn(author: JsonValue | undefined): string | null {
  const [kind, id] = [fieldOf(author, 'kind'), fieldOf(author, 'id')];
  return kind === null || id === null ? null : `${kind}:${id}`;
}

export function textOrNull(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

export function fieldOf(value: JsonValue | undefined, name: string): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return textOrNull((value as Readonly<Record<string, JsonValue>>)[name]);
}
