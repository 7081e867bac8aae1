import type { JsonObject } from '#core/json';
import type { MessageContext } from './message-context.ts';

/** Edits that are kept of one message: more than people make, and few enough for a row. */
export const MAX_EDITS = 50;

/** What a message said at first, or after an edit. */
export interface MessageVersion {
  /** The network's id of the edit; null: the message as it was sent. */
  readonly changeId: string | null;
  readonly atMs: number;
  readonly body: string | null;
}

/** An edit or the deletion of a message, as the network reports it. */
export interface ContentChange {
  /** The network's id of the change itself. */
  readonly changeId: string;
  readonly atMs: number;
  /** What the message says now, a text or a caption; null: it was deleted. All else about a message cannot be edited. */
  readonly edit: { readonly body: string | null } | null;
}

/** What a change looks at, and changes, of a message of a customer. */
export interface ChangeableMessage {
  readonly type: string;
  readonly networkMs: number;
  readonly body: string | null;
  readonly content: JsonObject;
  readonly context: MessageContext | null;
  /** Oldest first, beginning with the message as it was sent; null: it was never edited. */
  readonly versions: readonly MessageVersion[] | null;
  /** By the network's clock; null: it is not deleted. */
  readonly deletedMs: number | null;
}

/**
 * The message after a change; the same object when the change says nothing new. In whichever order changes come, and however
 * often, the message ends the same: the latest edit is what it says, and a deletion takes all of it away for good.
 */
export function changeMessage<Message extends ChangeableMessage>(before: Message, change: ContentChange): Message {
  if (change.edit === null) return deleteMessage(before, change.atMs);
  return before.deletedMs === null ? editMessage(before, change, change.edit.body) : before;
}

/** Of several deletions the first one counts. */
function deleteMessage<Message extends ChangeableMessage>(before: Message, atMs: number): Message {
  if (before.deletedMs !== null && before.deletedMs <= atMs) return before;
  return { ...before, body: null, content: {}, context: null, versions: null, deletedMs: atMs };
}

function editMessage<Message extends ChangeableMessage>(
  before: Message,
  { changeId, atMs }: ContentChange,
  body: string | null,
): Message {
  const sent: MessageVersion = { changeId: null, atMs: before.networkMs, body: before.body };
  const [first = sent, ...edits] = before.versions ?? [];
  if (edits.some((edit) => edit.changeId === changeId)) return before;
  const edit: MessageVersion = { changeId, atMs, body };
  const kept = [...edits, edit].sort(byTime).slice(-MAX_EDITS);
  if (!kept.includes(edit)) return before;
  const shown = kept.at(-1) === edit ? { body, content: withText(before, body) } : {};
  return { ...before, versions: [first, ...kept], ...shown };
}

/** Edits of the same second are ordered by their ids, so that every process orders them alike. */
function byTime(left: MessageVersion, right: MessageVersion): number {
  return left.atMs - right.atMs || ((left.changeId ?? '') < (right.changeId ?? '') ? -1 : 1);
}

/** Where the text of a type stands in its content. */
const textKeys: ReadonlyMap<string, string> = new Map([
  ['text', 'body'],
  ['image', 'caption'],
  ['video', 'caption'],
  ['document', 'caption'],
]);

function withText({ type, content }: ChangeableMessage, body: string | null): JsonObject {
  const key = textKeys.get(type);
  if (key === undefined) return content;
  const { [key]: _before, ...rest } = content;
  return body === null ? rest : { ...rest, [key]: body };
}
