import { type LinkStepError, type LinkStepName, withAttempt } from '#accounts/domain/linking';
import { type LinkedAccount, saveLinkedAccount } from '#accounts/store/linked-accounts';
import type { Origin } from '#core/caller/origin';
import { ApiProblem } from '#core/errors';
import type { LinkDeps } from './link-deps.ts';

/** A run that has not written for so long was killed; every call to the network ends long before. */
export const RUN_MS = 90_000;

/** Another run has taken the account over: this one must not write any more. */
export class LinkTakenOver extends ApiProblem {
  override name = 'LinkTakenOver';

  constructor() {
    super('conflict', { sentence: 'Another request is running the steps of this account. Read the account again.' });
  }
}

/** The current account, and what its steps are run with. */
export interface RunningLink extends LinkDeps {
  readonly origin: Origin;
  account: LinkedAccount;
}

export interface StepResult {
  readonly name: LinkStepName;
  readonly target: string | null;
  readonly error: LinkStepError | null;
}

/** The account after a step: what the database is about to hold. */
export function afterStep(run: RunningLink, result: StepResult, change: Partial<LinkedAccount> = {}): LinkedAccount {
  const atMs = run.rt.clock.now();
  const account = { ...run.account, ...change };
  const steps = withAttempt(account.steps, { ...result, atMs });
  return { ...account, steps, updatedMs: atMs, runUntilMs: atMs + RUN_MS };
}

/** Writes a step and keeps the account as it then is. @throws LinkTakenOver */
export async function record(run: RunningLink, result: StepResult, change: Partial<LinkedAccount> = {}): Promise<void> {
  const account = afterStep(run, result, change);
  if (!(await saveLinkedAccount(run.db, account))) throw new LinkTakenOver();
  run.account = account;
  logStep(run, result);
}

export function logStep({ rt, account }: RunningLink, { name, target, error }: StepResult): void {
  const { tenantId, accountId } = account;
  const line = { tenantId, accountId, step: name, target, code: error?.code, networkCode: error?.networkCode };
  if (error === null) rt.log.info(line, 'account.step_done');
  else rt.log.warn(line, 'account.step_failed');
}
