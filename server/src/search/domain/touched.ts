import { isUuid } from '#core/ids';
import type { JsonValue } from '#core/json';
import { objectOf } from '#core/json-fields';
import type { EventType, StoredEvent } from '#events/domain/event';

/** The events after which something is found by other words. */
export const INDEXED_EVENTS: readonly EventType[] = [
  'message.received',
  'message.edited',
  'message.deleted',
  'note.created',
  'contact.created',
  'contact.updated',
  'contact.deleted',
  'contact.merged',
  'contact.unmerged',
  'conversation.opened',
  'conversation.updated',
  'conversation.assigned',
  'conversation.snoozed',
  'conversation.resolved',
  'conversation.reopened',
  'conversation.replied',
  // Messages from before the API are reported by no events of their own.
  'account.notice',
];

/** Whether messages were stored that no event names: they are looked for in the tables. */
export function bringsPast({ type, data }: Pick<StoredEvent, 'type' | 'data'>): boolean {
  return type === 'account.notice' && data.field === 'history';
}

/** What events say has changed, by ids. */
export interface Touched {
  readonly messages: ReadonlySet<string>;
  readonly notes: ReadonlySet<string>;
  readonly contacts: ReadonlySet<string>;
  readonly conversations: ReadonlySet<string>;
  readonly erasedContacts: ReadonlySet<string>;
}

export function touchedBy(events: readonly Pick<StoredEvent, 'type' | 'data'>[], queued: readonly string[]): Touched {
  const touched = {
    messages: new Set(queued),
    notes: new Set<string>(),
    contacts: new Set<string>(),
    conversations: new Set<string>(),
    erasedContacts: new Set<string>(),
  };
  for (const { type, data } of events) {
    // What was sent through the API is known since it was queued; what was written on the phone never was.
    if (type === 'conversation.replied') {
      if (data.cause === 'phone') add(touched.messages, objectOf(data.reply).message_id);
      continue;
    }
    const kind = type.slice(0, type.indexOf('.'));
    if (kind === 'message') add(touched.messages, data.id);
    if (kind === 'note') add(touched.notes, data.id);
    if (kind === 'conversation') add(touched.conversations, data.id);
    if (type === 'contact.deleted') add(touched.erasedContacts, data.id);
    else if (kind === 'contact')
      for (const id of [data.id, data.merged_contact_id, data.survivor_id]) add(touched.contacts, id);
  }
  return touched;
}

/** What was erased since has no id any more, or one that names nothing. */
function add(ids: Set<string>, id: JsonValue | undefined): void {
  if (typeof id === 'string' && isUuid(id)) ids.add(id);
}
