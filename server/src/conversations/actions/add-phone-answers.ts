import type { Conversation } from '#conversations/domain/conversation';
import { openedEvent, repliedEvent } from '#conversations/domain/conversation-events';
import {
  type ConversationPair,
  continuesWith,
  isOfPast,
  openFirst,
  startConversation,
} from '#conversations/domain/conversation-inbound';
import { type AnswerOnPhone, answerOnPhone, answersAll, NOTHING_UNANSWERED } from '#conversations/domain/phone-answer';
import { addCounts, countChange } from '#conversations/store/conversation-counts';
import {
  lockLatestConversations,
  numberConversations,
  openConversations,
  pairKey,
} from '#conversations/store/conversation-inbound';
import { addHistory, findReopenRules } from '#conversations/store/conversations';
import { openPast } from '#conversations/store/past-conversations';
import { findUnanswered, savePhoneAnswer } from '#conversations/store/phone-answers';
import type { ConversationId } from '#core/ids';
import type { Transaction } from '#database/database';
import type { EventSink } from '#events/actions/with-events';
import type { Runtime } from '#runtime/runtime';
import { DEFAULT_REOPEN_RULE, NETWORK_ACTOR } from './add-inbound.ts';
import { measureTime } from './measure-time.ts';

/** What the business wrote to one contact with the app of one number. */
export interface PairAnswers extends ConversationPair {
  readonly answers: readonly AnswerOnPhone[];
}

interface AnswerWork {
  readonly rt: Runtime;
  readonly tx: Transaction;
  readonly events: EventSink;
}

/** Each round another process opened a conversation in the meantime; more than a few is a mistake of ours. */
const MAX_ROUNDS = 10;
const CAUSE = 'phone';

/**
 * Makes what was written on the phone part of conversations, as answers of people. Without one that a message of the customer
 * would belong to, a conversation is opened; one that is resolved stays resolved.
 * @returns the conversation of each pair, by its key
 */
export async function addPhoneAnswers(
  work: AnswerWork,
  pairs: readonly PairAnswers[],
): Promise<ReadonlyMap<string, ConversationId>> {
  const placed = new Map<string, ConversationId>();
  const inOrder = pairs.toSorted((one, other) => (pairKey(one) < pairKey(other) ? -1 : 1));
  const known = await findOrOpen(work, inOrder);
  for (const pair of inOrder) {
    const found = known.get(pairKey(pair));
    if (found === undefined) throw new Error('A conversation that was opened is not there.');
    placed.set(pairKey(pair), found.conversationId);
    await answer(work, found, pair.answers);
  }
  return placed;
}

/** The conversations of all pairs, locked. */
async function findOrOpen(work: AnswerWork, pairs: readonly PairAnswers[]): Promise<ReadonlyMap<string, Conversation>> {
  const { rt, tx } = work;
  const found = new Map<string, Conversation>();
  const isMissing = (pair: ConversationPair) => !found.has(pairKey(pair));
  for (let round = 0; round < MAX_ROUNDS && pairs.some(isMissing); round += 1) {
    const nowMs = rt.clock.now();
    const latest = await lockLatestConversations(tx, pairs.filter(isMissing));
    const resolved = [...latest.values()].filter((one) => one.resolvedMs !== null);
    const rules = resolved.length === 0 ? null : await findReopenRules(tx, resolved);
    for (const one of latest.values()) {
      const rule = rules?.get(`${one.tenantId}/${one.phoneNumberId}`) ?? DEFAULT_REOPEN_RULE;
      if (continuesWith(one, rule, nowMs)) found.set(pairKey(one), one);
    }
    for (const one of await openAllPast(work, [...latest.values()].filter(isOfPast), nowMs))
      found.set(pairKey(one), one);
    const fresh = pairs.filter(isMissing).map(({ tenantId, contactId, phoneNumberId }) => {
      const pair = { tenantId, contactId, phoneNumberId };
      const [previous, id] = [latest.get(pairKey(pair)) ?? null, rt.newId<ConversationId>()];
      // It is as old as its first message: a message of the customer from before shall not look older than it.
      return { ...startConversation(pair, id, previous, nowMs), lastMessageMs: 0 };
    });
    for (const one of await openNew(work, fresh, nowMs)) found.set(pairKey(one), one);
  }
  return found;
}

/** Opens conversations that held only what was before the API. */
async function openAllPast(
  work: AnswerWork,
  past: readonly Conversation[],
  nowMs: number,
): Promise<readonly Conversation[]> {
  if (past.length === 0) return [];
  const opened = past.map((before) => ({ before, after: openFirst(before, nowMs) }));
  await openPast(
    work.tx,
    opened.map(({ after }) => after),
  );
  await recordOpened(work, opened, nowMs);
  return opened.map(({ after }) => after);
}

async function openNew(
  { rt, tx, events }: AnswerWork,
  fresh: readonly Conversation[],
  nowMs: number,
): Promise<readonly Conversation[]> {
  const opened = await openConversations(tx, fresh, nowMs);
  const own = await numberConversations(
    tx,
    fresh.filter((one) => opened.has(one.conversationId)),
  );
  await recordOpened(
    { rt, tx, events },
    own.map((after) => ({ before: null, after })),
    nowMs,
  );
  return own;
}

interface Opened {
  /** Null: it is new. */
  readonly before: Conversation | null;
  readonly after: Conversation;
}

async function recordOpened({ rt, tx, events }: AnswerWork, opened: readonly Opened[], nowMs: number): Promise<void> {
  const changes = { status: [null, 'open'] };
  await addHistory(
    tx,
    opened.map(({ after: { tenantId, conversationId } }) => ({
      ...{
        tenantId,
        conversationId,
        eventId: rt.newId<string>(),
        atMs: nowMs,
        actor: NETWORK_ACTOR,
        cause: CAUSE,
        changes,
      },
    })),
  );
  await addCounts(
    tx,
    rt.newId,
    opened.flatMap(({ before, after }) => countChange(before, after)),
  );
  for (const { after } of opened) events.add(openedEvent(after, { actor: NETWORK_ACTOR, cause: CAUSE, nowMs }));
}

async function answer(work: AnswerWork, found: Conversation, answers: readonly AnswerOnPhone[]): Promise<void> {
  const { rt, tx, events } = work;
  let after = found;
  for (const one of answers.toSorted((left, right) => left.networkMs - right.networkMs)) {
    const before = after;
    const nowMs = rt.clock.now();
    const atMs = Math.min(one.networkMs, nowMs);
    const isLate = before.phoneAnsweredMs !== null && atMs < before.phoneAnsweredMs;
    const sinceMs = Math.max(atMs, before.phoneAnsweredMs ?? atMs);
    const unanswered = answersAll(before, sinceMs) ? NOTHING_UNANSWERED : await findUnanswered(tx, before, sinceMs);
    after = answerOnPhone(before, one, { atMs, nowMs, unanswered });
    const { waitingSinceMs } = before;
    const ends = !isLate && waitingSinceMs !== null && waitingSinceMs !== after.waitingSinceMs;
    const timing = ends ? await measureTime(tx, before, waitingSinceMs, atMs) : null;
    const isFirst = before.firstResponseMs === null;
    const cause = { actor: NETWORK_ACTOR, cause: CAUSE, nowMs };
    events.add(repliedEvent(before, after, { messageId: one.messageId, isFirst, timing }, cause));
  }
  await savePhoneAnswer(tx, after);
  await addCounts(tx, rt.newId, countChange(found, after));
}
