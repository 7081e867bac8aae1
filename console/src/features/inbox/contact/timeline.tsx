import type { PageInfo } from '@postrider/sdk';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { call } from '../../../app/api.ts';
import { useLive, useNow } from '../../../app/live.tsx';
import { agentsQuery } from '../../../app/resources.ts';
import { Button } from '../../../components/button.tsx';
import { exactTime, listTime, t } from '../../../locales/text.ts';
import { type Line, lineOf, type TimelineItem } from './timeline-words.ts';

const PAGE = 20;

interface Page {
  readonly data: readonly TimelineItem[];
  readonly page: PageInfo;
}

/** Everything that happened with a customer, newest first, read again when something more happens. */
export function Timeline({ contactId }: { readonly contactId: string }) {
  const live = useLive();
  const queries = useQueryClient();
  const { data: agents } = useQuery(agentsQuery);
  const timeline = useInfiniteQuery({
    queryKey: ['timeline', contactId],
    queryFn: ({ pageParam: cursor, signal }) => {
      const query = { limit: PAGE, ...(cursor === '' ? {} : { cursor }) };
      return call<Page>(`/v1/contacts/${contactId}/timeline`, { query, signal });
    },
    initialPageParam: '',
    getNextPageParam: ({ page }) => page.next_cursor,
  });
  useEffect(
    () =>
      live.onEvents((events) => {
        if (!events.some(({ data }) => (data as { contact_id?: string }).contact_id === contactId)) return;
        void queries.invalidateQueries({ queryKey: ['timeline', contactId] });
      }),
    [live, queries, contactId],
  );
  const items = timeline.data?.pages.flatMap(({ data }) => data) ?? [];
  const lines = items.flatMap((item) => lineOf(item, agents) ?? []);
  return (
    <section aria-labelledby="timeline-title" className="border-t border-line p-4">
      <h3 id="timeline-title" className="pb-2 text-xs font-semibold text-muted">
        {t('timeline.title')}
      </h3>
      {timeline.isPending && <div className="skeleton h-24" aria-busy="true" />}
      <ol className="flex flex-col gap-3" data-timeline="">
        {lines.map((line) => (
          <TimelineLine key={line.key} line={line} />
        ))}
      </ol>
      {timeline.isSuccess && lines.length === 0 && <p className="text-sm text-muted">{t('timeline.empty')}</p>}
      {timeline.isError && (
        <p role="alert" className="text-sm text-bad">
          {t('timeline.failed')}{' '}
          <Button look="quiet" onClick={() => void timeline.refetch()}>
            {t('timeline.again')}
          </Button>
        </p>
      )}
      {timeline.hasNextPage && (
        <Button
          look="quiet"
          className="mt-2"
          onClick={() => void timeline.fetchNextPage()}
          disabled={timeline.isFetchingNextPage}
        >
          {t('timeline.older')}
        </Button>
      )}
    </section>
  );
}

function TimelineLine({ line: { at, title, said, place } }: { readonly line: Line }) {
  const now = useNow();
  const shown = (
    <>
      <span className="flex items-baseline gap-2 text-xs text-muted">
        <span className="min-w-0 grow">{title}</span>
        <time dateTime={at} title={exactTime(at)} className="shrink-0 tabular-nums">
          {listTime(at, now)}
        </time>
      </span>
      {said && (
        <span dir="auto" className="line-clamp-2 text-sm [overflow-wrap:anywhere]">
          {said}
        </span>
      )}
    </>
  );
  if (place === null) return <li>{shown}</li>;
  return (
    <li>
      <Link
        to="/inbox/$conversationId"
        params={{ conversationId: place.conversationId }}
        search={{ message: place.itemId }}
        className="-mx-2 block rounded-md px-2 py-1 -my-1 hover:bg-hover"
      >
        {shown}
      </Link>
    </li>
  );
}
