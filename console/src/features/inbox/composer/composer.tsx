import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { agentsQuery } from '../../../app/resources.ts';
import type { Conversation, OutboundItem, ThreadItem } from '../../../live/model.ts';
import { t } from '../../../locales/text.ts';
import { customerName, windowLeftMs } from '../naming.ts';
import { CannedReplies, useCannedReplies } from '../prepared/canned-replies.tsx';
import { AttachmentTray } from './attachment-tray.tsx';
import { type Mode, useComposerCommands } from './composer-commands.ts';
import { EmojiCompletion, useEmojiCompletion } from './emoji-completion.tsx';
import { useFileDrop } from './file-drop.ts';
import { LeaseNotice } from './lease-notice.tsx';
import { Mentions, mentionsIn, useMentions } from './mentions.tsx';
import { ModeTabs } from './mode-tabs.tsx';
import { OpenedTool } from './opened-tool.tsx';
import { OtherDraft } from './other-draft.tsx';
import { OvertakenNotice, useOvertaken } from './overtaken.tsx';
import { Quote } from './quote.tsx';
import { MAX_TEXT } from './reply-contents.ts';
import { ScheduledList } from './scheduled-list.tsx';
import { SendRow } from './send-row.tsx';
import { SuggestionNotice } from './suggestion-notice.tsx';
import { TextField } from './text-field.tsx';
import type { OpenTool } from './tools.tsx';
import { useComposed } from './use-composed.ts';
import { useFilled } from './use-filled.ts';
import { useSending } from './use-sending.ts';
import { ClosedWindow } from './window-state.tsx';

const TemplatePicker = lazy(async () => ({
  default: (await import('../prepared/template-picker.tsx')).TemplatePicker,
}));

interface Props {
  readonly one: Conversation;
  readonly now: number;
  /** The newest message that is seen: an answer to what is not seen is refused. */
  readonly newestId: string | null;
  readonly hasPending: boolean;
  /** The newest answer of somebody else; undefined while the thread is not there. */
  readonly answer: OutboundItem | null | undefined;
  readonly quoted: ThreadItem | null;
  readonly onQuoteDrop: () => void;
  /** What is written now; '' once it is sent. */
  readonly onText: (text: string) => void;
}

