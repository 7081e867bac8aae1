/** Who looks at and who writes in conversations: read from the stream, and said by this page. */
import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { SignalSender } from '../live/signal-sender.ts';
import { type Signal, Signals } from '../live/signals.ts';
import { call } from './api.ts';
import { useMe } from './me.tsx';

/** Filled by the stream of the live store. */
export const signals = new Signals();

/** What colleagues do in a conversation; what this person does in another tab is left out. */
export function useSignals(conversationId: string): readonly Signal[] {
  const { agent } = useMe();
  const all = useSyncExternalStore(signals.subscribe, () => signals.of(conversationId));
  return useMemo(() => all.filter(({ agentId }) => agentId !== agent?.id), [all, agent?.id]);
}

const TOUCHES = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const;

/** Says that this person looks at a conversation while it is shown. @returns to be called with what they write there */
export function useOwnSignal(conversationId: string): (text: string) => void {
  const { agent } = useMe();
  const sender = useRef<SignalSender | null>(null);
  const isAgent = agent !== null;
  useEffect(() => {
    if (!isAgent) return;
    const own = new SignalSender((doing) => {
      void call(`/v1/conversations/${conversationId}/signal`, { method: 'PUT', body: doing }).catch(() => undefined);
    });
    sender.current = own;
    const show = () => own.show(document.visibilityState === 'visible');
    // A tab that was opened in the background is not looked at.
    if (document.visibilityState !== 'visible') own.show(false);
    const touch = () => own.touch();
    document.addEventListener('visibilitychange', show);
    for (const name of TOUCHES) addEventListener(name, touch, { passive: true });
    return () => {
      document.removeEventListener('visibilitychange', show);
      for (const name of TOUCHES) removeEventListener(name, touch);
      sender.current = null;
      own.stop();
    };
  }, [conversationId, isAgent]);
  return useCallback((text: string) => sender.current?.write(text.trim() === ''), []);
}
