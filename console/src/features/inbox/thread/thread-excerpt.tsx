import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { call } from '../../../app/api.ts';
import type { Agent } from '../../../app/resources.ts';
import { Button } from '../../../components/button.tsx';
import { State } from '../../../components/state.tsx';
import type { ThreadItem } from '../../../live/model.ts';
import { dayName, t } from '../../../locales/text.ts';
import { Bubble } from './bubble.tsx';
import { rowsOf } from './thread-rows.ts';

interface Props {
  readonly conversationId: string;
  /** The message or note that is shown with what stands around it. */
  readonly messageId: string;
  readonly agents: readonly Agent[] | undefined;
  readonly now: number;
  readonly onTrace: (messageId: string) => void;
  readonly onQuote: (item: ThreadItem) => void;
  readonly onLeave: () => void;
}

const ITEMS = 40;

const excerptQuery = (conversationId: string, around: string) =>
  queryOptions({
    queryKey: ['excerpt', conversationId, around],
    queryFn: async ({ signal }) => {
      const query = { around, limit: ITEMS };
      const path = `/v1/conversations/${conversationId}/messages`;
      const { data } = await call<{ readonly data: readonly ThreadItem[] }>(path, { query, signal });
      return data.toReversed();
    },
    placeholderData: keepPreviousData,
  });

/** A part of a thread, around a message that somebody has looked for: it is marked, however old it is. */
export function ThreadExcerpt({ conversationId, messageId, agents, now, onTrace, onQuote, onLeave }: Props) {
  const [around, setAround] = useState(messageId);
  useEffect(() => setAround(messageId), [messageId]);
  const { data: items, error, refetch } = useQuery(excerptQuery(conversationId, around));
  const marked = useRef<HTMLDivElement>(null);
  const rows = useMemo(
    () => (items === undefined ? [] : rowsOf({ items, pending: [], hasOlder: true, isLoaded: true })),
    [items],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is shown anew when other rows are.
  useEffect(() => {
    marked.current?.scrollIntoView({ block: 'center' });
  }, [rows]);
  if (items === undefined && error !== null) {
    return (
      <State title={t('search.failed')} body={t('list.failedBody')}>
        <Button onClick={() => void refetch()}>{t('action.tryAgain')}</Button>
        <Button onClick={onLeave}>{t('excerpt.leave')}</Button>
      </State>
    );
  }
  const [first, last] = [items?.[0]?.id, items?.at(-1)?.id];
  return (
    <>
      <div className="scroll-area min-h-0 grow" aria-busy={items === undefined}>
        <div role="log" aria-label={t('thread.label')} className="mx-auto max-w-3xl px-4 py-3">
          {first !== undefined && first !== around && (
            <Button look="quiet" onClick={() => setAround(first)}>
              <ArrowUp size={15} aria-hidden="true" />
              {t('excerpt.earlier')}
            </Button>
          )}
          {rows.map((row) => {
            if (row.kind === 'day') {
              return (
                <p key={row.key} className="py-3 text-center text-xs font-medium text-muted">
                  {dayName(row.at, now)}
                </p>
              );
            }
            if (row.kind !== 'item') return null;
            const isMarked = row.item.id === messageId;
            return (
              <div
                key={row.key}
                ref={isMarked ? marked : undefined}
                aria-current={isMarked ? 'true' : undefined}
                className="rounded-lg aria-[current]:bg-accent-soft aria-[current]:py-1"
              >
                <Bubble {...row} agents={agents} onTrace={onTrace} onQuote={onQuote} />
              </div>
            );
          })}
          {last !== undefined && last !== around && (
            <Button look="quiet" onClick={() => setAround(last)}>
              <ArrowDown size={15} aria-hidden="true" />
              {t('excerpt.later')}
            </Button>
          )}
        </div>
      </div>
      <p className="flex items-center justify-center gap-3 border-t border-line bg-hover px-3 py-1.5 text-sm text-muted">
        {t('excerpt.label')}
        <Button onClick={onLeave}>{t('excerpt.leave')}</Button>
      </p>
    </>
  );
}
