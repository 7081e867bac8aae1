/** Says to colleagues that somebody writes, by the lease of the conversation, and who holds it when that is another. */
import { ConflictError } from '@postrider/sdk';
import { useEffect, useRef, useState } from 'react';
import type { Conversation } from '../../live/model.ts';
import { call } from '../api.ts';
import { type LeaseCalls, LeaseKeeper } from './lease-keeper.ts';

/**
 * Takes the lease while the text changes. @param text what is written; '' gives the lease back
 * @returns the agent who holds it instead; null: nobody
 */
export function useLease(conversationId: string, text: string): string | null {
  const [holderId, setHolder] = useState<string | null>(null);
  const keeper = useRef<LeaseKeeper | null>(null);
  const first = useRef(text);
  useEffect(() => {
    const own = new LeaseKeeper(callsOf(conversationId), setHolder);
    keeper.current = own;
    return () => own.stop(true);
  }, [conversationId]);
  useEffect(() => {
    // A draft that is only looked at is not being written.
    if (text === first.current) return;
    first.current = '\0';
    keeper.current?.write(text);
  }, [text]);
  return holderId;
}

function callsOf(conversationId: string): LeaseCalls {
  const path = `/v1/conversations/${conversationId}/lease`;
  return {
    take: async () => {
      try {
        await call(path, { method: 'POST' });
        return null;
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error;
        const { lease } = await call<Conversation>(`/v1/conversations/${conversationId}`);
        return lease?.agent_id ?? null;
      }
    },
    release: (isLeaving) => call(path, { method: 'DELETE', isLeaving }),
  };
}
