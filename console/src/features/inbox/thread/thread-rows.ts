/** What a thread shows, row by row. */
import type { Command } from '../../../live/commands.ts';
import { isCall, isInbound, isNote, isOutbound, type ThreadItem } from '../../../live/model.ts';
import type { ThreadView } from '../../../live/view.ts';
import { timeOf } from '../naming.ts';

export type ThreadRow =
  | { readonly kind: 'day'; readonly key: string; readonly at: string }
  | {
      readonly kind: 'item';
      readonly key: string;
      readonly item: ThreadItem;
      readonly isFirst: boolean;
      readonly reactions: readonly string[];
      readonly quoted: ThreadItem | null;
    }
  | { readonly kind: 'change'; readonly key: string; readonly at: string; readonly text: string }
  | { readonly kind: 'pending'; readonly key: string; readonly command: Command };

/** A change of the conversation, in words. */
export interface ChangeRow {
  readonly key: string;
  readonly at: string;
  readonly text: string;
}

/** Bubbles that come so close together belong together. */
const TOGETHER_MS = 3 * 60_000;

/** The rows of a thread, oldest first: days between them, and reactions at what they are about. */
export function rowsOf(
  { items, pending, hasOlder }: ThreadView,
  changes: readonly ChangeRow[] = [],
): readonly ThreadRow[] {
  const byId = new Map(items.map((item) => [item.id, item]));
  const reactions = reactionsOf(items, byId);
  const rows: ThreadRow[] = [];
  let before: ThreadItem | null = null;
  let day = '';
  // Changes of what is not held yet come with it.
  const oldest = hasOlder ? (items[0]?.created_at ?? '') : '';
  const waiting = changes.filter(({ at }) => at >= oldest);
  const pass = (until: string | null) => {
    while (waiting[0] !== undefined && (until === null || waiting[0].at < until)) {
      const [next] = waiting.splice(0, 1) as [ChangeRow];
      rows.push({ kind: 'change', ...next });
      before = null;
    }
  };
  for (const item of items) {
    if (isReaction(item) && targetOf(item, byId) !== null) continue;
    pass(item.created_at);
    const isNewDay = day !== dayOf(timeOf(item));
    day = dayOf(timeOf(item));
    if (isNewDay) rows.push({ kind: 'day', key: `day ${item.id}`, at: timeOf(item) });
    const replyTo = 'reply_to' in item ? item.reply_to : null;
    rows.push({
      kind: 'item',
      key: item.id,
      item,
      isFirst: isNewDay || before === null || sideOf(before) !== sideOf(item) || isApart(before, item),
      reactions: reactions.get(item.id) ?? [],
      quoted: replyTo === null ? null : (byId.get(replyTo) ?? null),
    });
    before = item;
  }
  pass(null);
  return [...rows, ...pending.map((command) => ({ kind: 'pending' as const, key: command.key, command }))];
}

export const sideOf = (item: ThreadItem): 'theirs' | 'ours' | 'note' =>
  isNote(item) ? 'note' : isInbound(item) && !isCallOfOurs(item) ? 'theirs' : 'ours';

const isCallOfOurs = (item: ThreadItem): boolean => isCall(item) && item.call?.direction === 'business_initiated';

const isReaction = (item: ThreadItem): boolean => item.type === 'reaction';

function targetOf(item: ThreadItem, byId: ReadonlyMap<string, ThreadItem>): string | null {
  const named = 'reply_to' in item ? item.reply_to : null;
  const id = named ?? (isOutbound(item) ? (item.reaction?.message_id ?? null) : null);
  return id !== null && byId.has(id) ? id : null;
}

/** The newest reaction of each side counts; an empty one takes it back. */
function reactionsOf(items: readonly ThreadItem[], byId: ReadonlyMap<string, ThreadItem>) {
  const found = new Map<string, Map<string, string>>();
  for (const item of items.filter(isReaction)) {
    const target = targetOf(item, byId);
    if (target === null) continue;
    const emoji = isOutbound(item) ? (item.reaction?.emoji ?? '') : isInbound(item) ? (item.body ?? '') : '';
    found.set(target, new Map(found.get(target) ?? []).set(sideOf(item), emoji));
  }
  return new Map([...found].map(([id, bySide]) => [id, [...bySide.values()].filter((emoji) => emoji !== '')]));
}

const dayOf = (at: string): string => new Date(at).toDateString();
const isApart = (left: ThreadItem, right: ThreadItem): boolean =>
  Date.parse(timeOf(right)) - Date.parse(timeOf(left)) > TOGETHER_MS;
