import { isPassing, type TransferFailure } from '#core/network/transfer-failure';

/** What linking an account consists of, in its order. `target`: the account or the number that a step is about. */
export const linkStepNames = ['exchange', 'inspect', 'subscribe', 'numbers', 'register'] as const;
export type LinkStepName = (typeof linkStepNames)[number];

export const linkStepStates = ['pending', 'done', 'failed'] as const;
export type LinkStepState = (typeof linkStepStates)[number];

/** Why a step failed. */
export interface LinkStepError {
  readonly code: LinkErrorCode;
  /** One sentence for a person. */
  readonly message: string;
  readonly networkCode: number | null;
  /** Whether running the step again can help. */
  readonly retryable: boolean;
}

/** Codes of failed steps. */
export const linkErrors = {
  network_refused: 'The network rejected this step.',
  network_unreachable: 'The network did not respond.',
  permission_incomplete: 'The permission does not cover everything that is needed to send.',
  token_unreadable: 'The access token cannot be decrypted.',
  number_taken: 'This number belongs to another customer of this service.',
} as const;
export type LinkErrorCode = keyof typeof linkErrors;

export interface LinkStep {
  readonly name: LinkStepName;
  /** Null for steps about the permission itself. */
  readonly target: string | null;
  readonly state: LinkStepState;
  readonly attempts: number;
  /** Of the last attempt, milliseconds since 1970; null before the first. */
  readonly atMs: number | null;
  readonly error: LinkStepError | null;
}

/**
 * linking: steps are being run · linked: all of them are done · incomplete: some failed or were cut off, and can be run
 * again · failed: no token came of it, so that the dialog has to be opened again · replaced: a later permission took over.
 */
export const accountStatuses = ['linking', 'linked', 'incomplete', 'failed', 'replaced'] as const;
export type AccountStatus = (typeof accountStatuses)[number];

/** What may follow on what; drawn in docs/state-machines.md, which a test compares. */
export const accountTransitions: Record<AccountStatus, readonly AccountStatus[]> = {
  linking: ['linked', 'incomplete', 'failed'],
  linked: ['linking', 'replaced'],
  incomplete: ['linking', 'replaced'],
  failed: [],
  replaced: [],
};

interface AccountFacts {
  readonly steps: readonly LinkStep[];
  readonly runUntilMs: number;
  readonly replacedMs: number | null;
}

/** The steps of a permission that has just come back. */
export function firstSteps(): readonly LinkStep[] {
  return [pendingStep('exchange', null), pendingStep('inspect', null)];
}

export function pendingStep(name: LinkStepName, target: string | null): LinkStep {
  return { name, target, state: 'pending', attempts: 0, atMs: null, error: null };
}

export function findStep(steps: readonly LinkStep[], name: LinkStepName, target: string | null): LinkStep {
  return steps.find((step) => step.name === name && step.target === target) ?? pendingStep(name, target);
}

/** The steps with these in them: known ones stay as they are, new ones come behind. */
export function withPending(steps: readonly LinkStep[], added: readonly LinkStep[]): readonly LinkStep[] {
  const isNew = (step: LinkStep) => !steps.some((known) => known.name === step.name && known.target === step.target);
  return [...steps, ...added.filter(isNew)];
}

/** The steps after one more attempt at one of them. */
export function withAttempt(
  steps: readonly LinkStep[],
  attempt: Pick<LinkStep, 'name' | 'target' | 'error'> & { readonly atMs: number },
): readonly LinkStep[] {
  const { name, target, error, atMs } = attempt;
  const before = findStep(steps, name, target);
  const state = error === null ? 'done' : 'failed';
  const after: LinkStep = { name, target, state, attempts: before.attempts + 1, atMs, error };
  return withPending(steps, [after]).map((step) => (step.name === name && step.target === target ? after : step));
}

/** What an account is, by its steps. It follows from facts, so that a killed process leaves no wrong word behind. */
export function accountStatus({ steps, runUntilMs, replacedMs }: AccountFacts, nowMs: number): AccountStatus {
  if (replacedMs !== null) return 'replaced';
  if (runUntilMs > nowMs) return 'linking';
  if (findStep(steps, 'exchange', null).state !== 'done') return 'failed';
  return steps.every((step) => step.state === 'done') ? 'linked' : 'incomplete';
}

/** A failure of the network as the step shows it. */
export function stepError(failure: TransferFailure): LinkStepError {
  const retryable = isPassing(failure);
  if (failure.kind !== 'refused') {
    return { code: 'network_unreachable', message: failure.reason, networkCode: null, retryable };
  }
  const { networkCode, details } = failure;
  const message = `${linkErrors.network_refused} Its response: ${details === '' ? 'none' : details}`;
  return { code: 'network_refused', message, networkCode, retryable };
}

export function ownError(code: LinkErrorCode, message: string = linkErrors[code]): LinkStepError {
  return { code, message, networkCode: null, retryable: true };
}
