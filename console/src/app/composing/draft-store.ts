/** Drafts of this console: the service's, through the API, and what this browser keeps of them. */
import { BadRequestError, type ConversationDraft, type ConversationDraftList, NotFoundError } from '@postrider/sdk';
import type { DraftContent, HeldDraft, ServerDraft } from '../../live/draft-rules.ts';
import { DraftRefused, type DraftSource, type DraftStorage } from '../../live/draft-sync.ts';
import { call } from '../api.ts';

/** A person has hardly more; what is beyond is asked for when its conversation is opened. */
const MAX_LISTED = 200;

export const draftSource: DraftSource = {
  async list() {
    const { data, page } = await call<ConversationDraftList>('/v1/drafts', { query: { limit: MAX_LISTED } });
    const drafts = new Map(data.map((draft) => [draft.conversation_id, viewOf(draft)]));
    return { drafts, isWhole: page.next_cursor === null };
  },
  async read(conversationId) {
    try {
      return viewOf(await call<ConversationDraft>(pathOf(conversationId)));
    } catch (error) {
      if (error instanceof NotFoundError) return null;
      throw error;
    }
  },
  async save(conversationId, content, isLeaving) {
    if (isLeaving) return saveOnLeave(conversationId, content);
    try {
      return await save(conversationId, content);
    } catch (error) {
      const isRefused = error instanceof BadRequestError || error instanceof NotFoundError;
      throw isRefused ? new DraftRefused(error.message) : error;
    }
  },
};

const pathOf = (conversationId: string): string => `/v1/conversations/${conversationId}/draft`;
const bodyOf = ({ body, mediaIds }: DraftContent) => ({ body, media_ids: mediaIds });
const viewOf = ({ body, media_ids: mediaIds, updated_at: updatedAt }: ConversationDraft): ServerDraft => ({
  body,
  mediaIds,
  updatedAt,
});

async function save(conversationId: string, content: DraftContent): Promise<string | null> {
  const path = pathOf(conversationId);
  if (content.body !== '' || content.mediaIds.length > 0)
    return (await call<ConversationDraft>(path, { method: 'PUT', body: bodyOf(content) })).updated_at;
  await call(path, { method: 'DELETE' }).catch((error) => {
    if (!(error instanceof NotFoundError)) throw error;
  });
  return null;
}

/** The page goes away: the browser finishes the request without it. */
async function saveOnLeave(conversationId: string, content: DraftContent): Promise<null> {
  const isEmpty = content.body === '' && content.mediaIds.length === 0;
  await fetch(pathOf(conversationId), {
    method: isEmpty ? 'DELETE' : 'PUT',
    keepalive: true,
    headers: { 'postrider-client': 'console', ...(isEmpty ? {} : { 'content-type': 'application/json' }) },
    body: isEmpty ? null : JSON.stringify(bodyOf(content)),
  });
  return null;
}

/** @param owner the agent whose drafts they are */
export function draftStorage(owner: string): DraftStorage & { readonly idOf: (key: string | null) => string | null } {
  const prefix = `postrider.draft.${owner}.`;
  const idOf = (key: string | null) => (key?.startsWith(prefix) ? key.slice(prefix.length) : null);
  return {
    idOf,
    get(id) {
      try {
        return JSON.parse(localStorage.getItem(prefix + id) ?? 'null') as HeldDraft | null;
      } catch {
        return null;
      }
    },
    set(id, draft) {
      try {
        if (draft === null) localStorage.removeItem(prefix + id);
        else localStorage.setItem(prefix + id, JSON.stringify(draft));
      } catch {
        // A browser that stores nothing keeps the text as long as the page is open.
      }
    },
    ids() {
      try {
        return Object.keys(localStorage).flatMap((key) => idOf(key) ?? []);
      } catch {
        return [];
      }
    },
  };
}
