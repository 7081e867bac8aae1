import { useCallback, useEffect, useRef, useState } from 'react';
import { attachments } from '../../../app/composing/attachments.ts';
import { useDrafts } from '../../../app/composing/drafts.tsx';
import type { FilledText } from '../../../app/resources.ts';

interface Filled {
  /** The canned reply that the text was begun with; null: none. */
  readonly cannedReplyId: string | null;
  /** Puts a filled reply into the composer: its text in place of what is there, and its files. */
  readonly fillIn: (filled: FilledText) => void;
  readonly forget: () => void;
  /** Puts a text below what is written. It is stable. */
  readonly takeOver: (body: string) => void;
}

/** Which canned reply the answer is written with, until the field is empty again. @param write sets the text */
export function useFilled(conversationId: string, write: (body: string) => void): Filled {
  const [used, setUsed] = useState<{ readonly conversationId: string; readonly replyId: string } | null>(null);
  const fillIn = ({ text, mediaIds, replyId }: FilledText) => {
    write(text);
    setUsed({ conversationId, replyId });
    void attachments.restore(conversationId, mediaIds).catch(() => undefined);
  };
  const forget = useCallback(() => setUsed(null), []);
  const drafts = useDrafts();
  const latest = useRef(write);
  useEffect(() => {
    latest.current = write;
  });
  const takeOver = useCallback(
    (body: string) => {
      const written = drafts.of(conversationId).body.trimEnd();
      latest.current(written === '' || written === body ? body : `${written}\n\n${body}`);
    },
    [drafts, conversationId],
  );
  return {
    cannedReplyId: used?.conversationId === conversationId ? used.replyId : null,
    fillIn,
    forget,
    takeOver,
  };
}
