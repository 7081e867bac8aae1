/**
 * draft: only here · submitted: in review · approved: may be sent · rejected: may not · paused: quality fell, the
 * network ends the pause · disabled: paused too often, for good · in_appeal: the rejection is being reviewed again ·
 * archived: archived at the network · deleted: deleted, its history stays.
 */
export const templateStatuses = [
  'draft',
  'submitted',
  'approved',
  'rejected',
  'paused',
  'disabled',
  'in_appeal',
  'archived',
  'deleted',
] as const;
export type TemplateStatus = (typeof templateStatuses)[number];

const AT_NETWORK = ['submitted', 'approved', 'rejected', 'paused', 'disabled', 'in_appeal', 'archived'] as const;

function anyBut(status: TemplateStatus): readonly TemplateStatus[] {
  return [...AT_NETWORK.filter((other) => other !== status), 'deleted'];
}

/**
 * The allowed transitions; drawn in docs/state-machines.md, which a test compares. At the network the network decides,
 * and callbacks can be lost: its last word counts, so each of its states may follow each other.
 */
export const templateTransitions: Record<TemplateStatus, readonly TemplateStatus[]> = {
  draft: [...AT_NETWORK, 'deleted'],
  // Refused when it was handed in: what it was before, a draft.
  submitted: [...anyBut('submitted'), 'draft'],
  approved: anyBut('approved'),
  rejected: anyBut('rejected'),
  paused: anyBut('paused'),
  disabled: anyBut('disabled'),
  in_appeal: anyBut('in_appeal'),
  archived: anyBut('archived'),
  deleted: [],
};

/** In which an edit can be handed in: "edit allowed only in APPROVED / REJECTED / PAUSED". */
export const submittableStatuses: readonly TemplateStatus[] = ['draft', 'approved', 'rejected', 'paused'];

/** Which of our states a word of the network means, in a list or an event; words of other things leave the state alone. */
const STATUS_OF_WORD: Readonly<Record<string, TemplateStatus>> = {
  APPROVED: 'approved',
  REINSTATED: 'approved',
  UNARCHIVED: 'approved',
  PENDING: 'submitted',
  REJECTED: 'rejected',
  LIMIT_EXCEEDED: 'rejected',
  PAUSED: 'paused',
  DISABLED: 'disabled',
  IN_APPEAL: 'in_appeal',
  ARCHIVED: 'archived',
  PENDING_DELETION: 'deleted',
  DELETED: 'deleted',
};

/** Null for a word that names no state of ours: FLAGGED and LOCKED change nothing about sending. */
export function statusOfWord(word: string): TemplateStatus | null {
  const key = word.toUpperCase();
  return Object.hasOwn(STATUS_OF_WORD, key) ? (STATUS_OF_WORD[key] ?? null) : null;
}

export const templateQualities = ['green', 'yellow', 'red', 'unknown'] as const;
export type TemplateQuality = (typeof templateQualities)[number];

/** "GREEN/YELLOW/RED/UNKNOWN" */
export function qualityOfWord(word: string): TemplateQuality {
  return templateQualities.find((quality) => quality === word.toLowerCase()) ?? 'unknown';
}

/** "≤ 10 edits per 30 days and ≤ 1 per 24 h" of an approved template; others as often as one likes. */
export const editLimits = { perDay: 1, perMonth: 10, dayMs: 24 * 3_600_000, monthMs: 30 * 24 * 3_600_000 } as const;

/**
 * When an approved template may be edited again, milliseconds since 1970; null: now.
 * @param editsMs when earlier edits of it were handed in
 */
export function nextEditMs(editsMs: readonly number[], nowMs: number): number | null {
  const { perMonth, dayMs, monthMs } = editLimits;
  const recent = editsMs.filter((editMs) => nowMs - editMs < monthMs).toSorted((a, b) => b - a);
  const [newest] = recent;
  const oldestThatCounts = recent[perMonth - 1];
  const freeMs = Math.max((newest ?? 0) + dayMs, (oldestThatCounts ?? -monthMs) + monthMs);
  return newest !== undefined && freeMs > nowMs ? freeMs : null;
}
