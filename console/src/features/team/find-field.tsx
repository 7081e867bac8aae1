import { Search } from 'lucide-react';
import { t } from '../../locales/text.ts';

/** With fewer people, a look is quicker than a search. */
export const FIND_FROM = 12;

interface Props {
  readonly text: string;
  readonly onText: (text: string) => void;
  /** How many people match. */
  readonly count: number;
}

/** Narrows down a list of people while somebody types. */
export function FindField({ text, onText, count }: Props) {
  return (
    <div className="relative">
      <Search size={15} aria-hidden="true" className="absolute inset-y-0 start-2.5 my-auto text-muted" />
      <input
        type="search"
        aria-label={t('teamFind.label')}
        placeholder={t('teamFind.label')}
        value={text}
        dir="auto"
        autoComplete="off"
        onChange={(event) => onText(event.currentTarget.value)}
        // Inside a form, it must not submit what is being changed.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        className="h-9 w-full rounded-md border border-line-strong bg-surface ps-8 pe-2.5 text-sm"
      />
      <p role="status" className="sr-only">
        {text.trim() !== '' && t('teamFind.count', { count })}
      </p>
    </div>
  );
}