/** Where an answer or a note is written. Enter sends, Shift and Enter begin a line. */
export function Composer({ one, now, newestId, hasPending, answer, quoted, onQuoteDrop, onText }: Props) {
  const { draft, files, write: keep, addFiles } = useComposed(one.id, hasPending);
  const [mode, setMode] = useState<Mode>('reply');
  const [isPicking, setPicking] = useState(false);
  const [tool, setTool] = useState<OpenTool>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const leftMs = windowLeftMs(one, now);
  const isClosed = leftMs === 0 && mode === 'reply';
  const replies = useCannedReplies(mode === 'reply' ? draft.body : '', one);
  const emoji = useEmojiCompletion(draft.body);
  const { data: agents = [] } = useQuery(agentsQuery);
  const mentions = useMentions(mode === 'note' ? draft.body : '');
  const write = (body: string) => {
    keep(body);
    onText(body);
    if (body === '') forget();
  };
  const { cannedReplyId, fillIn, forget, takeOver } = useFilled(one.id, write);
  const text = draft.body.trim();
  const quotedId = quoted?.id ?? null;
  const { canSend, send } = useSending({
    conversationId: one.id,
    mode,
    text,
    files,
    mentions: mentionsIn(text, agents),
    cannedReplyId,
    quotedId,
    newestId,
    hasPending,
  });
  const overtaken = useOvertaken(mode === 'reply' ? text : '', answer);
  const takeFiles = (added: readonly File[]) => {
    if (leftMs === 0) return;
    setMode('reply');
    addFiles(added);
  };
  const drop = useFileDrop(takeFiles);
  const takeSuggested = useCallback(
    (body: string) => {
      takeOver(body);
      field.current?.focus();
    },
    [takeOver],
  );
  const pickTemplate = useCallback(() => setPicking(true), []);
  useComposerCommands({ field, setMode, pickTemplate });
  useEffect(() => {
    if (quotedId !== null) field.current?.focus();
  }, [quotedId]);
  const sendAnyway = (sendAt: string | null = null) => {
    send(sendAt);
    forget();
    setTool(null);
    onQuoteDrop();
    onText('');
    field.current?.focus();
  };
  const finish = (sendAt: string | null) => {
    if (canSend && !isClosed && overtaken.by === null) sendAnyway(sendAt);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return;
    const completed = emoji.onKey(event);
    if (completed !== null) {
      if (completed !== '') write(completed);
      return event.preventDefault();
    }
    if (replies.onKey(event, fillIn) || mentions.onKey(event, write)) return event.preventDefault();
    if (event.key === 'Escape') return field.current?.blur();
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    finish(null);
  };
  const insert = (sign: string) => {
    const { selectionStart: from = draft.body.length, selectionEnd: to = from } = field.current ?? {};
    write(`${draft.body.slice(0, from)}${sign}${draft.body.slice(to)}`);
    field.current?.focus();
  };
  const border = mode === 'note' ? 'border-note-line bg-note' : 'border-line-strong bg-raised';
  return (
    <div className="relative mx-auto w-full max-w-3xl shrink-0 px-3 pb-3 md:px-4" {...drop.handlers}>
      <ScheduledList conversationId={one.id} />
      {mode === 'reply' && <LeaseNotice conversationId={one.id} text={text} />}
      {overtaken.by && <OvertakenNotice by={overtaken.by} onSend={() => sendAnyway()} onKeep={overtaken.accept} />}
      {mode === 'reply' && !isClosed && <SuggestionNotice conversationId={one.id} onTake={takeSuggested} />}
      <OtherDraft conversationId={one.id} draft={draft} />
      <div className="relative">
        <CannedReplies replies={replies} onUse={fillIn} />
        <Mentions mentions={mentions} onUse={write} />
        {tool === null && <EmojiCompletion completion={emoji} onUse={write} />}
        <OpenedTool
          tool={tool}
          one={one}
          onEmoji={insert}
          onSchedule={finish}
          onTemplate={pickTemplate}
          onClose={() => setTool(null)}
        />
        <div
          className={`rounded-xl border transition-colors focus-within:border-accent ${drop.isOver ? 'border-accent bg-accent-soft' : border}`}
        >
          <ModeTabs mode={mode} leftMs={leftMs} onMode={setMode} />
          {isClosed ? (
            <ClosedWindow one={one} onPick={pickTemplate} />
          ) : (
            <>
              {quoted && <Quote item={quoted} onDrop={onQuoteDrop} />}
              {mode === 'reply' && <AttachmentTray conversationId={one.id} files={files} />}
              <div className="px-1.5 pt-1">
                <TextField
                  field={field}
                  value={draft.body}
                  label={t(mode === 'note' ? 'composer.noteField' : 'composer.field', { name: customerName(one) })}
                  placeholder={t(mode === 'note' ? 'composer.notePlaceholder' : 'composer.placeholder')}
                  onChange={write}
                  onKeyDown={onKeyDown}
                />
              </div>
              <SendRow
                mode={mode}
                open={tool}
                canSend={canSend}
                onOpen={setTool}
                onFiles={takeFiles}
                onTemplate={pickTemplate}
                onSend={() => finish(null)}
              />
            </>
          )}
        </div>
      </div>
      {text.length > MAX_TEXT && (
        <p className="pt-1 text-xs text-bad">{t('composer.tooLong', { count: text.length - MAX_TEXT })}</p>
      )}
      <Suspense>{isPicking && <TemplatePicker isOpen onClose={() => setPicking(false)} one={one} />}</Suspense>
    </div>
  );
}
