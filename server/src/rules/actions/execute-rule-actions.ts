import { updateConversation } from '#conversations/actions/change-conversation';
import { proposeSuggestion } from '#conversations/actions/manage-suggestions';
import type { ConversationChange } from '#conversations/domain/conversation';
import { SUGGESTION_S } from '#conversations/domain/suggestion';
import { lockConversation } from '#conversations/store/conversations';
import { ApiProblem } from '#core/errors';
import type { AgentId, NoteId, TeamId, TenantId } from '#core/ids';
import type { Transaction } from '#database/database';
import type { EventSink } from '#events/actions/with-events';
import type { Decision, PlannedAction } from '#rules/domain/decide';
import type { EvaluatedMessage } from '#rules/domain/facts';
import type { RuleAction } from '#rules/domain/rule';
import type { DoneAction } from '#rules/store/rule-decisions';
import { insertRuleNote } from '#rules/store/rule-notes';
import { insertReply, type RuleReply } from '#rules/store/rule-replies';
import type { Runtime } from '#runtime/runtime';
import { findEndpoint } from '#webhooks/store/webhook-endpoints';
import { type ContactAction, changeRuleContact, holdContact, isContactAction } from './change-rule-contact.ts';

/** For so long the deciding process has the replies to itself; if it is killed, they leave so much later. */
export const REPLY_LEASE_MS = 15_000;

export interface RuleActions {
  readonly tenantId: TenantId;
  readonly decisionId: string;
  readonly decision: Decision;
  readonly message: EvaluatedMessage;
  readonly nowMs: number;
}

export interface ActionsDone {
  readonly done: readonly DoneAction[];
  /** To be sent after the commit. */
  readonly replies: readonly RuleReply[];
}

/**
 * Does what a decision says, in the transaction that records it: a change is made with its decision or not at all. Replies
 * are written down and leave after the commit.
 */
export async function executeRuleActions(
  rt: Runtime,
  tx: Transaction,
  events: EventSink,
  work: RuleActions,
): Promise<ActionsDone> {
  const done: DoneAction[] = [];
  const replies: RuleReply[] = [];
  await holdContact({ tx }, work);
  for (const planned of work.decision.actions) {
    const outcome = await doAction({ rt, tx, events, work, replies }, planned);
    const { ruleId, index, action } = planned;
    done.push({ ruleId, index, action: action.action, ...outcome });
  }
  const [first] = replies;
  if (first !== undefined) await takeForBot({ rt, tx, events, work }, first.ruleId);
  return { done, replies };
}

/** A conversation without an assignee belongs to the rules from their first answer on. */
async function takeForBot(doing: Doing, ruleId: string): Promise<void> {
  const { tenantId, message } = doing.work;
  // Locked and read again: an agent may have taken it since it was evaluated, or an action has handed it over.
  const conversation = await lockConversation(doing.tx, tenantId, message.conversationId);
  if (conversation?.handledBy === 'none') await change(doing, ruleId, { handledBy: 'bot' });
}

interface Doing {
  readonly rt: Runtime;
  readonly tx: Transaction;
  readonly events: EventSink;
  readonly work: RuleActions;
}

type Outcome = Pick<DoneAction, 'outcome' | 'why'>;

async function doAction(doing: Doing & { readonly replies: RuleReply[] }, planned: PlannedAction): Promise<Outcome> {
  const { action, ruleId, withheld } = planned;
  if (withheld !== null) return { outcome: 'withheld', why: withheld };
  if (action.action === 'reply') return queueReply(doing, planned);
  if (action.action === 'note') return writeNote(doing, planned, action.body);
  if (action.action === 'suggest') return suggest(doing, planned, action.body);
  if (action.action === 'webhook') return callWebhook(doing, planned, action);
  if (isContactAction(action)) return changeRuleContact({ ...doing, nowMs: doing.work.nowMs }, doing.work, action);
  const wanted = changeOf(action, doing.work.nowMs);
  return wanted === null ? { outcome: 'done', why: null } : change(doing, ruleId, wanted);
}

