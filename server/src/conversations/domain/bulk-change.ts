import type { Actor } from '#core/caller/actor';
import type { BulkChangeId, ConversationId, TenantId } from '#core/ids';
import { isoTime, isoTimeOrNull } from '#core/iso-time';
import type { JsonObject } from '#core/json';
import { type Conversation, type ConversationChange, changedFields } from './conversation.ts';

/** More would take minutes, and nobody oversees them. */
export const MAX_BULK_ITEMS = 10_000;
/** IDs in one request. */
export const MAX_BULK_IDS = 1_000;
/** Of one tenant: what others do must not wait for more. */
export const MAX_OPEN_BULK_CHANGES = 10;
/** How long a bulk change can be undone after it ended. */
export const UNDO_MS = 24 * 60 * 60 * 1000;

export const bulkStatuses = ['queued', 'running', 'completed', 'canceled'] as const;
export type BulkStatus = (typeof bulkStatuses)[number];

/** What may become of a bulk change: statements move it, see docs/state-machines.md. */
export const BULK_CHANGE_MOVES: Readonly<Record<BulkStatus, readonly BulkStatus[]>> = {
  queued: ['running', 'completed', 'canceled'],
  running: ['completed', 'canceled'],
  completed: [],
  canceled: [],
};

/** What may become of one of its conversations. */
export const bulkOutcomes = ['waiting', 'changed', 'unchanged', 'refused'] as const;
export type BulkOutcome = (typeof bulkOutcomes)[number];

/** One change to many conversations. Times are milliseconds since 1970. */
export interface BulkChange {
  readonly tenantId: TenantId;
  readonly bulkChangeId: BulkChangeId;
  /** Null: it undoes another one. */
  readonly change: ConversationChange | null;
  readonly undoes: BulkChangeId | null;
  readonly undoneBy: BulkChangeId | null;
  readonly status: BulkStatus;
  readonly actor: Actor;
  readonly total: number;
  /** With those that are waiting, these three add up to the total. */
  readonly changed: number;
  readonly unchanged: number;
  readonly refused: number;
  readonly createdMs: number;
  readonly finishedMs: number | null;
}

/** One of its conversations. */
export interface BulkItem {
  readonly place: number;
  readonly conversationId: ConversationId;
  readonly outcome: BulkOutcome;
  /** Why it was refused; null: it was not. */
  readonly code: string | null;
  readonly reason: string | null;
}

/** A twentieth: while people look at a busy inbox, some conversations come and others go. Small numbers must be exact. */
const TOLERANCE = 0.05;

/** Whether so many conversations match that the person who asked for the change has not seen what it would do. */
export function differsTooMuch(expected: number, matching: number): boolean {
  return Math.abs(matching - expected) > Math.floor(expected * TOLERANCE);
}

/** Until when it can be undone; null: it cannot be. */
export function undoUntilMs({ finishedMs, changed, undoneBy }: BulkChange): number | null {
  return finishedMs === null || changed === 0 || undoneBy !== null ? null : finishedMs + UNDO_MS;
}

/** How the API calls the fields that a change can touch. */
const NAMES = {
  status: 'status',
  snoozedUntilMs: 'snoozed_until',
  assigneeId: 'assignee_id',
  teamId: 'team_id',
  priority: 'priority',
  handledBy: 'handled_by',
  tags: 'tags',
  unreadCount: 'unread_count',
} as const;
const FIELDS = Object.keys(NAMES) as readonly (keyof typeof NAMES)[];

/** A change as the API shows it. */
export function describeBulkFields({
  snoozedUntilMs,
  addTags,
  removeTags,
  read,
  ...rest
}: ConversationChange): JsonObject {
  const { status, assigneeId, teamId, priority, handledBy } = rest;
  const shown: Record<string, JsonObject[string] | undefined> = {
    status,
    snoozed_until: snoozedUntilMs === undefined ? undefined : isoTimeOrNull(snoozedUntilMs),
    assignee_id: assigneeId,
    team_id: teamId,
    priority,
    handled_by: handledBy,
    add_tags: addTags && [...addTags],
    remove_tags: removeTags && [...removeTags],
    read,
  };
  return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined)) as JsonObject;
}

/** A bulk change as the API and events show it. @param nowMs the moment that decides whether it can still be undone */
export function describeBulkChange(one: BulkChange, nowMs: number): JsonObject {
  const { total, changed, unchanged, refused, actor } = one;
  const untilMs = undoUntilMs(one);
  return {
    id: one.bulkChangeId,
    status: one.status,
    change: one.change && describeBulkFields(one.change),
    undoes: one.undoes,
    undone_by: one.undoneBy,
    total,
    waiting: total - changed - unchanged - refused,
    changed,
    unchanged,
    refused,
    actor: { kind: actor.kind, id: actor.id },
    undo_until: untilMs !== null && nowMs < untilMs ? isoTime(untilMs) : null,
    created_at: isoTime(one.createdMs),
    finished_at: isoTimeOrNull(one.finishedMs),
  };
}

/** The same as events show it: which fields it is about, and not what they became, since tags may say something of a person. */
export function describeBulkEnd(one: BulkChange, nowMs: number): JsonObject {
  const { change: _change, ...rest } = describeBulkChange(one, nowMs);
  return { ...rest, fields: Object.keys(describeBulkFields(one.change ?? {})) };
}

export function describeBulkItem({ conversationId, outcome, code, reason }: BulkItem): JsonObject {
  return { conversation_id: conversationId, outcome, code, reason };
}

/** TracedFields of a conversation, and the wait of the customer, which goes with the status. */
export type TracedFields = Partial<Pick<Conversation, keyof typeof NAMES | 'waitingSinceMs'>>;

/** A conversation before and after its change, reduced to the fields that differ. */
export interface Traces {
  readonly before: TracedFields;
  readonly after: TracedFields;
}

/** What an undo has to know of a change. */
export function tracesOf(before: Conversation, after: Conversation): Traces {
  const fields = changedFields(before, after);
  const pick = (one: Conversation): TracedFields => Object.fromEntries(fields.map((field) => [field, one[field]]));
  const waited = before.waitingSinceMs === after.waitingSinceMs ? {} : { waitingSinceMs: before.waitingSinceMs };
  return { before: { ...pick(before), ...waited }, after: pick(after) };
}

/** The field that is no longer as the change left it, in the words of the API; null: all of them are. */
export function changedSince(now: Conversation, { after }: Traces): string | null {
  const field = FIELDS.find((one) => one in after && JSON.stringify(now[one]) !== JSON.stringify(after[one]));
  return field === undefined ? null : NAMES[field];
}

/** The changes that make a conversation again what it was, one after the other. */
export function wayBack(now: Conversation, { before }: Traces): readonly ConversationChange[] {
  const { tags, ...fields } = before;
  // In the order that they had.
  const tagged = tags === undefined ? {} : { removeTags: now.tags, addTags: tags };
  const last: ConversationChange = { ...fields, ...tagged };
  // A resolved conversation can only become open: whatever else it was, it becomes then.
  const viaOpen = now.status === 'resolved' && before.status !== undefined && before.status !== 'open';
  return viaOpen ? [{ status: 'open' }, last] : [last];
}
