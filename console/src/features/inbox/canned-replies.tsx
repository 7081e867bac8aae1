import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { type CannedReply, cannedRepliesQuery } from '../../app/resources.ts';
import type { Conversation } from '../../live/model.ts';
import { t } from '../../locales/text.ts';

const SHOWN = 8;

export interface FoundReplies {
  readonly isOpen: boolean;
  readonly found: readonly CannedReply[];
  readonly active: number;
  readonly textOf: (reply: CannedReply) => string;
  /** Whether the key was meant for the list. */
  readonly onKey: (event: KeyboardEvent, use: (text: string) => void) => boolean;
}

/** The canned replies whose shortcut or text goes on as what stands behind the slash. */
export function useCannedReplies(draft: string, one: Conversation): FoundReplies {
  const [active, setActive] = useState(0);
  const [closedFor, setClosedFor] = useState<string | null>(null);
  const isOpen = /^\/\S*$/.test(draft) && closedFor !== draft;
  const { data: replies = [] } = useQuery({ ...cannedRepliesQuery, enabled: isOpen });
  const wanted = draft.slice(1).toLowerCase();
  const found = isOpen ? replies.filter((reply) => matches(reply, wanted)).slice(0, SHOWN) : [];
  const place = Math.min(active, Math.max(0, found.length - 1));
  const textOf = ({ text }: CannedReply) =>
    text.replace(/\{\{\s*contact\.name\s*(?:\|([^}]*))?\}\}/g, (_, other = '') => one.contact?.name ?? other);
  const onKey = (event: KeyboardEvent, use: (text: string) => void): boolean => {
    if (!isOpen) return false;
    if (event.key === 'Escape') return done(setClosedFor(draft));
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) return done(setActive((place + step + found.length) % found.length));
    const chosen = found[place];
    if ((event.key !== 'Enter' && event.key !== 'Tab') || chosen === undefined) return false;
    return done(use(textOf(chosen)));
  };
  return { isOpen, found, active: place, textOf, onKey };
}

const done = (_: unknown): boolean => true;

function matches({ shortcut, text }: CannedReply, wanted: string): boolean {
  return shortcut.toLowerCase().startsWith(wanted) || (wanted.length > 2 && text.toLowerCase().includes(wanted));
}

export function CannedReplies({
  replies,
  onUse,
}: {
  readonly replies: FoundReplies;
  readonly onUse: (text: string) => void;
}) {
  const { isOpen, found, active, textOf } = replies;
  if (!isOpen) return null;
  return (
    <div
      role="listbox"
      aria-label={t('canned.label')}
      className="popup absolute inset-x-3 bottom-full mb-1 overflow-hidden p-1 md:inset-x-4"
    >
      {found.map((reply, place) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field below.
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field below.
        <div
          key={reply.id}
          role="option"
          aria-selected={place === active}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onUse(textOf(reply))}
          className="flex cursor-pointer gap-3 rounded px-2.5 py-1.5 aria-selected:bg-selected"
        >
          <span className="w-28 shrink-0 truncate font-medium">/{reply.shortcut}</span>
          <span dir="auto" className="min-w-0 truncate text-muted">
            {textOf(reply)}
          </span>
        </div>
      ))}
      {found.length === 0 && <p className="px-2.5 py-2 text-sm text-muted">{t('canned.none')}</p>}
    </div>
  );
}
