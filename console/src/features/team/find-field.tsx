import { Search } from 'lucide-react';
import { type TextName, t } from '../../locales/text.ts';
import type { Among } from './find-people.ts';

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
    <div>
      <label className="flex items-center gap-2 rounded-md border border-line-strong bg-surface px-2.5 focus-within:border-accent focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-accent">
        <Search size={15} aria-hidden="true" className="shrink-0 text-muted" />
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
          className="h-field min-w-0 grow bg-transparent text-sm outline-none"
        />
      </label>
      <p role="status" className="sr-only">
        {text.trim() !== '' && t('teamFind.count', { count })}
      </p>
    </div>
  );
}

const AMONG: readonly (readonly [Among, TextName])[] = [
  ['all', 'teamFind.all'],
  ['owner', 'team.role.owner'],
  ['admin', 'team.role.admin'],
  ['agent', 'team.role.agent'],
  ['invited', 'teamFind.invited'],
];

interface AmongProps {
  /** Not everybody is told who has been invited. */
  readonly knowsInvited: boolean;
  readonly among: Among;
  readonly onAmong: (among: Among) => void;
}

/** Narrows down a list of people to one kind of them. */
export function AmongField({ knowsInvited, among, onAmong }: AmongProps) {
  const offered = AMONG.filter(([one]) => knowsInvited || one !== 'invited');
  return (
    <select
      aria-label={t('teamFind.among')}
      value={among}
      onChange={({ currentTarget }) => onAmong(AMONG.find(([one]) => one === currentTarget.value)?.[0] ?? 'all')}
      className="h-field rounded-md border border-line-strong bg-surface px-2 text-sm"
    >
      {offered.map(([one, name]) => (
        <option key={one} value={one}>
          {t(name)}
        </option>
      ))}
    </select>
  );
}
