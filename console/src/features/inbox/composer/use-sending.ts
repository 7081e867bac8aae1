import { useCallback } from 'react';
import { type Attachment, attachments, isReady, mediaIdsOf } from '../../../app/composing/attachments.ts';
import { useDrafts } from '../../../app/composing/drafts.tsx';
import { useUndoSeconds } from '../../../app/composing/undo-setting.ts';
import { useLive } from '../../../app/live.tsx';
import type { Mode } from './composer-commands.ts';
import { contentsOf, MAX_TEXT } from './reply-contents.ts';

interface Written {
  readonly conversationId: string;
  readonly mode: Mode;
  readonly text: string;
  readonly files: readonly Attachment[];
  /** The agents whom a note names. */
  readonly mentions: readonly string[];
  /** The canned reply that it was begun with. */
  readonly cannedReplyId: string | null;
  readonly quotedId: string | null;
  /** The newest message that is seen: an answer to what is not seen is refused. */
  readonly newestId: string | null;
  readonly hasPending: boolean;
}

interface Sending {
  readonly canSend: boolean;
  /** @param sendAt when the service is to send it; null: now */
  readonly send: (sendAt: string | null) => void;
}

/** Makes messages or a note of what was written, and empties the composer. */
export function useSending(written: Written): Sending {
  const live = useLive();
  const drafts = useDrafts();
  const undoMs = useUndoSeconds() * 1_000;
  const { conversationId, mode, text, files, mentions, cannedReplyId, quotedId, newestId, hasPending } = written;
  const isTextFit = text.length <= MAX_TEXT;
  const isWhole = mode === 'note' ? text !== '' : (text !== '' || files.length > 0) && files.every(isReady);
  const canSend = isTextFit && isWhole;
  const send = useCallback(
    (sendAt: string | null) => {
      if (!canSend) return;
      if (mode === 'note') {
        live.submit(conversationId, { kind: 'note', body: text, mentions });
        // What else there is belongs to an answer.
        drafts.edit(conversationId, { body: '', mediaIds: mediaIdsOf(files) });
        return;
      }
      const contents = contentsOf({ text, attachments: files, replyTo: quotedId, sendAt, cannedReplyId });
      for (const [place, content] of contents.entries()) {
        const after = place > 0 || hasPending ? null : newestId;
        const holdMs = sendAt === null ? undoMs : 0;
        live.submit(conversationId, { kind: 'reply', content, after, force: false }, holdMs);
      }
      drafts.send(conversationId, contents.length);
      attachments.clear(conversationId);
    },
    [
      live,
      drafts,
      undoMs,
      canSend,
      conversationId,
      mode,
      text,
      files,
      mentions,
      cannedReplyId,
      quotedId,
      newestId,
      hasPending,
    ],
  );
  return { canSend, send };
}
