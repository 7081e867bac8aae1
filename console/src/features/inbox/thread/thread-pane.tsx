import { useQuery } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import { lazy, memo, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { attachments } from '../../../app/composing/attachments.ts';
import { useDrafts } from '../../../app/composing/drafts.tsx';
import { useLive, useNow, useSnapshot } from '../../../app/live.tsx';
import { useMe } from '../../../app/me.tsx';
import { agentsQuery } from '../../../app/resources.ts';
import { useOwnSignal } from '../../../app/signals.ts';
import { reach } from '../../../app/steps.ts';
import { Button } from '../../../components/button.tsx';
import { State } from '../../../components/state.tsx';
import type { Command } from '../../../live/commands.ts';
import type { DraftSync } from '../../../live/draft-sync.ts';
import type { ThreadItem } from '../../../live/model.ts';
import { viewConversation, viewThread } from '../../../live/view.ts';
import { t } from '../../../locales/text.ts';
import { Composer } from '../composer/composer.tsx';
import { answerOfOthers } from '../composer/overtaken.tsx';
import { CollisionNotice } from '../signals.tsx';
import { Thread } from './thread.tsx';
import { ThreadHeader } from './thread-header.tsx';

const ThreadExcerpt = lazy(async () => ({ default: (await import('./thread-excerpt.tsx')).ThreadExcerpt }));
const Trace = lazy(async () => ({ default: (await import('./trace.tsx')).Trace }));

interface Props {
  readonly conversationId: string;
  /** The message that the thread is opened at; null: the newest ones. */
  readonly messageId: string | null;
  readonly onChoose: (id: string | null) => void;
  readonly isPanelOpen: boolean;
  readonly onTogglePanel: () => void;
}

/** One conversation: who it is with, what was said, and where to answer. */
export const ThreadPane = memo(function Pane(props: Props) {
  const { conversationId, messageId, onChoose, isPanelOpen, onTogglePanel } = props;
  const onNewest = useCallback(() => onChoose(conversationId), [onChoose, conversationId]);
  const onClose = useCallback(() => onChoose(null), [onChoose]);
  const live = useLive();
  const now = useNow();
  const { client } = useSnapshot();
  const { data: agents } = useQuery(agentsQuery);
  const [traced, setTraced] = useState<string | null>(null);
  const [quoted, setQuoted] = useState<ThreadItem | null>(null);
  const drafts = useDrafts();
  const { agent } = useMe();
  const one = useMemo(() => viewConversation(client, conversationId), [client, conversationId]);
  const thread = useMemo(() => viewThread(client, conversationId), [client, conversationId]);
  const signalWriting = useOwnSignal(conversationId);
  useMarkRead(conversationId, one?.unread_count ?? 0);
  const edit = useCallback(
    (command: Command) => {
      live.drop(command.key);
      takeBack(drafts, command);
    },
    [live, drafts],
  );
  const trace = useCallback((messageId: string) => {
    setTraced(messageId);
    reach('trace');
  }, []);
  const dropQuote = useCallback(() => setQuoted(null), []);
  const pending = thread?.pending.length ?? 0;
  useEffect(() => {
    // Who writes sees what was written: it stands below the newest messages.
    if (messageId !== null && pending > 0) onNewest();
  }, [messageId, pending, onNewest]);
  const isGone = one === null && thread !== null && !client.state.stale.conversations.has(conversationId);
  if (isGone) {
    return (
      <State icon={<SearchX size={20} aria-hidden="true" />} title={t('thread.gone')} body={t('thread.goneBody')}>
        <Button onClick={onClose}>{t('action.back')}</Button>
      </State>
    );
  }
  return (
    <>
      <ThreadHeader
        one={one}
        now={now}
        agents={agents}
        onClose={onClose}
        isPanelOpen={isPanelOpen}
        onTogglePanel={onTogglePanel}
      />
      {messageId === null ? (
        <Thread
          conversationId={conversationId}
          thread={thread}
          agents={agents}
          now={now}
          onTrace={trace}
          onEdit={edit}
          onQuote={setQuoted}
        />
      ) : (
        <Suspense fallback={<div className="grow" />}>
          <ThreadExcerpt
            {...{ conversationId, messageId, agents, now }}
            onTrace={trace}
            onQuote={setQuoted}
            onLeave={onNewest}
          />
        </Suspense>
      )}
      <CollisionNotice conversationId={conversationId} />
      {one && (
        <Composer
          one={one}
          now={now}
          newestId={client.state.conversations.get(conversationId)?.value?.last_message?.id ?? null}
          hasPending={pending > 0}
          answer={thread?.isLoaded ? answerOfOthers(thread.items, agent?.id ?? null) : undefined}
          quoted={quoted}
          onQuoteDrop={dropQuote}
          onText={signalWriting}
        />
      )}
      <Suspense>{traced !== null && <Trace messageId={traced} onClose={() => setTraced(null)} />}</Suspense>
    </>
  );
});

/** The text and the files of a command are a draft again, before what was written since. */
function takeBack(drafts: DraftSync, { intent, conversationId }: Command): void {
  if (intent.kind !== 'reply' && intent.kind !== 'note') return;
  const { body, mediaIds } = drafts.of(conversationId);
  const media = intent.kind === 'reply' ? intent.content.media : undefined;
  const text = (intent.kind === 'note' ? intent.body : (intent.content.body ?? media?.caption)) ?? '';
  if (media) void attachments.restore(conversationId, [media.media_id]);
  drafts.edit(conversationId, {
    body: [text, body].filter(Boolean).join('\n'),
    mediaIds: media ? [...mediaIds, media.media_id] : mediaIds,
  });
}

/** What somebody looks at has been read. */
function useMarkRead(conversationId: string, unread: number): void {
  const live = useLive();
  useEffect(() => {
    if (unread === 0) return;
    const mark = () => {
      if (document.visibilityState === 'visible') live.submit(conversationId, { kind: 'read' });
    };
    mark();
    document.addEventListener('visibilitychange', mark);
    return () => document.removeEventListener('visibilitychange', mark);
  }, [live, conversationId, unread]);
}
