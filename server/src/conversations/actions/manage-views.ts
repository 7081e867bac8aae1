import { audit } from '#access/actions/audit';
import { requireVersion, type VersionedRequest } from '#access/actions/require-version';
import { changeDetails } from '#access/domain/audit';
import { changesBetween } from '#agents/domain/agent-events';
import { MAX_VIEWS, type SavedView } from '#conversations/domain/saved-view';
import { countSearches } from '#conversations/store/conversation-search';
import { addView, countViews, listViews, lockView, removeView, writeView } from '#conversations/store/saved-views';
import type { Requester } from '#core/caller/origin';
import { ApiProblem } from '#core/errors';
import type { AgentId, TenantId, ViewId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { Database, Transaction } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import { parseConversationConditions, readConversationCondition } from './conversation-condition.ts';

/** What a view can be given. */
export interface ViewFields extends Pick<SavedView, 'name' | 'condition' | 'sort'> {
  readonly isShared: boolean;
  /** Null: behind the others. */
  readonly position: number | null;
}

/** A request about one view. `agentId` is who asks: null is a program, which sees shared views. */
export interface ViewRequest extends VersionedRequest {
  readonly viewId: string;
  readonly agentId: AgentId | null;
  /** Throws when who asks may not change what all agents see. */
  readonly requireSharing: () => void;
}

type Asked = Requester & Pick<ViewRequest, 'agentId' | 'requireSharing'>;

/** @throws ApiProblem validation_failed for its condition, or one of nobody; forbidden; conflict for a name or one too many */
export async function createView(
  rt: Runtime,
  db: Database,
  { tenantId, origin, agentId, requireSharing }: Asked,
  { isShared, ...fields }: ViewFields,
): Promise<SavedView> {
  const owner = ownerOf({ agentId, requireSharing }, isShared);
  const nowMs = rt.clock.now();
  const viewId = rt.newId<ViewId>();
  return db.transaction(async (tx) => {
    await readConversationCondition(tx, tenantId, { input: fields.condition, path: 'body.when' });
    await requireRoom(tx, tenantId, owner);
    const made = { ...fields, viewId, agentId: owner, version: 1, createdMs: nowMs, updatedMs: nowMs };
    const view = await addView(tx, tenantId, made);
    if (view === null) throw takenProblem(fields.name);
    const details = { name: view.name, shared: isShared };
    await audit(rt, tx, { tenantId, origin, action: 'view.created', targetId: viewId, details });
    return view;
  });
}

/** @throws ApiProblem not_found, precondition_failed, and as createView */
export function updateView(
  rt: Runtime,
  db: Database,
  request: ViewRequest,
  { isShared, position, ...patch }: Partial<ViewFields>,
): Promise<SavedView> {
  const { tenantId, origin } = request;
  return db.transaction(async (tx) => {
    const before = await requireView(tx, request);
    if (patch.condition !== undefined) {
      await readConversationCondition(tx, tenantId, { input: patch.condition, path: 'body.when' });
    }
    const owner = isShared === undefined ? before.agentId : ownerOf(request, isShared);
    if (owner !== before.agentId) await requireRoom(tx, tenantId, owner);
    const stamp = { version: before.version + 1, updatedMs: rt.clock.now() };
    const after = { ...before, ...patch, agentId: owner, position: position ?? before.position, ...stamp };
    if (!(await writeView(tx, tenantId, after))) throw takenProblem(after.name);
    const details = changeDetails(changesBetween(written(before), written(after)), ['name', 'shared', 'sort']);
    await audit(rt, tx, { tenantId, origin, action: 'view.changed', targetId: before.viewId, details });
    return after;
  });
}

/** @throws ApiProblem not_found, precondition_failed, forbidden */
export function deleteView(rt: Runtime, db: Database, request: ViewRequest): Promise<void> {
  const { tenantId, origin } = request;
  return db.transaction(async (tx) => {
    const { viewId, name } = await requireView(tx, request);
    await removeView(tx, tenantId, viewId);
    await audit(rt, tx, { tenantId, origin, action: 'view.deleted', targetId: viewId, details: { name } });
  });
}

/** How many conversations a view has: at most MAX_COUNTED + 1; null while its condition names something that is gone. */
export interface ViewCount {
  readonly viewId: ViewId;
  readonly count: number | null;
}

/** The counts of all views that an agent sees, in their order, by one statement. */
export async function countAllViews(
  rt: Runtime,
  db: Database,
  tenantId: TenantId,
  agentId: AgentId | null,
): Promise<readonly ViewCount[]> {
  const views = await listViews(db, tenantId, agentId);
  const written = views.map(({ condition }) => ({ input: condition, path: 'when' }));
  const parsed = await parseConversationConditions(db, tenantId, written);
  const nowMs = rt.clock.now();
  const searches = views.flatMap(({ viewId, sort }, index) => {
    const one = parsed[index];
    return one?.ok ? [{ viewId, tenantId, agentId, sort, condition: one.condition, nowMs }] : [];
  });
  const counts = await countSearches(db, searches);
  const byId = new Map(searches.map(({ viewId }, index) => [viewId, counts[index] ?? null]));
  return views.map(({ viewId }) => ({ viewId, count: byId.get(viewId) ?? null }));
}

/** Whose a view is to be. Sharing needs a right; a program has no views of its own. */
function ownerOf({ agentId, requireSharing }: Pick<ViewRequest, 'agentId' | 'requireSharing'>, isShared: boolean) {
  if (isShared) {
    requireSharing();
    return null;
  }
  if (agentId !== null) return agentId;
  const message = 'A view that is not shared belongs to an agent: name one in X-Agent-Id, or set shared to true.';
  throw new ApiProblem('validation_failed', { sentence: message, details: [{ path: 'body.shared', message }] });
}

async function requireRoom(tx: Transaction, tenantId: TenantId, owner: AgentId | null): Promise<void> {
  if ((await countViews(tx, tenantId, owner)) < MAX_VIEWS) return;
  const whose = owner === null ? 'There can be at most' : 'An agent can have at most';
  throw new ApiProblem('conflict', {
    sentence: `${whose} ${MAX_VIEWS} views${owner === null ? ' that all share' : ''}. Delete one first.`,
  });
}

async function requireView(tx: Transaction, request: ViewRequest): Promise<SavedView> {
  const view = requireVersion('view', await lockView(tx, request), request.versions);
  if (view.agentId === null) request.requireSharing();
  return view;
}

function written({ name, condition, sort, agentId, position }: SavedView): JsonObject {
  return { name, when: condition, sort, shared: agentId === null, position };
}

function takenProblem(name: string): ApiProblem {
  return new ApiProblem('conflict', { sentence: `Another view has the name ${name}.` });
}
