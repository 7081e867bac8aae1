import { useCallback, useEffect, useRef } from 'react';
import { type Attachment, attachments, mediaIdsOf, useAttachments } from '../../../app/composing/attachments.ts';
import { useDraft, useDrafts } from '../../../app/composing/drafts.tsx';
import type { HeldDraft } from '../../../live/draft-rules.ts';

interface Composed {
  readonly draft: HeldDraft;
  readonly files: readonly Attachment[];
  readonly write: (body: string) => void;
  readonly addFiles: (files: readonly File[]) => void;
}

/** What is being written in a conversation: its text and its files, kept as one draft. */
export function useComposed(id: string, hasPending: boolean): Composed {
  const drafts = useDrafts();
  const draft = useDraft(id);
  const files = useAttachments(id);
  const ready = mediaIdsOf(files).join();
  const drafted = draft.mediaIds.join();
  const write = useCallback(
    (body: string) => drafts.edit(id, { body, mediaIds: ready === '' ? [] : ready.split(',') }),
    [drafts, id, ready],
  );
  const isAwaiting = draft.awaited > 0;
  const before = useRef(ready);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is saved has changed, not how.
  useEffect(() => {
    if (before.current !== ready && ready !== drafted) write(drafts.of(id).body);
    before.current = ready;
  }, [ready]);
  // Files of a draft that was begun elsewhere are shown.
  useEffect(() => {
    if (drafted === '' || attachments.of(id).length > 0) return;
    void attachments.restore(id, drafted.split(',')).catch(() => undefined);
  }, [id, drafted]);
  useEffect(() => {
    if (isAwaiting && !hasPending) drafts.settle(id);
  }, [drafts, id, isAwaiting, hasPending]);
  const addFiles = useCallback((added: readonly File[]) => attachments.add(id, added), [id]);
  return { draft, files, write, addFiles };
}
