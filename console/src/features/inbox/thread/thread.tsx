import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import { useLive } from '../../../app/live.tsx';
import type { Agent } from '../../../app/resources.ts';
import type { Command } from '../../../live/commands.ts';
import type { ThreadItem } from '../../../live/model.ts';
import type { ThreadView } from '../../../live/view.ts';
import { clockTime, dayName, t } from '../../../locales/text.ts';
import { Bubble } from './bubble.tsx';
import { describeChange, useHistory } from './history.ts';
import { PendingBubble } from './pending-bubble.tsx';
import { rowsOf, type ThreadRow } from './thread-rows.ts';
import { useEndKept } from './use-end-kept.ts';

interface Props {
  readonly conversationId: string;
  readonly thread: ThreadView | null;
  readonly agents: readonly Agent[] | undefined;
  readonly now: number;
  readonly onTrace: (messageId: string) => void;
  readonly onEdit: (command: Command) => void;
  readonly onQuote: (item: ThreadItem) => void;
}

const NEAR_TOP_PX = 400;

/** What was said, the newest below; older messages are read when somebody scrolls up to them. */
export function Thread({ conversationId, thread, agents, now, onTrace, onEdit, onQuote }: Props) {
  const live = useLive();
  const scroller = useRef<HTMLDivElement>(null);
  const history = useHistory(conversationId);
  const rows = useMemo(() => {
    const changes = history.toReversed().flatMap((change) => {
      const text = describeChange(change, agents);
      return text === null ? [] : [{ key: change.id, at: change.at, text }];
    });
    return thread === null ? [] : rowsOf(thread, changes);
  }, [thread, history, agents]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 56,
    getItemKey: (place) => rows[place]?.key ?? place,
    overscan: 10,
    anchorTo: 'end',
    followOnAppend: true,
    paddingStart: 12,
    paddingEnd: 12,
  });
  const isLoaded = thread?.isLoaded ?? false;
  useEffect(() => {
    if (isLoaded) virtual.scrollToEnd();
  }, [isLoaded, virtual]);
  const noteEnd = useEndKept({ scroller, scrollToEnd: virtual.scrollToEnd, isShown: isLoaded });
  const onScroll = () => {
    noteEnd();
    if ((scroller.current?.scrollTop ?? 0) < NEAR_TOP_PX) void live.older(conversationId);
  };
  if (!isLoaded) return <Skeletons />;
  return (
    <div ref={scroller} onScroll={onScroll} className="scroll-area min-h-0 grow [overflow-anchor:none]">
      <div
        role="log"
        aria-label={t('thread.label')}
        className="relative mx-auto max-w-3xl"
        style={{ height: virtual.getTotalSize() }}
      >
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index];
          return (
            row && (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                className="absolute inset-x-0 top-0 px-4"
                style={{ transform: `translateY(${start}px)` }}
              >
                <Row row={row} agents={agents} now={now} onTrace={onTrace} onEdit={onEdit} onQuote={onQuote} />
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}

function Row({
  row,
  agents,
  now,
  onTrace,
  onEdit,
  onQuote,
}: { readonly row: ThreadRow } & Omit<Props, 'conversationId' | 'thread'>) {
  if (row.kind === 'day') {
    return (
      <p className="py-3 text-center text-xs font-medium text-muted">
        <span>{dayName(row.at, now)}</span>
      </p>
    );
  }
  if (row.kind === 'change') {
    return (
      <p className="py-1.5 text-center text-xs text-pretty text-muted">
        {row.text} · <time dateTime={row.at}>{clockTime(row.at)}</time>
      </p>
    );
  }
  if (row.kind === 'pending') return <PendingBubble command={row.command} onEdit={onEdit} />;
  return <Bubble {...row} agents={agents} onTrace={onTrace} onQuote={onQuote} />;
}

function Skeletons() {
  return (
    <div
      aria-busy="true"
      className="mx-auto flex min-h-0 w-full max-w-3xl grow flex-col justify-end gap-3 overflow-hidden p-4"
    >
      {['w-2/5', 'w-1/2 self-end', 'w-1/3', 'w-2/5 self-end'].map((shape) => (
        <div key={shape} className={`skeleton h-10 rounded-xl ${shape}`} />
      ))}
    </div>
  );
}
