import type { Conversation } from '#conversations/domain/conversation';
import type { ConversationPair } from '#conversations/domain/conversation-inbound';
import { addPast, beginPast, type PastOfPair } from '#conversations/domain/past-conversation';
import { addCounts, countChange } from '#conversations/store/conversation-counts';
import { numberConversations, pairKey } from '#conversations/store/conversation-inbound';
import { addHistory } from '#conversations/store/conversations';
import { insertPastConversations, lockFirstConversations, savePast } from '#conversations/store/past-conversations';
import type { ConversationId } from '#core/ids';
import type { Transaction } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import { NETWORK_ACTOR } from './add-inbound.ts';

/** What one customer and one number wrote to each other before the API. */
export interface PairPast extends ConversationPair, PastOfPair {}

/**
 * Makes messages from before the API part of conversations: of the first one that the customer has with the number, since nothing can be
 * older. Without one, a conversation is made that was never opened: it is resolved, nobody waits in it, and no event reports it. The
 * caller has locked the customers.
 * @returns the conversation of each pair, by its key
 */
export async function addPastMessages(
  { rt, tx }: { readonly rt: Runtime; readonly tx: Transaction },
  pairs: readonly PairPast[],
): Promise<ReadonlyMap<string, ConversationId>> {
  const nowMs = rt.clock.now();
  const found = await lockFirstConversations(tx, pairs);
  const known = pairs.flatMap((pair) => {
    const before = found.get(pairKey(pair));
    return before === undefined ? [] : [{ before, after: addPast(before, pair, nowMs) }];
  });
  const missing = pairs
    .filter((pair) => !found.has(pairKey(pair)))
    .map((pair) => beginPast(pair, rt.newId<ConversationId>(), nowMs));
  await savePast(
    tx,
    known.flatMap(({ before, after }) => (before === after ? [] : [after])),
  );
  await insertPastConversations(tx, missing);
  await recordBeginnings(rt, tx, missing, nowMs);
  const all = [...known.map(({ after }) => after), ...missing];
  return new Map(all.map((one) => [pairKey(one), one.conversationId]));
}

async function recordBeginnings(
  rt: Runtime,
  tx: Transaction,
  made: readonly Conversation[],
  atMs: number,
): Promise<void> {
  const changes = { status: [null, 'resolved'] };
  const how = { atMs, actor: NETWORK_ACTOR, cause: 'history', changes };
  await addHistory(
    tx,
    made.map(({ tenantId, conversationId }) => ({ tenantId, conversationId, eventId: rt.newId<string>(), ...how })),
  );
  await addCounts(
    tx,
    rt.newId,
    made.flatMap((one) => countChange(null, one)),
  );
  await numberConversations(tx, made);
}
