import { type TextName, t } from '../../locales/text.ts';

const EXAMPLES: readonly (readonly [query: string, what: TextName])[] = [
  ['mü', 'search.helpBeginning'],
  ['"left this morning"', 'search.helpPhrase'],
  ['from:customer', 'search.helpFrom'],
  ['from:me', 'search.helpMe'],
  ['in:delivery', 'search.helpIn'],
  ['has:media', 'search.helpHas'],
  ['after:2026-01 before:2026-03', 'search.helpTime'],
];

/** What can be looked for, as long as nothing is. */
export function SearchHelp({ onTry }: { readonly onTry: (query: string) => void }) {
  return (
    <section className="mx-auto max-w-xl px-4 py-8">
      <h1 className="font-semibold">{t('search.helpTitle')}</h1>
      <ul className="mt-3 flex flex-col">
        {EXAMPLES.map(([query, what]) => (
          <li key={query}>
            <button
              type="button"
              data-hit=""
              onClick={() => onTry(query)}
              className="grid w-full items-baseline gap-x-4 rounded-md px-2 py-1.5 text-start hover:bg-hover md:grid-cols-[15.5rem_1fr]"
            >
              <code className="font-mono text-sm text-accent">{query}</code>
              <span className="text-sm text-muted">{t(what)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
