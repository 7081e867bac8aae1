/** Which text counts when a draft was written in several places. */
import type { Time } from './model.ts';

export interface DraftContent {
  readonly body: string;
  readonly mediaIds: readonly string[];
}

/** The draft as the service keeps it. */
export interface ServerDraft extends DraftContent {
  readonly updatedAt: Time;
}

/** The draft as this browser keeps it. */
export interface HeldDraft extends DraftContent {
  /** The version of the service that it goes back to; null: none. */
  readonly base: Time | null;
  readonly editedAt: Time;
  /** Whether the service does not know it yet. */
  readonly isDirty: boolean;
  /** How many answers are on their way: with each that is stored, the service deletes the draft, whatever was written since. */
  readonly awaited: number;
  /** What was written elsewhere and gave way: kept until somebody decides about it. */
  readonly other: DraftContent | null;
}

export const emptyDraft: HeldDraft = {
  body: '',
  mediaIds: [],
  base: null,
  editedAt: '',
  isDirty: false,
  awaited: 0,
  other: null,
};

export const isEmpty = ({ body, mediaIds }: DraftContent): boolean => body.trim() === '' && mediaIds.length === 0;

export function isSame(left: DraftContent, right: DraftContent): boolean {
  return left.body === right.body && left.mediaIds.join() === right.mediaIds.join();
}

/** The draft after somebody has typed. */
export function edited(held: HeldDraft, content: DraftContent, at: Time): HeldDraft {
  return { ...held, ...content, editedAt: at, isDirty: true };
}

/** The draft once it was sent, as so many answers: there is nothing left of it. What is written from now on is the next one. */
export function sentAway(held: HeldDraft, answers: number, at: Time): HeldDraft {
  return { ...emptyDraft, base: held.base, editedAt: at, awaited: held.awaited + answers, other: held.other };
}

/** An answer of this agent was stored, and with it the draft of the service is gone: what was written since is saved again. */
export function afterReply(held: HeldDraft): HeldDraft {
  return { ...held, base: null, awaited: held.awaited - 1, isDirty: held.isDirty || !isEmpty(held) };
}

/** Nothing is on its way any more, and nobody knows whether it was stored: the service may still have what was sent or undone. */
export function settled(held: HeldDraft): HeldDraft {
  return { ...held, awaited: 0, isDirty: true };
}

/** The draft once this content is stored under this version. What was typed meanwhile stays to be saved. */
export function saved(held: HeldDraft, content: DraftContent, updatedAt: Time | null): HeldDraft {
  return { ...held, base: updatedAt, isDirty: held.isDirty && !isSame(held, content) };
}

/**
 * The draft once the service was asked for its own. The newer one counts, and what is typed now is the newest; the
 * other is kept. @param isTyping whether somebody types in it at this moment
 */
export function reconcile(held: HeldDraft, server: ServerDraft | null, isTyping: boolean): HeldDraft {
  if (server === null) {
    // It was sent or thrown away elsewhere, unless it was never there.
    return held.isDirty || held.base === null ? { ...held, base: null } : { ...held, ...EMPTY, base: null };
  }
  const { updatedAt, ...content } = server;
  if (updatedAt === held.base) return held;
  if (isSame(held, content)) return { ...held, base: updatedAt, isDirty: false };
  if (!held.isDirty) return { ...held, ...content, base: updatedAt, editedAt: updatedAt };
  if (isEmpty(held) && !isTyping) return { ...held, ...content, base: updatedAt, editedAt: updatedAt, isDirty: false };
  if (isTyping || held.editedAt > updatedAt) return { ...held, base: updatedAt, other: content };
  const { body, mediaIds } = held;
  return { ...held, ...content, base: updatedAt, editedAt: updatedAt, isDirty: false, other: { body, mediaIds } };
}

const EMPTY: DraftContent = { body: '', mediaIds: [] };
