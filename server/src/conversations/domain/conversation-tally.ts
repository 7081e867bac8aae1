import { bucketOf } from '#core/duration-histogram';
import { idMadeMs } from '#core/ids';
import type { JsonObject, JsonValue } from '#core/json';
import type { StoredEvent } from '#events/domain/event';
import { fieldOf, quarterOf, textOrNull } from '#events/domain/message-sums';

/** What a report of conversations can be narrowed to, or broken down by: as they were when it happened. */
export const CONVERSATION_DIMENSIONS = ['all', 'number', 'agent', 'team', 'tag', 'handled_by'] as const;
export type ConversationDimension = (typeof CONVERSATION_DIMENSIONS)[number];

/** What is counted of conversations, in the quarter of an hour in which it happened. */
export const CONVERSATION_MEASURES = ['opened', 'reopened', 'resolved', 'assigned', 'replies'] as const;
export type ConversationMeasure = (typeof CONVERSATION_MEASURES)[number];
export type ConversationCounts = Readonly<Record<ConversationMeasure, number>>;

export const NO_CONVERSATIONS: ConversationCounts = { opened: 0, reopened: 0, resolved: 0, assigned: 0, replies: 0 };

/** What takes time. Each is counted twice: by the clock, and within business hours. */
export const TIMED = ['first_response', 'reply', 'resolution'] as const;
export type Timed = (typeof TIMED)[number];
export type Duration = Timed | `${Timed}_business`;
export const DURATIONS: readonly Duration[] = TIMED.flatMap((timed) => [timed, `${timed}_business`] as const);

/** Lengths of what histograms are kept of, in quarters of an hour: a quarter, a day, sixteen days. Each divides the next. */
export const SPANS = [1, 96, 1536] as const;

interface Place {
  readonly dimension: ConversationDimension;
  readonly key: string;
}

export interface ConversationDelta extends Place {
  readonly quarter: number;
  readonly counts: ConversationCounts;
}

/** Where durations count: in a span that begins in a quarter. */
export interface DurationRow extends Place {
  readonly span: number;
  readonly quarter: number;
}

/** What durations add to the histograms of a row. */
export interface DurationDelta extends DurationRow {
  readonly histograms: ReadonlyMap<Duration, ReadonlyMap<number, number>>;
}

interface Measured {
  readonly places: readonly Place[];
  readonly atMs: number;
}

/** Adds up what events say of conversations. */
export class ConversationTally {
  readonly #counts = new Map<string, ConversationDelta & { counts: Record<ConversationMeasure, number> }>();
  readonly #durations = new Map<string, DurationRow & { readonly histograms: Map<Duration, Map<number, number>> }>();

  get deltas(): readonly ConversationDelta[] {
    return [...this.#counts.values()];
  }

  get durations(): readonly DurationDelta[] {
    return [...this.#durations.values()];
  }

  addEvent({ type, data, recordedMs }: StoredEvent): void {
    if (type === 'conversation.opened') this.#count('opened', this.#at(data, timeOf(data.opened_at)));
    else if (type === 'conversation.reopened') this.#count('reopened', this.#at(data, timeOf(data.opened_at)));
    else if (type === 'conversation.assigned') this.#assigned(data, recordedMs);
    else if (type === 'conversation.replied') this.#replied(data);
    else if (type === 'conversation.resolved') this.#resolved(data);
  }

  /** One that only got another team was not given to an agent. */
  #assigned(data: JsonObject, recordedMs: number): void {
    const isGiven = Array.isArray(fieldIn(data.changes, 'assignee_id')) && textOrNull(data.assignee_id) !== null;
    if (isGiven) this.#count('assigned', this.#at(data, recordedMs));
  }

  /** Belongs to its author; an answer of a key to the assignee. It counts where its message does. */
  #replied(data: JsonObject): void {
    const messageId = fieldOf(data.reply, 'message_id');
    if (messageId === null) return;
    const measured = this.#at(data, idMadeMs(messageId), agentIn(data) ?? textOrNull(data.assignee_id));
    this.#count('replies', measured);
    this.#time('reply', measured, data.timing);
    if (fieldIn(data.reply, 'is_first') === true) this.#time('first_response', measured, data.timing);
  }

  /** Belongs to the assignee; of an unassigned conversation, to the agent who resolved it. */
  #resolved(data: JsonObject): void {
    const measured = this.#at(data, timeOf(data.resolved_at), textOrNull(data.assignee_id) ?? agentIn(data));
    this.#count('resolved', measured);
    this.#time('resolution', measured, data.timing);
  }

  #at(data: JsonObject, atMs: number, agentId = textOrNull(data.assignee_id)): Measured {
    return { places: placesOf(data, agentId), atMs };
  }

  #count(measure: ConversationMeasure, { places, atMs }: Measured): void {
    const quarter = quarterOf(atMs);
    for (const { dimension, key } of places) {
      const name = `${dimension}\n${quarter}\n${key}`;
      const delta = this.#counts.get(name) ?? { dimension, key, quarter, counts: { ...NO_CONVERSATIONS } };
      delta.counts[measure] += 1;
      this.#counts.set(name, delta);
    }
  }

  /** Events of older versions carry no time. */
  #time(timed: Timed, { places, atMs }: Measured, timing: JsonValue | undefined): void {
    const elapsed = fieldIn(timing, 'elapsed_ms');
    const business = fieldIn(timing, 'business_ms');
    if (typeof elapsed !== 'number' || typeof business !== 'number') return;
    for (const place of places) {
      for (const span of SPANS) {
        const quarter = Math.floor(quarterOf(atMs) / span) * span;
        this.#enter({ ...place, span, quarter }, timed, bucketOf(elapsed));
        this.#enter({ ...place, span, quarter }, `${timed}_business`, bucketOf(business));
      }
    }
  }

  #enter(row: DurationRow, duration: Duration, bucket: number): void {
    const name = `${row.dimension}\n${row.span}\n${row.quarter}\n${row.key}`;
    const delta = this.#durations.get(name) ?? { ...row, histograms: new Map<Duration, Map<number, number>>() };
    const histogram = delta.histograms.get(duration) ?? new Map<number, number>();
    histogram.set(bucket, (histogram.get(bucket) ?? 0) + 1);
    delta.histograms.set(duration, histogram);
    this.#durations.set(name, delta);
  }
}

function placesOf(data: JsonObject, agentId: string | null): readonly Place[] {
  const teamId = textOrNull(data.team_id);
  const number = textOrNull(data.phone_number_id);
  const handledBy = textOrNull(data.handled_by);
  const tags = Array.isArray(data.tags) ? data.tags.map(String) : [];
  return [
    { dimension: 'all', key: '' },
    ...(number === null ? [] : [{ dimension: 'number' as const, key: number }]),
    ...(agentId === null ? [] : [{ dimension: 'agent' as const, key: agentId }]),
    ...(teamId === null ? [] : [{ dimension: 'team' as const, key: teamId }]),
    ...tags.map((key) => ({ dimension: 'tag' as const, key })),
    ...(handledBy === null ? [] : [{ dimension: 'handled_by' as const, key: handledBy }]),
  ];
}

/** The agent who did it; null: not an agent. */
function agentIn({ actor }: JsonObject): string | null {
  return fieldOf(actor, 'kind') === 'agent' ? fieldOf(actor, 'id') : null;
}

function fieldIn(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return (value as JsonObject)[name];
}

function timeOf(value: JsonValue | undefined): number {
  return Date.parse(String(value));
}
