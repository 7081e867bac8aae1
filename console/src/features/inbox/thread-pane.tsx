import { useQuery } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { useLive, useNow, useSnapshot } from '../../app/live.tsx';
import { agentsQuery } from '../../app/resources.ts';
import { reach } from '../../app/steps.ts';
import { Button } from '../../components/button.tsx';
import { State } from '../../components/state.tsx';
import type { Command } from '../../live/commands.ts';
import { viewConversation, viewThread } from '../../live/view.ts';
import { t } from '../../locales/text.ts';
import { Composer } from './composer.tsx';
import { readDraft, writeDraft } from './drafts.ts';
import { Thread } from './thread.tsx';
import { ThreadHeader } from './thread-header.tsx';

const Trace = lazy(async () => ({ default: (await import('./trace.tsx')).Trace }));

interface Props {
  readonly conversationId: string;
  readonly onClose: () => void;
  readonly isPanelOpen: boolean;
  readonly onTogglePanel: () => void;
}

/** One conversation: who it is with, what was said, and where to answer. */
export function ThreadPane({ conversationId, onClose, isPanelOpen, onTogglePanel }: Props) {
  const live = useLive();
  const now = useNow();
  const { client } = useSnapshot();
  const { data: agents } = useQuery(agentsQuery);
  const [traced, setTraced] = useState<string | null>(null);
  const [draft, setDraft] = useState(() => readDraft(conversationId));
  const one = useMemo(() => viewConversation(client, conversationId), [client, conversationId]);
  const thread = useMemo(() => viewThread(client, conversationId), [client, conversationId]);
  useMarkRead(conversationId, one?.unread_count ?? 0);
  const change = useCallback(
    (text: string) => {
      setDraft(text);
      writeDraft(conversationId, text);
    },
    [conversationId],
  );
  const edit = useCallback(
    ({ key, intent }: Command) => {
      live.drop(key);
      if (intent.kind === 'reply' || intent.kind === 'note') {
        change((intent.kind === 'note' ? intent.body : intent.content.body) ?? '');
      }
    },
    [live, change],
  );
  const trace = useCallback((messageId: string) => {
    setTraced(messageId);
    reach('trace');
  }, []);
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
      <Thread conversationId={conversationId} thread={thread} agents={agents} now={now} onTrace={trace} onEdit={edit} />
      {one && (
        <Composer
          one={one}
          now={now}
          newestId={client.state.conversations.get(conversationId)?.value?.last_message?.id ?? null}
          hasPending={(thread?.pending.length ?? 0) > 0}
          draft={draft}
          onDraft={change}
        />
      )}
      <Suspense>{traced !== null && <Trace messageId={traced} onClose={() => setTraced(null)} />}</Suspense>
    </>
  );
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
