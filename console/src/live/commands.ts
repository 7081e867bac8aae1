/** What this person has done and the feed has not confirmed yet: a layer above the confirmed state. */
import type * as Sdk from '@postrider/sdk';
import type { Conversation, Priority, ThreadItem, Time } from './model.ts';
import { isInbound, isNote } from './model.ts';
import type { LiveState, Thread } from './state.ts';

/** The content of a reply, in the words of the API; without `send_at` it is sent now. */
export interface ReplyContent
  extends Pick<Sdk.ReplyText, 'reply_to' | 'canned_reply_id' | 'send_at'>,
    Pick<Sdk.OutboundMessage, 'body' | 'template' | 'reaction'> {
  readonly type: 'text' | 'template' | 'image' | 'video' | 'audio' | 'document' | 'sticker' | 'reaction';
  readonly media?: Pick<Sdk.UploadedMedia, 'media_id'> & Partial<Omit<Sdk.MessageMedia, 'media_id'>>;
}

export type Intent =
  | { readonly kind: 'reply'; readonly content: ReplyContent; readonly after: string | null; readonly force: boolean }
  | { readonly kind: 'note'; readonly body: string; readonly mentions?: readonly string[] }
  | { readonly kind: 'assign'; readonly assigneeId: string | null }
  | { readonly kind: 'snooze'; readonly until: Time | null }
  | { readonly kind: 'prioritize'; readonly priority: Priority }
  | { readonly kind: 'resolve' | 'reopen' | 'read' };

/** Why the service refused a command: its code and its sentence. */
export interface Refusal {
  readonly code: string;
  readonly sentence: string;
}

/** How far a command is. Only what was refused stays until somebody decides about it. */
export type Progress =
  | { readonly at: 'waiting' | 'sending' }
  | { readonly at: 'accepted'; readonly messageId?: string; readonly version?: number }
  | { readonly at: 'refused'; readonly refusal: Refusal };

export interface Command {
  /** Its Idempotency-Key, the same for every try: the service does it once. */
  readonly key: string;
  readonly conversationId: string;
  readonly intent: Intent;
  readonly issuedAt: Time;
  readonly progress: Progress;
  /** Until then it can be undone, and is not sent. */
  readonly holdUntil?: Time;
  /** It may have been done already: a further try is answered with what was true then. */
  readonly isRepeated?: boolean;
}

/** What became of one try. Lost: no answer came, and nobody knows whether it was done. */
export type Outcome =
  | { readonly kind: 'accepted'; readonly messageId: string }
  | { readonly kind: 'changed'; readonly conversation: Conversation }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'lost' };

/** Replies of this page carry it as their reference, so that the feed's event finds its command before the answer does. */
const REFERENCE_PREFIX = 'console:';
export const referenceOf = (key: string): string => `${REFERENCE_PREFIX}${key}`;

/** The command after a try. */
export function afterTry(command: Command, outcome: Outcome): Command {
  const isRepeated = command.isRepeated === true || outcome.kind === 'lost';
  return { ...command, progress: progressAfter(outcome), isRepeated };
}

function progressAfter(outcome: Outcome): Progress {
  switch (outcome.kind) {
    case 'accepted':
      return { at: 'accepted', messageId: outcome.messageId };
    case 'changed':
      return { at: 'accepted', version: outcome.conversation.version };
    case 'refused':
      return { at: 'refused', refusal: outcome.refusal };
    case 'lost':
      return { at: 'waiting' };
  }
}

/** Whether the confirmed state shows what the command did: then the layer is dropped, and nothing moves. */
export function isConfirmed(state: LiveState, command: Command): boolean {
  const { progress, conversationId } = command;
  if (progress.at !== 'accepted') return false;
  const held = state.conversations.get(conversationId)?.value ?? null;
  if (progress.version !== undefined) return held === null || held.version >= progress.version;
  const { messageId = '' } = progress;
  const thread = state.threads.get(conversationId);
  if (thread !== undefined) return thread.items.has(messageId) || isOlderThanHeld(thread, messageId);
  return held === null || command.intent.kind === 'note' || (held.last_message?.id ?? '') >= messageId;
}

/** So much has been written since that the message stands before what is held: it comes with the older ones. */
function isOlderThanHeld({ items, isLoaded }: Thread, messageId: string): boolean {
  if (!isLoaded || items.size === 0) return false;
  for (const id of items.keys()) if (id < messageId) return false;
  return true;
}

/**
 * A reply that was held, as if it had been sent when it was given: what the customer has written since does not stand in
 * its way. What was answered since does.
 */
export function inTurn(state: LiveState, command: Command): Command {
  const { intent, conversationId } = command;
  const newest = state.conversations.get(conversationId)?.value?.last_message ?? null;
  if (intent.kind !== 'reply' || intent.after === null || newest === null) return command;
  const { after } = intent;
  const items = [...(state.threads.get(conversationId)?.items.values() ?? [])].map(({ value }) => value);
  const isAnswered = items.some((one) => one.id > after && !isInbound(one) && !isNote(one));
  if (newest.direction !== 'inbound' || isAnswered) return command;
  return { ...command, intent: { ...intent, after: newest.id } };
}

/** What was added to the conversation after what the writer of this reply had seen. */
export function inBetween(state: LiveState, { intent, conversationId, key }: Command): readonly ThreadItem[] {
  if (intent.kind !== 'reply' || intent.after === null) return [];
  const { after } = intent;
  const items = [...(state.threads.get(conversationId)?.items.values() ?? [])].map(({ value }) => value);
  const added = items.filter((one) => one.id > after && !isNote(one) && !isOf(one, key));
  return added.sort((left, right) => (left.id < right.id ? -1 : 1));
}

const isOf = (item: ThreadItem, key: string): boolean => 'client_ref' in item && item.client_ref === referenceOf(key);

/** The commands whose message is in the thread already, although no answer has said so yet. */
export function isShown(state: LiveState, command: Command): boolean {
  const items = state.threads.get(command.conversationId)?.items;
  if (items === undefined) return false;
  const { intent, key, issuedAt } = command;
  for (const { value } of items.values()) {
    if (intent.kind === 'reply' && isOf(value, key)) return true;
    const isSame =
      intent.kind === 'note' && isNote(value) && value.body === intent.body && value.author.kind === 'agent';
    if (isSame && value.created_at >= issuedAt) return true;
  }
  return false;
}

/** The conversation as this person has changed it. */
export function overlay(one: Conversation, intent: Intent, issuedAt: Time): Conversation {
  switch (intent.kind) {
    case 'reply':
      return { ...one, waiting_since: null, last_message: { ...previewOf(intent.content), at: issuedAt, id: '' } };
    case 'note':
      return one;
    case 'assign':
      return { ...one, assignee_id: intent.assigneeId };
    case 'snooze':
      return { ...one, status: 'snoozed', snoozed_until: intent.until };
    case 'prioritize':
      return { ...one, priority: intent.priority };
    case 'resolve':
      return { ...one, status: 'resolved' };
    case 'reopen':
      return { ...one, status: 'open' };
    case 'read':
      return { ...one, unread_count: 0 };
  }
}

function previewOf(content: ReplyContent) {
  return {
    direction: 'outbound' as const,
    type: content.type,
    preview: content.body ?? content.media?.caption ?? null,
  };
}
