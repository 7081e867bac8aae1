/** One change to many conversations, and the way back. */
import type { Intent } from '../../../live/commands.ts';
import type { Conversation } from '../../../live/model.ts';

/** What can be done to all that are selected. */
export type BulkIntent =
  | Extract<Intent, { readonly kind: 'assign' | 'prioritize' }>
  | { readonly kind: 'resolve' | 'reopen' };

/** Those that the change would change, before it is made. */
export function changedBy(intent: BulkIntent, selected: readonly Conversation[]): readonly Conversation[] {
  return selected.filter((one) => !isDone(intent, one));
}

/** Whether a conversation is as the change leaves it. */
export function isDone(intent: BulkIntent, one: Conversation): boolean {
  switch (intent.kind) {
    case 'assign':
      return one.assignee_id === intent.assigneeId;
    case 'prioritize':
      return one.priority === intent.priority;
    case 'resolve':
      return one.status === 'resolved';
    case 'reopen':
      return one.status === 'open';
  }
}

/**
 * What makes a conversation again what it was.
 * @param before as it was before the change
 */
export function wayBack(intent: BulkIntent, before: Conversation): Intent {
  if (intent.kind === 'assign') return { kind: 'assign', assigneeId: before.assignee_id };
  if (intent.kind === 'prioritize') return { kind: 'prioritize', priority: before.priority };
  if (before.status === 'snoozed') return { kind: 'snooze', until: before.snoozed_until };
  return { kind: before.status === 'resolved' ? 'resolve' : 'reopen' };
}
