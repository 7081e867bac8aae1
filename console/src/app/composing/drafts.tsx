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
    const leave = () => started.flush();
    const onStorage = ({ key }: StorageEvent) => {
      const id = storage.idOf(key);
      if (id !== null) started.adopt(id);
    };
    addEventListener('pagehide', leave);
    addEventListener('storage', onStorage);
    const stopListening = live.onEvents((events) => {
      for (const { type, data } of events) {
        const { id, actor } = data as { id: string; actor?: { id: string | null } };
        if (type === 'conversation.replied' && actor?.id === meId) started.replied(id);
      }
    });
    return () => {
      removeEventListener('pagehide', leave);
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

/** The draft of one conversation, asked for again whenever somebody comes back to the page. */
export function useDraft(conversationId: string): HeldDraft {
  const drafts = useDrafts();
  useEffect(() => {
    const open = () => {
      if (document.visibilityState === 'visible') void drafts.open(conversationId);
    };
    open();
    document.addEventListener('visibilitychange', open);
    return () => {
      document.removeEventListener('visibilitychange', open);
      drafts.flush();
    };
  }, [drafts, conversationId]);
  const read = useMemo(() => () => drafts.of(conversationId), [drafts, conversationId]);
  return useSyncExternalStore(drafts.subscribe, read);
}
