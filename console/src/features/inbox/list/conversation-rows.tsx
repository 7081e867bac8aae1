import { useQuery } from '@tanstack/react-query';
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useRef } from 'react';
import { useLive, useNow } from '../../../app/live.tsx';
import { agentsQuery } from '../../../app/resources.ts';
import type { View } from '../../../app/views.ts';
import type { Conversation } from '../../../live/model.ts';
import { agentName } from '../naming.ts';
import { ConversationRow, ROW_PX } from './conversation-row.tsx';
import type { Selection } from './selection.ts';

interface Props {
  readonly view: View;
  readonly chosen: string | null;
  readonly onChoose: (id: string | null) => void;
  readonly rows: readonly Conversation[];
  /** Those of the rows; the same array as long as the order is the same. */
  readonly ids: readonly string[];
  readonly selection: Selection;
  readonly hold: () => void;
  readonly release: () => void;
}

const AHEAD = 12;

/** The rows on the screen, and what leads to more of them. */
export function ConversationRows({ rows, ids, view, chosen, onChoose, selection, hold, release }: Props) {
  const live = useLive();
  const now = useNow();
  const { data: agents } = useQuery(agentsQuery);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    // A new function would make the list compute the positions of all rows again.
    getItemKey: useCallback((place: number) => ids[place] ?? place, [ids]),
    overscan: 8,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows.length - AHEAD) live.more(view.list.name);
  }, [live, view.list.name, last, rows.length]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a choice scrolls; a list that moves must not.
  useEffect(() => {
    const place = rows.findIndex(({ id }) => id === chosen);
    const top = place < 0 ? null : scrollFor(virtual, place);
    if (top !== null) scroller.current?.scrollTo({ top });
  }, [chosen, virtual]);
  return (
    <div ref={scroller} className="scroll-area absolute inset-0" onPointerEnter={hold} onPointerLeave={release}>
      <ul aria-label={view.title} className="relative" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const one = rows[index];
          return (
            one && (
              <li key={key} className="absolute inset-x-0 top-0" style={{ transform: `translateY(${start}px)` }}>
                <ConversationRow
                  one={one}
                  now={now}
                  assignee={agentName(agents, one.assignee_id)}
                  isChosen={one.id === chosen}
                  isSelected={selection.has(one.id)}
                  onChoose={onChoose}
                  onSelect={selection.toggle}
                />
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}

/** Where to scroll for a row to be seen as a whole; null: it is. What is known is asked: the list itself would ask the browser for its layout. */
function scrollFor({ scrollOffset, scrollRect }: Virtualizer<HTMLDivElement, Element>, place: number): number | null {
  const [from, height] = [scrollOffset ?? 0, scrollRect?.height ?? 0];
  const top = place * ROW_PX;
  if (top < from) return top;
  return top + ROW_PX > from + height ? top + ROW_PX - height : null;
}
