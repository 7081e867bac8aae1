import type { Conversation, ReopenRule } from '#conversations/domain/conversation';
import { changeEvents, describeChanges, openedEvent } from '#conversations/domain/conversation-events';
import {
  type Arrival,
  addInbound,
  beginConversation,
  type ConversationPair,
  continuesWith,
  isOfPast,
} from '#conversations/domain/conversation-inbound';
import { addCounts, countChange } from '#conversations/store/conversation-counts';
import {
  lockLatestConversations,
  numberConversations,
  openConversations,
  pairKey,
  saveArrivals,
} from '#conversations/store/conversation-inbound';
import { addHistory, type ConversationEvent, findReopenRules } from '#conversations/store/conversations';
import type { Actor } from '#core/caller/actor';
import type { ConversationId } from '#core/ids';
import type { Transaction } from '#database/database';
import type { EventSink } from '#events/actions/with-events';
import type { Runtime } from '#runtime/runtime';
import { updateAgentLoad } from './update-agent-load.ts';

/** What came from one contact to one number, in the order in which it is stored. */
export interface PairArrivals extends ConversationPair {
  readonly arrivals: readonly Arrival[];
}

/** A conversation as messages found it, and as they leave it. */
interface Placed {
  /** Null: it was opened for them. */
  readonly before: Conversation | null;
  readonly after: Conversation;
}

/** Where messages went, by the key of their pair: notices about somebody who never wrote went nowhere. `emit` numbers and records the events; it may keep others waiting. */
export interface Placing {
  readonly conversations: ReadonlyMap<string, { readonly conversationId: ConversationId; readonly isNew: boolean }>;
  emit(): Promise<void>;
}

/**
 * Each round another process opened and resolved a conversation in the meantime; more than a few is a mistake of ours.
 */
const MAX_ROUNDS = 10;
export const DEFAULT_REOPEN_RULE: ReopenRule = { policy: 'new_after', hours: 24 };
export const NETWORK_ACTOR: Actor = { kind: 'system', id: null };

/**
 * Finds, opens or opens again the conversation of each pair and counts its messages in, in a few statements for all of
 * them. What the customer did not say belongs to the latest conversation, and changes nothing about it. The unique index decides when two transactions open one for the same pair: the second finds that of the first.
 */
export async function addInboundMessages(
  rt: Runtime,
  tx: Transaction,
  events: EventSink,
  pairs: readonly PairArrivals[],
): Promise<Placing> {
  const nowMs = rt.clock.now();
  const placed: Placed[] = [];
  let rest = pairs;
  for (let round = 0; rest.length > 0; round++) {
    if (round === MAX_ROUNDS) throw new Error('Conversations of the same customers kept changing under a batch.');
    const { done, left } = await placeOnce(rt, tx, rest, nowMs);
    placed.push(...done);
    rest = left;
  }
  await saveArrivals(
    tx,
    placed.filter(({ before, after }) => before !== after).map((one) => one.after),
  );
  return {
    conversations: new Map(
      placed.map(({ before, after }) => [
        pairKey(after),
        { conversationId: after.conversationId, isNew: before === null || isOpenedFirst({ before, after }) },
      ]),
    ),
    emit: () => emitPlaced(rt, tx, events, placed),
  };
}

async function placeOnce(
  rt: Runtime,
  tx: Transaction,
  pairs: readonly PairArrivals[],
  nowMs: number,
): Promise<{ readonly done: readonly Placed[]; readonly left: readonly PairArrivals[] }> {
  const latest = await lockLatestConversations(tx, pairs);
  const resolved = [...latest.values()].filter((one) => one.resolvedMs !== null);
  const rules = resolved.length === 0 ? new Map<string, ReopenRule>() : await findReopenRules(tx, resolved);
  const done: Placed[] = [];
  const missing: { readonly pair: PairArrivals; readonly fresh: Conversation }[] = [];
  for (const pair of pairs) {
    const before = latest.get(pairKey(pair));
    const said = pair.arrivals.filter((arrival) => arrival.opensWindow);
    if (said.length === 0) {
      if (before) done.push({ before, after: before });
      continue;
    }
    const rule = rules.get(`${pair.tenantId}/${pair.phoneNumberId}`) ?? DEFAULT_REOPEN_RULE;
    if (before && continuesWith(before, rule, nowMs)) done.push({ before, after: addInbound(before, said, nowMs) });
    else missing.push({ pair, fresh: beginConversation(withoutArrivals(pair), rt.newId(), said, nowMs) });
  }
  const opened = await openConversations(
    tx,
    missing.map((one) => one.fresh),
    nowMs,
  );
  const isOpened = ({ fresh }: { readonly fresh: Conversation }) => opened.has(fresh.conversationId);
  done.push(...missing.filter(isOpened).map(({ fresh }) => ({ before: null, after: fresh })));
  return { done, left: missing.filter((one) => !isOpened(one)).map(({ pair }) => pair) };
}

function withoutArrivals({ tenantId, contactId, phoneNumberId }: ConversationPair): ConversationPair {
  return { tenantId, contactId, phoneNumberId };
}

async function emitPlaced(rt: Runtime, tx: Transaction, events: EventSink, placed: readonly Placed[]): Promise<void> {
  const nowMs = rt.clock.now();
  const cause = { actor: NETWORK_ACTOR, cause: 'inbound', nowMs };
  const opened = placed.filter(({ before }) => before === null).map(({ after }) => after);
  const first = placed.filter(isOpenedFirst).map(({ after }) => after);
  const woken = placed.flatMap(({ before, after }) =>
    before === null || isOfPast(before) || before.status === after.status ? [] : [{ before, after }],
  );
  const history: ConversationEvent[] = [
    ...[...opened, ...first].map((one) => historyRow(rt, one, { status: [null, one.status] }, nowMs)),
    ...woken.map(({ before, after }) => historyRow(rt, after, describeChanges(before, after), nowMs)),
  ];
  await addHistory(tx, history);
  await addCounts(
    tx,
    rt.newId,
    placed.flatMap(({ before, after }) => countChange(before, after)),
  );
  for (const { before, after } of woken) {
    await updateAgentLoad(tx, { before, after, cause: cause.cause, nowMs });
    for (const event of changeEvents(before, after, cause)) events.add(event);
  }
  for (const one of [...(await numberConversations(tx, opened)), ...first]) events.add(openedEvent(one, cause));
}

/** Whether it held only what was before the API, and opens now. */
function isOpenedFirst({ before, after }: Placed): boolean {
  return before !== null && isOfPast(before) && !isOfPast(after);
}

function historyRow(
  rt: Runtime,
  { tenantId, conversationId }: Conversation,
  changes: ConversationEvent['changes'],
  atMs: number,
): ConversationEvent {
  return { tenantId, conversationId, eventId: rt.newId(), atMs, actor: NETWORK_ACTOR, cause: 'inbound', changes };
}
