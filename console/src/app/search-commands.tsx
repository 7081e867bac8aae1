/** How one comes to the search from anywhere: a command with a key, and a link. */
import { Link, useMatchRoute, useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useMemo } from 'react';
import { Keys } from '../components/keys.tsx';
import { t } from '../locales/text.ts';
import type { AppCommand } from './command-registry.ts';
import { useCommands } from './commands.tsx';

export const SEARCH_KEY = '/';

/** Goes to the search. On its own screen, the same key goes to the field. */
export function SearchCommand() {
  const navigate = useNavigate();
  const isThere = Boolean(useMatchRoute()({ to: '/search' }));
  useCommands(
    useMemo<readonly AppCommand[]>(() => {
      const run = () => void navigate({ to: '/search', search: {} });
      return isThere ? [] : [{ id: 'search', name: t('search.title'), group: 'group.general', key: SEARCH_KEY, run }];
    }, [navigate, isThere]),
  );
  return null;
}

/** The command that searches for a text; null without one. */
export function useSearchFor(text: string): AppCommand | null {
  const navigate = useNavigate();
  const q = text.trim();
  if (q === '') return null;
  const run = () => void navigate({ to: '/search', search: { q } });
  return { id: 'search-for', name: t('search.for', { text: q }), group: 'group.general', run };
}

export function SearchLink({ isShort = false }: { readonly isShort?: boolean }) {
  const look = isShort
    ? 'inline-grid size-control place-items-center rounded-md text-muted hover:bg-hover hover:text-ink'
    : 'mb-1 flex h-control items-center gap-2 rounded-md border border-line bg-surface px-2 text-sm text-muted hover:border-line-strong';
  return (
    <Link to="/search" search={{}} className={look} aria-label={isShort ? t('search.title') : undefined}>
      <Search size={isShort ? 17 : 14} aria-hidden="true" />
      {!isShort && (
        <>
          <span className="grow text-start">{t('search.title')}</span>
          <Keys of={SEARCH_KEY} />
        </>
      )}
    </Link>
  );
}
