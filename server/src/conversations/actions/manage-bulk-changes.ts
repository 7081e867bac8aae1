import { audit } from '#access/actions/audit';
import {
  type BulkChange,
  describeBulkFields,
  differsTooMuch,
  MAX_BULK_ITEMS,
  MAX_OPEN_BULK_CHANGES,
  UNDO_MS,
  undoUntilMs,
} from '#conversations/domain/bulk-change';
import type { ConversationChange } from '#conversations/domain/conversation';
import { addItems, addItemsToUndo, findOwnConversations } from '#conversations/store/bulk-change-items';
import {
  addBulkChange,
  countOpenBulkChanges,
  lockBulkChange,
  lockBulkChangesOf,
  noteUndo,
} from '#conversations/store/bulk-changes';
import { countSearches, findMatchingIds } from '#conversations/store/conversation-search';
import type { Actor } from '#core/caller/actor';
import type { Requester } from '#core/caller/origin';
import { ApiProblem, requireFound } from '#core/errors';
import type { AgentId, BulkChangeId, ConversationId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { Database, Transaction } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import type { Runtime } from '#runtime/runtime';
import { requireKnownAssignment } from './check-assignment.ts';
import { readConversationCondition } from './conversation-condition.ts';
import { finishBulkChange } from './finish-bulk-change.ts';

/** Which conversations: those that match a condition, of which somebody expects so many, or these. */
export type BulkSelection =
  | { readonly when: JsonObject; readonly expected: number }
  | { readonly ids: readonly string[] };

export interface BulkRequest extends Requester {
  readonly actor: Actor;
  /** Who `me` is in the condition; null: nobody. */
  readonly agentId: AgentId | null;
  readonly selection: BulkSelection;
  readonly change: ConversationChange;
}

/**
 * Queues one change to many conversations. What is changed is decided now: conversations that match later are left alone.
 * @throws ApiProblem validation_failed for the condition, an id or an assignment; conflict when the number differs, is too large, or
 *   too many bulk changes are open. Nothing is stored then
 */
export async function beginBulkChange(rt: Runtime, db: Database, request: BulkRequest): Promise<BulkChange> {
  const { tenantId, origin, change, actor } = request;
  const ids = await select(rt, db, request);
  const nowMs = rt.clock.now();
  return withEvents(rt, db, async (tx, events) => {
    await requireKnownAssignment(tx, { tenantId, change, place: 'body.change' });
    await requireRoom(tx, tenantId);
    const bulkChangeId = rt.newId<BulkChangeId>();
    const added = { tenantId, bulkChangeId, change, undoes: null, actor, total: ids.length, nowMs };
    const begun = await addBulkChange(tx, added);
    await addItems(tx, begun, ids);
    const details = { total: ids.length, fields: Object.keys(describeBulkFields(change)) };
    await audit(rt, tx, { tenantId, origin, action: 'bulk_change.created', targetId: bulkChangeId, details });
    // Without conversations, there is nothing to wait for.
    return (await finishBulkChange(tx, events, begun, { status: 'completed', nowMs })) ?? begun;
  });
}

function select(rt: Runtime, db: Database, { tenantId, agentId, selection }: BulkRequest) {
  if ('ids' in selection) return selectNamed(db, tenantId, selection.ids);
  return selectMatching(rt, db, { tenantId, agentId, ...selection });
}

async function selectNamed(
  db: Database,
  tenantId: TenantId,
  ids: readonly string[],
): Promise<readonly ConversationId[]> {
  const known = await findOwnConversations(db, tenantId, ids);
  const details = ids.flatMap((id, index) =>
    known.has(id)
      ? []
      : [{ path: `body.ids[${index}]`, message: `ids[${index}] does not name a conversation of this tenant.` }],
  );
  const [first] = details;
  if (first) throw new ApiProblem('validation_failed', { sentence: first.message, details });
  return [...new Set(ids)] as ConversationId[];
}

/** A condition, and who asks. */
export interface BulkCondition {
  readonly tenantId: TenantId;
  readonly agentId: AgentId | null;
  readonly when: JsonObject;
}

async function searchOf(rt: Runtime, db: Database, { tenantId, agentId, when }: BulkCondition) {
  const condition = await readConversationCondition(db, tenantId, { input: when, path: 'body.when' });
  return { tenantId, agentId, condition, sort: 'last_activity', nowMs: rt.clock.now() } as const;
}

async function selectMatching(
  rt: Runtime,
  db: Database,
  { expected, ...asked }: BulkCondition & { readonly expected: number },
): Promise<readonly ConversationId[]> {
  const ids = await findMatchingIds(db, await searchOf(rt, db, asked), MAX_BULK_ITEMS + 1);
  if (ids.length > MAX_BULK_ITEMS) {
    throw conflict(
      `More than ${MAX_BULK_ITEMS} conversations match. A bulk change can have at most ${MAX_BULK_ITEMS}.`,
    );
  }
  if (!differsTooMuch(expected, ids.length)) return ids;
  const matching = ids.length === 1 ? '1 conversation matches' : `${ids.length} conversations match`;
  throw conflict(`${matching} now, and you expected ${expected}. Look at them again. Nothing was changed.`);
}

/**
 * How many conversations match a condition.
 * @returns at most MAX_BULK_ITEMS + 1, which stands for any higher number
 * @throws ApiProblem validation_failed
 */
export async function countMatching(rt: Runtime, db: Database, asked: BulkCondition): Promise<number> {
  const [count = 0] = await countSearches(db, [await searchOf(rt, db, asked)], MAX_BULK_ITEMS);
  return count;
}

/** One request of a tenant at a time counts and adds: two at once would both find the last place free. */
async function requireRoom(tx: Transaction, tenantId: TenantId): Promise<void> {
  await lockBulkChangesOf(tx, tenantId);
  if ((await countOpenBulkChanges(tx, tenantId)) < MAX_OPEN_BULK_CHANGES) return;
  throw conflict(`${MAX_OPEN_BULK_CHANGES} bulk changes are queued or running. Wait until one of them has ended.`);
}

const conflict = (sentence: string) => new ApiProblem('conflict', { sentence });

/** A request about one bulk change. */
export interface BulkCommand extends Requester {
  readonly bulkChangeId: string;
  readonly actor: Actor;
  /** Throws when who asks may not interfere with what others have begun. */
  readonly requireOthers: () => void;
}

async function requireBulkChange(tx: Transaction, command: BulkCommand): Promise<BulkChange> {
  const { tenantId, bulkChangeId, actor, requireOthers } = command;
  const found = requireFound(await lockBulkChange(tx, tenantId, bulkChangeId));
  if (found.actor.kind !== actor.kind || found.actor.id !== actor.id) requireOthers();
  return found;
}

/**
 * Ends a bulk change where it is: what was changed stays changed.
 * @throws ApiProblem not_found, forbidden, conflict when it has ended
 */
export function cancelBulkChange(rt: Runtime, db: Database, command: BulkCommand): Promise<BulkChange> {
  return withEvents(rt, db, async (tx, events) => {
    const { status, ...found } = await requireBulkChange(tx, command);
    const ended = await finishBulkChange(tx, events, found, { status: 'canceled', nowMs: rt.clock.now() });
    if (ended === null)
      throw conflict(`The bulk change is ${status}. Only one that is queued or running can be canceled.`);
    const { tenantId, origin } = command;
    const { bulkChangeId: targetId, total, changed } = ended;
    await audit(rt, tx, { tenantId, origin, action: 'bulk_change.canceled', targetId, details: { total, changed } });
    return ended;
  });
}

/**
 * Queues another bulk change that puts back what one has changed.
 * @returns the undo
 * @throws ApiProblem not_found, forbidden, conflict when it goes on, changed nothing, ended too long ago or was undone before
 */
export function undoBulkChange(rt: Runtime, db: Database, command: BulkCommand): Promise<BulkChange> {
  return db.transaction(async (tx) => {
    const found = await requireBulkChange(tx, command);
    const nowMs = rt.clock.now();
    requireUndoable(found, nowMs);
    const { tenantId, origin, actor } = command;
    await requireRoom(tx, tenantId);
    const undo = rt.newId<BulkChangeId>();
    const total = await addItemsToUndo(tx, found, undo);
    const { bulkChangeId: undoes } = found;
    const begun = await addBulkChange(tx, { tenantId, bulkChangeId: undo, change: null, undoes, actor, total, nowMs });
    await noteUndo(tx, found, undo);
    const details = { undo, total };
    await audit(rt, tx, { tenantId, origin, action: 'bulk_change.undone', targetId: undoes, details });
    return begun;
  });
}

function requireUndoable(found: BulkChange, nowMs: number): void {
  const { finishedMs, status, changed, undoneBy } = found;
  if (finishedMs === null) throw conflict(`The bulk change is ${status}. Cancel it, or wait until it has ended.`);
  if (undoneBy !== null) throw conflict(`The bulk change was undone before, by ${undoneBy}.`);
  if (changed === 0) throw conflict('The bulk change changed nothing. There is nothing to undo.');
  if (nowMs < (undoUntilMs(found) ?? 0)) return;
  throw conflict(`The bulk change ended more than ${UNDO_MS / 3_600_000} hours ago. It can no longer be undone.`);
}
