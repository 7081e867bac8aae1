/** The files of an answer that is being written, by conversation: uploads go on while somebody looks at another one. */
import type { Media } from '@postrider/sdk';
import { useMemo, useSyncExternalStore } from 'react';
import { randomKey } from '../../live/waits.ts';
import { call, refusalStatus } from '../api.ts';
import { type Judged, judgeFile, kindOf, type MediaKind } from './media-types.ts';
import { UploadRefused, uploadFile } from './uploads.ts';

export interface Attachment {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  /** Null: the file cannot be sent. */
  readonly kind: MediaKind | null;
  /** What the page shows of it while it is here; null: nothing. */
  readonly previewUrl: string | null;
  readonly isVoice: boolean;
  readonly state: AttachmentState;
}

export type AttachmentState =
  | { readonly at: 'uploading'; readonly share: number }
  | { readonly at: 'ready'; readonly mediaId: string }
  | { readonly at: 'refused'; readonly judged: Judged | null; readonly sentence: string };

const NONE: readonly Attachment[] = [];
/** As many as a draft can keep. */
export const MAX_ATTACHMENTS = 10;

export class Attachments {
  readonly #held = new Map<string, readonly Attachment[]>();
  readonly #listeners = new Set<() => void>();
  readonly #uploads = new Map<string, AbortController>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  of(conversationId: string): readonly Attachment[] {
    return this.#held.get(conversationId) ?? NONE;
  }

  /** Takes files in, in their order, and begins to upload those that can be sent. */
  add(conversationId: string, files: readonly File[], { isVoice = false } = {}): void {
    for (const file of files) {
      const isTooMuch = this.of(conversationId).length >= MAX_ATTACHMENTS;
      const judged: Judged = isTooMuch ? { fault: 'count' } : judgeFile(file);
      const kind = 'kind' in judged && !('fault' in judged) ? judged.kind : null;
      const isShown = kind === 'image' || kind === 'sticker' || kind === 'video' || kind === 'audio';
      const state: AttachmentState =
        kind === null ? { at: 'refused', judged, sentence: '' } : { at: 'uploading', share: 0 };
      const previewUrl = isShown ? URL.createObjectURL(file) : null;
      const one = { id: randomKey(), name: file.name, size: file.size, kind, previewUrl, isVoice, state };
      this.#set(conversationId, [...this.of(conversationId), one]);
      if (kind !== null) void this.#upload(conversationId, one.id, file);
    }
  }

  /** Takes in what a draft names and this page has not uploaded itself. Files that are gone are left out. */
  async restore(conversationId: string, mediaIds: readonly string[]): Promise<void> {
    const found = await Promise.all(mediaIds.map(describe));
    const here = mediaIdsOf(this.of(conversationId));
    const missing = found
      .filter((one) => one !== null && !here.includes(one.mediaId))
      .flatMap((one) => one?.file ?? []);
    if (missing.length > 0) this.#set(conversationId, [...this.of(conversationId), ...missing]);
  }

  /** Ends its upload, if there is one, and forgets it. */
  remove(conversationId: string, id: string): void {
    this.#uploads.get(id)?.abort();
    const gone = this.of(conversationId).find((one) => one.id === id);
    if (gone?.previewUrl?.startsWith('blob:')) URL.revokeObjectURL(gone.previewUrl);
    this.#set(
      conversationId,
      this.of(conversationId).filter((one) => one.id !== id),
    );
  }

  /** Forgets what was sent. */
  clear(conversationId: string): void {
    for (const { id } of this.of(conversationId)) this.remove(conversationId, id);
  }

  async #upload(conversationId: string, id: string, file: File): Promise<void> {
    const end = new AbortController();
    this.#uploads.set(id, end);
    const onProgress = (share: number) => this.#change(conversationId, id, { at: 'uploading', share });
    try {
      const { media_id: mediaId, sendable_as: sendable } = await uploadFile(file, { onProgress, signal: end.signal });
      const kind = this.of(conversationId).find((one) => one.id === id)?.kind ?? null;
      const isSendable = kind !== null && sendable.includes(kind);
      this.#change(conversationId, id, isSendable ? { at: 'ready', mediaId } : UNSENDABLE);
    } catch (error) {
      if (end.signal.aborted) return;
      const sentence = error instanceof UploadRefused ? error.message : '';
      this.#change(conversationId, id, { at: 'refused', judged: null, sentence });
    } finally {
      this.#uploads.delete(id);
    }
  }

  #change(conversationId: string, id: string, state: AttachmentState): void {
    const held = this.of(conversationId);
    if (held.some((one) => one.id === id))
      this.#set(
        conversationId,
        held.map((one) => (one.id === id ? { ...one, state } : one)),
      );
  }

  #set(conversationId: string, attachments: readonly Attachment[]): void {
    if (attachments.length === 0) this.#held.delete(conversationId);
    else this.#held.set(conversationId, attachments);
    for (const listener of this.#listeners) listener();
  }
}

/** A file that the service has, as an attachment; null: it has expired or was deleted. */
async function describe(mediaId: string): Promise<{ readonly mediaId: string; readonly file: Attachment } | null> {
  try {
    const media = await call<Media>(`/v1/media/${mediaId}`);
    const kind = kindOf(media.sendable_as);
    const isShown = kind === 'image' || kind === 'sticker';
    const previewUrl = isShown ? `/v1/media/${mediaId}/content` : null;
    const { filename, size } = media;
    const state = { at: 'ready' as const, mediaId };
    return { mediaId, file: { id: randomKey(), name: filename ?? '', size, kind, previewUrl, isVoice: false, state } };
  } catch (error) {
    if (refusalStatus(error) === null) throw error;
    return null;
  }
}

/** The bytes are of another type than the name says. */
const UNSENDABLE: AttachmentState = { at: 'refused', judged: { fault: 'type', type: '' }, sentence: '' };

/** One for the page. */
export const attachments = new Attachments();

export function useAttachments(conversationId: string): readonly Attachment[] {
  const read = useMemo(() => () => attachments.of(conversationId), [conversationId]);
  return useSyncExternalStore(attachments.subscribe, read);
}

/** What the service calls the files that have arrived, in order. */
export const mediaIdsOf = (files: readonly Attachment[]): readonly string[] =>
  files.flatMap(({ state }) => (state.at === 'ready' ? state.mediaId : []));

export const isReady = ({ state }: Attachment): boolean => state.at === 'ready';
