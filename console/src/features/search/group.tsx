import { useInfiniteQuery } from '@tanstack/react-query';
import { Button } from '../../components/button.tsx';
import { t } from '../../locales/text.ts';
import { ContactRow, ConversationRow, MessageRow, NoteRow } from './hits.tsx';
import { type Group, type Hits, type HitsOf, moreQuery } from './results.ts';

interface Props<G extends Group> {
  readonly q: string;
  readonly group: G;
  readonly first: Hits<HitsOf[G]>;
}

/** The hits of one kind, and what leads to older ones. */
export function SearchGroup<G extends Group>({ q, group, first }: Props<G>) {
  const cursor = first.page.next_cursor;
  const more = useInfiniteQuery(moreQuery(q, group, cursor ?? ''));
  const pages = more.data?.pages ?? [];
  const hits = [first, ...pages].flatMap(({ data }) => data);
  const hasMore = cursor !== null && (pages.length === 0 || more.hasNextPage);
  if (hits.length === 0 && !hasMore) return null;
  const goOn = () => void (pages.length === 0 ? more.refetch() : more.fetchNextPage());
  return (
    <section aria-label={t(`search.${group}`)} className="mb-6">
      <h2 className="px-2 pb-1 text-xs font-semibold text-muted">{t(`search.${group}`)}</h2>
      <ul>
        {hits.map((hit) => (
          <li key={idOf(hit)}>
            <Row hit={hit} />
          </li>
        ))}
      </ul>
      {more.error && <p className="px-2 py-1 text-sm text-bad">{t('search.failed')}</p>}
      {hasMore && (
        <Button look="quiet" className="mt-1" onClick={goOn} disabled={more.isFetching}>
          {t(hits.length === 0 ? 'search.lookFurther' : 'search.more')}
        </Button>
      )}
    </section>
  );
}

type AnyHit = HitsOf[Group];

function Row({ hit }: { readonly hit: AnyHit }) {
  if ('message' in hit) return <MessageRow hit={hit} />;
  if ('note' in hit) return <NoteRow hit={hit} />;
  return 'conversation' in hit ? <ConversationRow hit={hit} /> : <ContactRow hit={hit} />;
}

function idOf(hit: AnyHit): string {
  if ('message' in hit) return hit.message.id;
  if ('note' in hit) return hit.note.id;
  return 'conversation' in hit ? hit.conversation.id : hit.contact.id;
}
