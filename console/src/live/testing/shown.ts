/** What a page shows of what it holds: the part that tests compare. */
import { type Conversation, isOutbound, type ThreadItem } from '../model.ts';

/** What is compared of a conversation: everything that a row, a header or the composer shows. */
export function shownOf(one: Conversation) {
  const { id, status, assignee_id, priority, unread_count, waiting_since, snoozed_until, contact, last_message } = one;
  const window = { state: one.window.state, expires_at: one.window.expires_at };
  return {
    id,
    status,
    assignee_id,
    priority,
    unread_count,
    waiting_since,
    snoozed_until,
    contact,
    last_message,
    window,
  };
}

/** What a bubble shows. */
export function shownItem(item: ThreadItem) {
  if (!isOutbound(item)) return { id: item.id, body: item.body };
  return {
    id: item.id,
    body: item.body,
    status: item.status,
    state: item.delivery.state,
    error: item.delivery.error ?? null,
  };
}
