import { createContext, type ReactNode, useContext, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { HeldDraft } from '../../live/draft-rules.ts';
import { DraftSync } from '../../live/draft-sync.ts';
import { useLive } from '../live.tsx';
import { useMe } from '../me.tsx';
import { draftSource, draftStorage } from './draft-store.ts';

const DraftsContext = createContext<DraftSync | null>(null);

/** Holds the drafts of the signed-in person, for all conversations. */
export function DraftsProvider({ children }: { readonly children: ReactNode }) {
  const live = useLive();
  const meId = useMe().agent?.id ?? null;
  const [drafts, setDrafts] = useState<DraftSync | null>(null);
  useEffect(() => {
    const storage = draftStorage(meId ?? '');
    const started = new DraftSync(draftSource, storage);
    setDrafts(started);
    void started.refresh();
    const leave = () => started.flush();
    const onVisible = () => {
      if (document.visibilityState === 'visible') void started.refresh();
    };
    const onStorage = ({ key }: StorageEvent) => {
      const id = storage.idOf(key);
      if (id !== null) started.adopt(id);
    };
    addEventListener('pagehide', leave);
    document.addEventListener('visibilitychange', onVisible);
    addEventListener('storage', onStorage);
    const stopListening = live.onEvents((events) => {
      for (const { type, data } of events) {
        const { id, actor } = data as { id: string; actor?: { id: string | null } };
        if (type === 'conversation.replied' && actor?.id === meId) started.replied(id);
      }
    });
    return () => {
      removeEventListener('pagehide', leave);
      document.removeEventListener('visibilitychange', onVisible);
      removeEventListener('storage', onStorage);
      stopListening();
      started.flush();
      started.stop();
    };
  }, [live, meId]);
  return drafts === null ? null : <DraftsContext value={drafts}>{children}</DraftsContext>;
}

export function useDrafts(): DraftSync {
  const drafts = useContext(DraftsContext);
  if (drafts === null) throw new Error('Drafts are kept inside of DraftsProvider alone.');
  return drafts;
}

/** The draft of the conversation that is open. */
export function useDraft(conversationId: string): HeldDraft {
  const drafts = useDrafts();
  useEffect(() => {
    void drafts.open(conversationId);
    return () => drafts.hurry();
  }, [drafts, conversationId]);
  return useHeldDraft(conversationId);
}

/** The draft of any conversation as this browser knows it. */
export function useHeldDraft(conversationId: string): HeldDraft {
  const drafts = useDrafts();
  const read = useMemo(() => () => drafts.of(conversationId), [drafts, conversationId]);
  return useSyncExternalStore(drafts.subscribe, read);
}
