/** Says to colleagues that somebody writes, by the lease of the conversation, and who holds it when that is another. */
import { ConflictError } from '@postrider/sdk';
import { useEffect, useRef, useState } from 'react';
import type { Conversation } from '../../live/model.ts';
import { call } from '../api.ts';

/** A lease lasts for 30 seconds: it is renewed while somebody types, and given back when they stop. */
const RENEW_MS = 15_000;
const IDLE_MS = 20_000;

/**
 * Takes the lease while the text changes. @param text what is written; '' gives the lease back
 * @returns the agent who holds it instead; null: nobody
 */
export function useLease(conversationId: string, text: string): string | null {
  const [holderId, setHolder] = useState<string | null>(null);
  const takenMs = useRef(0);
  const first = useRef(text);
  useEffect(() => {
    // A draft that is only looked at is not being written.
    if (text === first.current) return;
    first.current = '\0';
    const release = () => {
      if (takenMs.current === 0) return;
      takenMs.current = 0;
      void call(pathOf(conversationId), { method: 'DELETE' }).catch(() => undefined);
    };
    if (text === '') {
      setHolder(null);
      return release();
    }
    if (Date.now() - takenMs.current >= RENEW_MS) {
      takenMs.current = Date.now();
      void take(conversationId).then(setHolder, () => undefined);
    }
    const idle = setTimeout(release, IDLE_MS);
    return () => clearTimeout(idle);
  }, [conversationId, text]);
  useEffect(
    () => () => {
      if (takenMs.current > 0) void call(pathOf(conversationId), { method: 'DELETE', isLeaving: true }).catch(() => {});
      takenMs.current = 0;
    },
    [conversationId],
  );
  return holderId;
}

const pathOf = (conversationId: string): string => `/v1/conversations/${conversationId}/lease`;

/** @returns who holds it instead */
async function take(conversationId: string): Promise<string | null> {
  try {
    await call(pathOf(conversationId), { method: 'POST' });
    return null;
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    const { lease } = await call<Conversation>(`/v1/conversations/${conversationId}`);
    return lease?.agent_id ?? null;
  }
}
