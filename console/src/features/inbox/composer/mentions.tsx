import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { type Agent, agentsQuery } from '../../../app/resources.ts';
import { t } from '../../../locales/text.ts';

const SHOWN = 8;
/** An at sign that begins a word, and the beginning of a name behind it, at the end of the text. */
const OPEN = /(?:^|\s)@([^@\n]{0,40})$/;

export interface FoundAgents {
  readonly found: readonly Agent[];
  readonly active: number;
  /** Whether the key was meant for the list. */
  readonly onKey: (event: KeyboardEvent, use: (text: string) => void) => boolean;
  readonly textWith: (agent: Agent) => string;
}

/** The agents whose name goes on as what stands behind the last at sign. @param note empty: nothing is looked for */
export function useMentions(note: string): FoundAgents {
  const [active, setActive] = useState(0);
  const [closedFor, setClosedFor] = useState<string | null>(null);
  const { data: agents = [] } = useQuery(agentsQuery);
  const wanted = closedFor === note ? undefined : OPEN.exec(note)?.[1]?.toLowerCase();
  const found =
    wanted === undefined ? [] : agents.filter(({ name }) => name.toLowerCase().startsWith(wanted)).slice(0, SHOWN);
  const place = Math.min(active, Math.max(0, found.length - 1));
  const textWith = ({ name }: Agent) => `${note.slice(0, note.lastIndexOf('@'))}@${name} `;
  const onKey = (event: KeyboardEvent, use: (text: string) => void): boolean => {
    const chosen = found[place];
    if (chosen === undefined) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setActive((place + step + found.length) % found.length);
    else if (event.key === 'Escape') setClosedFor(note);
    else if (event.key === 'Enter' || event.key === 'Tab') use(textWith(chosen));
    else return false;
    return true;
  };
  return { found, active: place, onKey, textWith };
}

/** The agents whom a note names. Of two names that begin alike, the longer one is meant. */
export function mentionsIn(note: string, agents: readonly Agent[]): readonly string[] {
  const named = agents.toSorted((left, right) => right.name.length - left.name.length);
  let rest = note;
  const ids: string[] = [];
  for (const { id, name } of named) {
    if (!rest.includes(`@${name}`)) continue;
    ids.push(id);
    rest = rest.replaceAll(`@${name}`, '');
  }
  return ids;
}

export function Mentions({
  mentions,
  onUse,
}: {
  readonly mentions: FoundAgents;
  readonly onUse: (text: string) => void;
}) {
  const { found, active, textWith } = mentions;
  if (found.length === 0) return null;
  return (
    <div
      role="listbox"
      aria-label={t('mention.label')}
      className="popup absolute inset-x-3 bottom-full mb-1 overflow-hidden p-1 md:inset-x-4"
    >
      {found.map((agent, place) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field below.
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field below.
        <div
          key={agent.id}
          role="option"
          aria-selected={place === active}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onUse(textWith(agent))}
          className="flex min-h-control-small cursor-pointer items-center gap-3 rounded px-2.5 py-1.5 aria-selected:bg-selected"
        >
          <span dir="auto" className="min-w-0 grow truncate font-medium">
            {agent.name}
          </span>
          <span className="text-xs text-muted">{t(`presence.${agent.availability}`)}</span>
        </div>
      ))}
    </div>
  );
}