/** Null for an action that changes no conversation. */
function changeOf(action: Exclude<RuleAction, ContactAction | CallAction>, nowMs: number): ConversationChange | null {
  switch (action.action) {
    case 'tag':
      return { addTags: action.add ?? [], removeTags: action.remove ?? [] };
    case 'assign':
      return {
        ...(action.agent_id === undefined ? {} : { assigneeId: action.agent_id as AgentId | null }),
        ...(action.team_id === undefined ? {} : { teamId: action.team_id as TeamId | null }),
      };
    case 'state':
      return {
        ...(action.status === undefined ? {} : { status: action.status }),
        ...(action.priority === undefined ? {} : { priority: action.priority }),
      };
    case 'snooze':
      return { status: 'snoozed', snoozedUntilMs: action.for_s === undefined ? null : nowMs + action.for_s * 1000 };
    case 'handoff':
      return { status: 'open', handledBy: 'agent' };
    case 'reply':
    case 'note':
    case 'suggest':
    case 'stop':
      return null;
    default:
      return action satisfies never;
  }
}

async function change({ rt, tx, events, work }: Doing, ruleId: string, wanted: ConversationChange): Promise<Outcome> {
  const { tenantId, message } = work;
  const actor = { kind: 'rule', id: ruleId } as const;
  const request = { tenantId, conversationId: message.conversationId, actor, cause: 'rule', change: wanted };
  try {
    await updateConversation(rt, tx, events, request);
    return { outcome: 'done', why: null };
  } catch (error) {
    // The state of the conversation does not allow it; nothing was written, and the other actions continue.
    if (error instanceof ApiProblem) return { outcome: 'failed', why: error.message };
    throw error;
  }
}

async function queueReply(
  { tx, work, replies }: Doing & { readonly replies: RuleReply[] },
  { ruleId, index, action }: PlannedAction,
): Promise<Outcome> {
  const { tenantId, decisionId, message, nowMs } = work;
  const { sender: to, phoneNumberId } = message;
  const { action: _name, ...content } = action as typeof action & { readonly action: 'reply' };
  const identity = { tenantId, decisionId, ruleId, action: index, place: replies.length };
  const reply: RuleReply = { ...identity, to, phoneNumberId, content, createdMs: nowMs };
  await insertReply(tx, reply, nowMs + REPLY_LEASE_MS);
  replies.push(reply);
  return { outcome: 'queued', why: null };
}

type CallAction = Extract<RuleAction, { readonly action: 'webhook' }>;

/**
 * Sends what the rule says to one webhook endpoint. It is an event of this transaction: it leaves after the commit,
 * signed and repeated as every event is, and not at all when the transaction is rolled back.
 */
async function callWebhook(
  { tx, events, work }: Doing,
  { ruleId, index }: PlannedAction,
  { endpoint_id, data = {} }: CallAction,
): Promise<Outcome> {
  const { tenantId, decisionId, message } = work;
  const endpoint = await findEndpoint(tx, tenantId, endpoint_id.toLowerCase());
  if (endpoint === null) return { outcome: 'failed', why: 'The webhook endpoint was deleted.' };
  if (endpoint.disabledReason !== null) return { outcome: 'failed', why: 'The webhook endpoint is disabled.' };
  const call = {
    endpoint_id: endpoint.endpointId,
    rule_id: ruleId,
    action: index,
    decision_id: decisionId,
    message_id: message.messageId,
    conversation_id: message.conversationId,
    contact_id: message.contactId,
    phone_number_id: message.phoneNumberId,
    from: message.fromPhone,
    type: message.type,
    text: message.body,
    data,
  };
  events.add({ tenantId, type: 'rule.fired', data: call });
  return { outcome: 'done', why: null };
}

async function suggest({ rt, tx, events, work }: Doing, { ruleId }: PlannedAction, body: string): Promise<Outcome> {
  const { tenantId, message } = work;
  const author = { kind: 'rule', id: ruleId } as const;
  const proposal = { tenantId, conversationId: message.conversationId, body, author, lastsS: SUGGESTION_S };
  try {
    await proposeSuggestion(rt, tx, events, proposal);
    return { outcome: 'done', why: null };
  } catch (error) {
    // There is no room for another one; nothing was written, and the other actions continue.
    if (error instanceof ApiProblem) return { outcome: 'failed', why: error.message };
    throw error;
  }
}

async function writeNote({ rt, tx, work }: Doing, { ruleId }: PlannedAction, body: string): Promise<Outcome> {
  const { tenantId, message, nowMs } = work;
  const { conversationId } = message;
  await insertRuleNote(tx, { tenantId, conversationId, noteId: rt.newId<NoteId>(), body, ruleId, nowMs });
  return { outcome: 'done', why: null };
}
