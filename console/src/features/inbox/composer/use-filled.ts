import { useCallback, useState } from 'react';
import { attachments } from '../../../app/composing/attachments.ts';
import type { FilledText } from '../../../app/resources.ts';

interface Filled {
  /** The canned reply that the text was begun with; null: none. */
  readonly cannedReplyId: string | null;
  /** Puts a filled reply into the composer: its text in place of what is there, and its files. */
  readonly fillIn: (filled: FilledText) => void;
  readonly forget: () => void;
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
  return { cannedReplyId: used?.conversationId === conversationId ? used.replyId : null, fillIn, forget };
}
