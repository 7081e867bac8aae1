/** Edits and deletions: the network reports them as messages that name the message that they change. */

import type { JsonObject } from '#core/json';
import { idOf, objectOf, type Person, textOf } from '#core/json-fields';
import type { ContentChange } from '#messages/domain/message-change';
import { readContent } from './callback-content.ts';
import type { ChangeItem, IgnoredItem } from './callback-items.ts';

/** What the reader of messages knows of every one of them. */
interface ChangeFacts {
  readonly phoneNumberId: string;
  readonly changeId: string;
  readonly at: number;
  readonly sender: Person;
}

const CHANGE_TYPES: ReadonlySet<string> = new Set(['edit', 'revoke']);

/** Whether a message is none of its own, but changes another one. */
export function isChange(message: JsonObject): boolean {
  return CHANGE_TYPES.has(textOf(message.type) ?? '');
}

export function readMessageChange(
  raw: JsonObject,
  { phoneNumberId, changeId, at, sender }: ChangeFacts,
): ChangeItem | IgnoredItem {
  const told = objectOf(raw[textOf(raw.type) ?? '']);
  const networkMessageId = idOf(told.original_message_id);
  if (networkMessageId === null) return { kind: 'ignored', reason: 'A change does not say of which message.', raw };
  const edit = raw.type === 'edit' ? readEdit(objectOf(told.message)) : null;
  if (edit === 'unreadable') return { kind: 'ignored', reason: 'An edit does not say what the message says now.', raw };
  const { phone: from, userId } = sender;
  return { kind: 'change', phoneNumberId, networkMessageId, from, userId, change: { changeId, atMs: at, edit } };
}

/** What the message says after an edit. A caption may be gone; a text cannot. */
function readEdit(message: JsonObject): ContentChange['edit'] | 'unreadable' {
  const { type, body } = readContent(message);
  return type === 'unsupported' ? 'unreadable' : { body };
}
