import { LayoutTemplate, Lock, SendHorizontal } from 'lucide-react';
import { type KeyboardEvent, lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { useCommands } from '../../app/commands.tsx';
import { useLive } from '../../app/live.tsx';
import { Button, IconButton } from '../../components/button.tsx';
import type { Conversation } from '../../live/model.ts';
import { exactTime, span, t } from '../../locales/text.ts';
import { CannedReplies, useCannedReplies } from './canned-replies.tsx';
import { customerName, windowLeftMs } from './naming.ts';

const TemplatePicker = lazy(async () => ({ default: (await import('./template-picker.tsx')).TemplatePicker }));

interface Props {
  readonly one: Conversation;
  readonly now: number;
  /** The newest message that is seen: an answer to what is not seen is refused. */
  readonly newestId: string | null;
  readonly hasPending: boolean;
  readonly draft: string;
  readonly onDraft: (text: string) => void;
}

/** The API's limit of a text. */
const MAX_TEXT = 4_096;
const CLOSING_MS = 2 * 3_600_000;

/** Where an answer or a note is written. Enter sends, Shift and Enter begin a line. */
export function Composer({ one, now, newestId, hasPending, draft, onDraft }: Props) {
  const live = useLive();
  const [mode, setMode] = useState<'reply' | 'note'>('reply');
  const [isPicking, setPicking] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const leftMs = windowLeftMs(one, now);
  const isClosed = leftMs === 0 && mode === 'reply';
  const replies = useCannedReplies(mode === 'reply' ? draft : '', one);
  useGrowing(field, draft);
  useComposerKeys(field, setMode, setPicking);
  const text = draft.trim();
  const send = () => {
    if (text === '' || text.length > MAX_TEXT || isClosed) return;
    if (mode === 'note') live.submit(one.id, { kind: 'note', body: text });
    else {
      const after = hasPending ? null : newestId;
      live.submit(one.id, { kind: 'reply', content: { type: 'text', body: text }, after, force: false });
    }
    onDraft('');
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (replies.onKey(event, onDraft)) return event.preventDefault();
    if (event.key === 'Escape') return field.current?.blur();
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    send();
  };
  return (
    <div className="relative mx-auto w-full max-w-3xl shrink-0 px-3 pb-3 md:px-4">
      <CannedReplies replies={replies} onUse={onDraft} />
      <div
        className={`rounded-xl border transition-colors focus-within:border-accent ${mode === 'note' ? 'border-note-line bg-note' : 'border-line-strong bg-raised'}`}
      >
        <div className="flex items-center gap-1 px-1.5 pt-1.5" role="tablist" aria-label={t('composer.mode')}>
          {(['reply', 'note'] as const).map((one) => (
            <button
              key={one}
              type="button"
              role="tab"
              aria-selected={mode === one}
              onClick={() => setMode(one)}
              className="h-6 rounded px-2 text-xs font-medium text-muted hover:text-ink aria-selected:bg-hover aria-selected:text-ink"
            >
              {t(`composer.${one}`)}
            </button>
          ))}
          {mode === 'reply' && <WindowHint leftMs={leftMs} />}
        </div>
        {isClosed ? (
          <ClosedWindow one={one} onPick={() => setPicking(true)} />
        ) : (
          <div className="flex items-end gap-1 p-1.5">
            <textarea
              ref={field}
              rows={1}
              dir="auto"
              value={draft}
              aria-label={t(mode === 'note' ? 'composer.noteField' : 'composer.field', { name: customerName(one) })}
              placeholder={t(mode === 'note' ? 'composer.notePlaceholder' : 'composer.placeholder')}
              onChange={(event) => onDraft(event.target.value)}
              onKeyDown={onKeyDown}
              className="scroll-area max-h-48 min-h-8 grow resize-none bg-transparent px-2 py-1.5 outline-none"
            />
            {mode === 'reply' && (
              <IconButton label={t('template.choose')} onClick={() => setPicking(true)}>
                <LayoutTemplate size={17} aria-hidden="true" />
              </IconButton>
            )}
            <Button
              look="primary"
              onClick={send}
              disabled={text === '' || text.length > MAX_TEXT}
              aria-label={t(mode === 'note' ? 'composer.addNote' : 'composer.send')}
            >
              <SendHorizontal size={15} aria-hidden="true" className="rtl:-scale-x-100" />
            </Button>
          </div>
        )}
      </div>
      {text.length > MAX_TEXT && (
        <p className="pt-1 text-xs text-bad">{t('composer.tooLong', { count: text.length - MAX_TEXT })}</p>
      )}
      <Suspense>{isPicking && <TemplatePicker isOpen onClose={() => setPicking(false)} one={one} />}</Suspense>
    </div>
  );
}

/** How long free text is still allowed, once that is worth knowing. */
function WindowHint({ leftMs }: { readonly leftMs: number }) {
  if (leftMs === 0) return null;
  return (
    <span
      className={`ms-auto pe-1.5 text-xs tabular-nums ${leftMs < CLOSING_MS ? 'font-medium text-warn' : 'text-muted'}`}
    >
      {t('window.left', { span: span(leftMs) })}
    </span>
  );
}

function ClosedWindow({ one, onPick }: { readonly one: Conversation; readonly onPick: () => void }) {
  const { expires_at: at } = one.window;
  return (
    <div className="flex flex-col items-start gap-3 p-3 sm:flex-row sm:items-center">
      <Lock size={16} aria-hidden="true" className="hidden shrink-0 text-warn sm:block" />
      <p className="min-w-0 grow text-sm text-pretty">
        {at === null ? t('window.neverOpen') : t('window.closed', { time: exactTime(at) })}{' '}
        <span className="text-muted">{t('window.why')}</span>
      </p>
      <Button look="primary" onClick={onPick}>
        <LayoutTemplate size={15} aria-hidden="true" />
        {t('template.choose')}
      </Button>
    </div>
  );
}

function useGrowing(field: { readonly current: HTMLTextAreaElement | null }, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows from the text.
  useEffect(() => {
    const one = field.current;
    if (one === null) return;
    one.style.height = 'auto';
    one.style.height = `${one.scrollHeight}px`;
  }, [text, field]);
}

function useComposerKeys(
  field: { readonly current: HTMLTextAreaElement | null },
  setMode: (mode: 'reply' | 'note') => void,
  setPicking: (isPicking: boolean) => void,
): void {
  useCommands(
    useMemo(() => {
      const into = (mode: 'reply' | 'note') => () => {
        setMode(mode);
        field.current?.focus();
      };
      return [
        { id: 'reply', name: t('command.reply'), group: 'group.conversation', key: 'r', run: into('reply') },
        { id: 'note', name: t('command.note'), group: 'group.conversation', key: 'n', run: into('note') },
        {
          id: 'template',
          name: t('template.choose'),
          group: 'group.conversation',
          key: 't',
          run: () => setPicking(true),
        },
      ];
    }, [field, setMode, setPicking]),
  );
}
