import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowLeft, Search as SearchIcon, SearchX } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { AppCommand } from '../../app/command-registry.ts';
import { useCommands } from '../../app/commands.tsx';
import { useLine } from '../../app/live.tsx';
import { SEARCH_KEY } from '../../app/search-commands.tsx';
import { Button } from '../../components/button.tsx';
import { State } from '../../components/state.tsx';
import { t } from '../../locales/text.ts';
import { SearchGroup } from './group.tsx';
import { SearchHelp } from './help.tsx';
import { GROUPS, searchQuery } from './results.ts';

/** The time in which somebody who types goes on typing. */
const PAUSE_MS = 200;

/** Finds messages, notes, contacts and conversations. The address says what is looked for. */
export function Search() {
  const { q = '' } = useSearch({ from: '/shell/search' });
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(q);
  const shown = useRef(q);
  useEffect(() => {
    // The address was changed by somebody else than this field: by a link, or by the buttons of the browser.
    if (q !== shown.current) setText(q);
    shown.current = q;
  }, [q]);
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === shown.current) return;
    const timer = setTimeout(() => {
      shown.current = wanted;
      void navigate({ to: '/search', search: wanted === '' ? {} : { q: wanted }, replace: true });
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, navigate]);
  useCommands(
    useMemo<readonly AppCommand[]>(() => {
      const run = () => field.current?.select();
      return [{ id: 'search', name: t('search.title'), group: 'group.general', key: SEARCH_KEY, run }];
    }, []),
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrows move the focus between what can be focused anyway.
    <div className="flex h-full min-w-0 flex-col bg-surface" onKeyDown={walkHits}>
      <header className="flex h-14 shrink-0 items-center gap-2 border-b border-line px-2 sm:px-4">
        <h1 className="sr-only">{t('search.title')}</h1>
        <Link
          to="/inbox"
          search={{}}
          aria-label={t('action.back')}
          className="inline-grid size-control shrink-0 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink"
        >
          <ArrowLeft size={17} aria-hidden="true" className="rtl:rotate-180" />
        </Link>
        <label className="mx-auto flex min-w-0 max-w-3xl grow items-center gap-2 rounded-md border border-line-strong px-2.5 focus-within:border-accent">
          <SearchIcon size={16} aria-hidden="true" className="shrink-0 text-muted" />
          <input
            ref={field}
            // biome-ignore lint/a11y/noAutofocus: the screen is opened to type into it.
            autoFocus
            type="search"
            dir="auto"
            maxLength={500}
            aria-label={t('search.title')}
            placeholder={t('search.placeholder')}
            className="h-field min-w-0 grow bg-transparent text-base outline-none"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
      </header>
      <main className="scroll-area min-h-0 grow" aria-label={t('search.results')}>
        {q === '' ? <SearchHelp onTry={setText} /> : <Found q={q} />}
      </main>
    </div>
  );
}

function Found({ q }: { readonly q: string }) {
  const { data, error, refetch, isPlaceholderData } = useQuery(searchQuery(q));
  const line = useLine();
  if (data === undefined && error === null) return <Skeletons />;
  if (data === undefined) {
    const isOffline = line === 'offline';
    return (
      <State
        title={t(isOffline ? 'search.offline' : 'search.failed')}
        body={t(isOffline ? 'search.offlineBody' : 'list.failedBody')}
      >
        <Button onClick={() => void refetch()}>{t('action.tryAgain')}</Button>
      </State>
    );
  }
  const isNothing = GROUPS.every((group) => (data[group]?.data.length ?? 0) === 0 && !data[group]?.page.has_more);
  return (
    <div className="mx-auto max-w-3xl px-2 py-3 sm:px-4" aria-busy={isPlaceholderData}>
      {!data.complete && <p className="mb-3 rounded-md bg-warn-soft px-3 py-2 text-sm">{t('search.incomplete')}</p>}
      {isNothing && (
        <div className="py-16">
          <State
            icon={<SearchX size={20} aria-hidden="true" />}
            title={t('search.nothing')}
            body={t('search.nothingBody')}
          />
        </div>
      )}
      {GROUPS.map((group) => {
        const hits = data[group];
        return hits && <SearchGroup key={`${q} ${group}`} q={q} group={group} first={hits} />;
      })}
    </div>
  );
}

/** The arrows go from hit to hit, and from the first one back to the field. */
function walkHits(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || event.nativeEvent.isComposing) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input[type=search], [data-hit]')];
  const next = stops[stops.indexOf(document.activeElement as HTMLElement) + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

function Skeletons() {
  return (
    <div aria-busy="true" className="mx-auto flex max-w-3xl flex-col gap-2 p-4">
      {['a', 'b', 'c', 'd', 'e'].map((row) => (
        <div key={row} className="skeleton h-14 rounded-md" />
      ))}
    </div>
  );
}
