import { useQuery } from '@tanstack/react-query';
import { Paperclip } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { type CannedReply, cannedRepliesQuery, type FilledText, fillCannedReply } from '../../../app/resources.ts';
import type { Conversation } from '../../../live/model.ts';
import { t } from '../../../locales/text.ts';
import { CannedValues } from './canned-values.tsx';

const SHOWN = 8;
type Use = (filled: FilledText) => void;

export interface FoundReplies {
  readonly found: readonly CannedReply[];
  /** A slash was typed, and none of the replies, which have been read, fits. */
  readonly isNone: boolean;
  readonly active: number;
  /** The reply whose values are asked for. */
  readonly asking: CannedReply | null;
  /** What to say of the last one: what it lacks, or why it could not be filled. */
  readonly notice: string | null;
  /** Whether the key was meant for the list. */
  readonly onKey: (event: KeyboardEvent, use: Use) => boolean;
  /** Asks for values, else fills the reply for the customer. */
  readonly choose: (reply: CannedReply, use: Use) => void;
  readonly fill: (values: Readonly<Record<string, string>>, use: Use) => void;
  readonly cancel: () => void;
}

/** The canned replies whose shortcut or text goes on as what stands behind the slash. */
export function useCannedReplies(draft: string, one: Conversation): FoundReplies {
  const [active, setActive] = useState(0);
  const [closedFor, setClosedFor] = useState<string | null>(null);
  const [asked, setAsked] = useState<{ readonly reply: CannedReply; readonly draft: string } | null>(null);
  const [notice, setNotice] = useState<{ readonly text: string; readonly draft: string } | null>(null);
  const isOpen = /^\/\S*$/.test(draft) && closedFor !== draft;
  const { data: replies = [], isSuccess } = useQuery({ ...cannedRepliesQuery, enabled: isOpen });
  const wanted = draft.slice(1).toLowerCase();
  const found = isOpen ? replies.filter((reply) => matches(reply, wanted)).slice(0, SHOWN) : [];
  const place = Math.min(active, Math.max(0, found.length - 1));
  const asking = isOpen && asked?.draft === draft ? asked.reply : null;
  const insert = async (reply: CannedReply, values: Readonly<Record<string, string>>, use: Use): Promise<void> => {
    setNotice({ text: t('canned.filling'), draft });
    try {
      const filled = await fillCannedReply(reply, one.id, values);
      use(filled);
      setAsked(null);
      const lacks = lackOf(filled);
      setNotice(lacks === '' ? null : { text: lacks, draft: filled.text });
    } catch (error) {
      setNotice({ text: error instanceof Error ? error.message : String(error), draft });
    }
  };
  const choose: FoundReplies['choose'] = (reply, use) => {
    if (reply.asks_for.length > 0) setAsked({ reply, draft });
    else void insert(reply, {}, use);
  };
  const onKey: FoundReplies['onKey'] = (event, use) => {
    if (!isOpen) return false;
    if (event.key === 'Escape') return done(setClosedFor(draft));
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) return done(setActive((place + step + found.length) % found.length));
    const chosen = found[place];
    if ((event.key !== 'Enter' && event.key !== 'Tab') || chosen === undefined) return false;
    return done(choose(chosen, use));
  };
  return {
    found,
    isNone: isOpen && isSuccess && found.length === 0,
    active: place,
    asking,
    notice: notice?.draft === draft ? notice.text : null,
    onKey,
    choose,
    fill: (values, use) => void (asking && insert(asking, values, use)),
    cancel: () => setAsked(null),
  };
}

const done = (_: unknown): boolean => true;

/** What is to be said of a filled reply that is not whole; '' if it is. */
function lackOf({ missing, missingFiles }: FilledText): string {
  const names = missing.map((name) => name.replace(/^(\?|contact\.(attributes\.)?)/, '')).join(', ');
  const lacks = [
    names === '' ? '' : t('canned.missing', { names }),
    missingFiles === 0 ? '' : t('canned.missingFiles', { count: missingFiles }),
  ];
  return lacks.filter((lack) => lack !== '').join(' ');
}

function matches({ shortcut, text }: CannedReply, wanted: string): boolean {
  return shortcut.toLowerCase().startsWith(wanted) || (wanted.length > 2 && text.toLowerCase().includes(wanted));
}

interface Props {
  readonly replies: FoundReplies;
  readonly onUse: Use;
}

export function CannedReplies({ replies, onUse }: Props) {
  const { found, isNone, active, asking, notice, choose, fill, cancel } = replies;
  if (found.length === 0 && !isNone && notice === null) return null;
  return (
    <div className="popup absolute inset-x-3 bottom-full mb-1 overflow-hidden p-1 md:inset-x-4">
      {asking === null ? (
        found.length > 0 && (
          <div role="listbox" aria-label={t('canned.label')}>
            {found.map((reply, place) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field below.
              // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field below.
              <div
                key={reply.id}
                role="option"
                aria-selected={place === active}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => choose(reply, onUse)}
                className="flex min-h-control-small cursor-pointer items-center gap-3 rounded px-2.5 py-1.5 aria-selected:bg-selected"
              >
                <span className="w-28 shrink-0 truncate font-medium">
                  <bdi>/{reply.shortcut}</bdi>
                </span>
                <span dir="auto" className="min-w-0 grow truncate text-muted">
                  {reply.text}
                </span>
                {reply.media_ids.length > 0 && (
                  <span className="flex shrink-0 items-center gap-1 text-sm text-muted">
                    <Paperclip size={14} aria-hidden="true" />
                    <span className="sr-only">{t('canned.files')}</span>
                    {reply.media_ids.length}
                  </span>
                )}
              </div>
            ))}
          </div>
        )
      ) : (
        <CannedValues key={asking.id} reply={asking} onFill={(values) => fill(values, onUse)} onCancel={cancel} />
      )}
      {isNone && <p className="px-2.5 py-2 text-sm text-muted">{t('canned.none')}</p>}
      {notice !== null && (
        <p role="status" className="px-2.5 py-1.5 text-sm text-muted">
          {notice}
        </p>
      )}
    </div>
  );
}
