import type { ContactWork } from '#contacts/actions/save-contacts';
import { recordChange } from '#conversations/actions/change-conversation';
import { applyConversationChange, type Conversation } from '#conversations/domain/conversation';
import { addCounts, countChange } from '#conversations/store/conversation-counts';
import { lockConversation, saveConversation } from '#conversations/store/conversations';
import type { Actor } from '#core/caller/actor';
import type { ContactId, ConversationId, TenantId } from '#core/ids';
import type { MergeState, ResolvedByMerge } from '#merges/domain/contact-merge';
import { lockConversationsOf, moveConversations } from '#merges/store/merged-conversations';

/** Two contacts, who makes them one or takes them apart. */
export interface MergePair {
  readonly tenantId: TenantId;
  readonly survivorId: ContactId;
  readonly mergedId: ContactId;
  readonly actor: Actor;
}

/**
 * Moves the conversations of one contact to the other. Of two unresolved ones with the same number, the one with the
 * latest message survives, with the longer wait of the two; the other is resolved.
 */
export async function joinConversations(
  work: ContactWork,
  pair: MergePair,
): Promise<Pick<MergeState, 'conversations' | 'resolved'>> {
  const { tenantId, survivorId, mergedId } = pair;
  const all = await lockConversationsOf(work.tx, tenantId, [survivorId, mergedId]);
  const unresolved = all.filter(({ status }) => status !== 'resolved');
  const resolved: ResolvedByMerge[] = [];
  for (const own of unresolved.filter(({ contactId }) => contactId === survivorId)) {
    const other = unresolved.find((one) => one.contactId === mergedId && one.phoneNumberId === own.phoneNumberId);
    if (other === undefined) continue;
    const [kept, given] = isWrittenLater(other, own) ? [other, own] : [own, other];
    resolved.push(await resolveDouble(work, pair.actor, kept, given));
  }
  const conversations = all.filter(({ contactId }) => contactId === mergedId).map((one) => one.conversationId);
  await moveConversations(work.tx, { tenantId, from: mergedId, to: survivorId }, conversations);
  return { conversations, resolved };
}

/** The network's times are exact to a second: of two messages in one, the one that we learned of later counts. */
function isWrittenLater(one: Conversation, other: Conversation): boolean {
  if (one.lastMessageMs !== other.lastMessageMs) return one.lastMessageMs > other.lastMessageMs;
  return (one.lastMessage?.messageId ?? '') > (other.lastMessage?.messageId ?? '');
}

async function resolveDouble(
  work: ContactWork,
  actor: Actor,
  kept: Conversation,
  given: Conversation,
): Promise<ResolvedByMerge> {
  const { rt, tx, events, nowMs } = work;
  const changed = applyConversationChange(given, { status: 'resolved' }, nowMs);
  if (!changed.ok || given.status === 'resolved') throw new Error('A conversation that is open can be resolved.');
  const { after } = changed;
  await saveConversation(tx, after);
  await recordChange(rt, tx, events, { before: given, after, actor, cause: 'contact_merged', nowMs });
  const waits = [kept.waitingSinceMs, given.waitingSinceMs].filter((ms) => ms !== null);
  const keptWaitsMs = waits.length === 0 ? null : Math.min(...waits);
  await setWait(work, kept, keptWaitsMs);
  return {
    conversationId: given.conversationId,
    status: given.status,
    waitingSinceMs: given.waitingSinceMs,
    snoozedUntilMs: given.snoozedUntilMs,
    version: after.version,
    kept: kept.conversationId,
    keptWaitedMs: kept.waitingSinceMs,
    keptWaitsMs,
  };
}

async function setWait({ rt, tx }: ContactWork, one: Conversation, waitingSinceMs: number | null): Promise<void> {
  if (one.waitingSinceMs === waitingSinceMs) return;
  const after = { ...one, waitingSinceMs };
  await saveConversation(tx, after);
  await addCounts(tx, rt.newId, countChange(one, after));
}

/**
 * Restores conversations. Those that the merge resolved are as they were before, unless they were changed since or
 * another one with their number has taken their place.
 */
export async function partConversations(
  work: ContactWork,
  pair: MergePair,
  parting: { readonly resolved: readonly ResolvedByMerge[]; readonly returned: readonly ConversationId[] },
): Promise<void> {
  const { tenantId, survivorId, mergedId } = pair;
  await lockConversationsOf(work.tx, tenantId, [survivorId]);
  await moveConversations(work.tx, { tenantId, from: survivorId, to: mergedId }, parting.returned);
  for (const double of parting.resolved) await restore(work, pair, double);
}

async function restore(work: ContactWork, pair: MergePair, double: ResolvedByMerge): Promise<void> {
  const { rt, tx, events, nowMs } = work;
  const { tenantId, survivorId, mergedId, actor } = pair;
  const before = await lockConversation(tx, tenantId, double.conversationId);
  const kept = await lockConversation(tx, tenantId, double.kept);
  if (kept?.waitingSinceMs === double.keptWaitsMs) await setWait(work, kept, double.keptWaitedMs);
  if (before === null || before.status !== 'resolved' || before.version !== double.version) return;
  const others = await lockConversationsOf(tx, tenantId, [survivorId, mergedId]);
  if (others.some((one) => isOpenBeside(one, before))) return;
  const after: Conversation = {
    ...before,
    status: double.status,
    waitingSinceMs: double.waitingSinceMs,
    snoozedUntilMs: double.snoozedUntilMs,
    resolvedMs: null,
    version: before.version + 1,
    updatedMs: Math.max(before.updatedMs, nowMs),
  };
  await saveConversation(tx, after);
  await recordChange(rt, tx, events, { before, after, actor, cause: 'contact_unmerged', nowMs });
}

function isOpenBeside(one: Conversation, other: Conversation): boolean {
  return one.status !== 'resolved' && one.contactId === other.contactId && one.phoneNumberId === other.phoneNumberId;
}
