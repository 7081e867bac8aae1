import { audit } from '#access/actions/audit';
import type { Asked, DialogCode, NetworkNumber } from '#accounts/domain/account-network';
import { findStep, type LinkStepError, ownError, pendingStep, stepError, withPending } from '#accounts/domain/linking';
import { type LinkedAccount, replaceOlderAccounts, saveLinkedAccount } from '#accounts/store/linked-accounts';
import type { Origin } from '#core/caller/origin';
import { isPassing } from '#core/network/transfer-failure';
import { readToken, TokenUnreadable, writeToken } from './account-token.ts';
import { attachNumber } from './attach-number.ts';
import type { LinkDeps } from './link-deps.ts';
import { LinkTakenOver, type RunningLink, record } from './link-run.ts';

export interface LinkRun {
  readonly account: LinkedAccount;
  readonly origin: Origin;
  /** Null in a repetition: the code was exchanged before. */
  readonly grant: DialogCode | null;
}

/**
 * Runs every unfinished step, each recorded before the next: exchange of the code, what the token is good for, then for
 * each account of the network its subscription and its numbers. A step that fails ends only its own branch. Numbers are
 * listed again each time, so that a repetition finds new ones.
 * @returns the account afterwards
 * @throws LinkTakenOver, StorageUnavailable
 */
export async function runLink(parts: LinkDeps, { account, origin, grant }: LinkRun): Promise<LinkedAccount> {
  const run: RunningLink = { ...parts, origin, account };
  if (run.account.token === null && grant !== null) await exchange(run, grant);
  const token = await usableToken(run);
  if (token !== null) await linkAll(run, token);
  await endRun(run);
  return run.account;
}

async function exchange(run: RunningLink, grant: DialogCode): Promise<void> {
  const first = await run.accounts.exchange(grant);
  // One more try after a transient failure: the code lives for seconds, and this step cannot be repeated later.
  const asked = first.ok || !isPassing(first.failure) ? first : await run.accounts.exchange(grant);
  if (!asked.ok) return record(run, { name: 'exchange', target: null, error: stepError(asked.failure) });
  const { token, expiresInS } = asked.value;
  const tokenExpiresMs = expiresInS === null ? null : run.rt.clock.now() + expiresInS * 1000;
  const kept = { token: writeToken(run.keyring, run.account, token), tokenExpiresMs };
  return record(run, { name: 'exchange', target: null, error: null }, kept);
}

/** Null when there is none, or it cannot be read; the second is shown as a step that failed. */
async function usableToken(run: RunningLink): Promise<string | null> {
  if (run.account.token === null) return null;
  try {
    return readToken(run.keyring, run.account);
  } catch (error) {
    if (!(error instanceof TokenUnreadable)) throw error;
    await record(run, { name: 'inspect', target: null, error: ownError('token_unreadable', error.message) });
    return null;
  }
}

async function linkAll(run: RunningLink, token: string): Promise<void> {
  if (findStep(run.account.steps, 'inspect', null).state !== 'done') await inspect(run, token);
  for (const id of run.account.networkAccountIds) await linkOne(run, token, id);
}

async function inspect(run: RunningLink, token: string): Promise<void> {
  const step = { name: 'inspect', target: null } as const;
  const asked = await run.accounts.inspect(token);
  if (!asked.ok) return record(run, { ...step, error: stepError(asked.failure) });
  const { accountIds, lacking } = asked.value;
  const missing = lacking.length > 0 ? `It lacks ${lacking.join(' and ')}.` : 'It does not name an account.';
  if (lacking.length > 0 || accountIds.length === 0) {
    return record(run, { ...step, error: ownError('permission_incomplete', `${missing} Open the dialog again.`) });
  }
  const known = run.account.steps;
  const steps = withPending(
    known,
    accountIds.flatMap((id) => [pendingStep('subscribe', id), pendingStep('numbers', id)]),
  );
  return record(run, { ...step, error: null }, { networkAccountIds: accountIds, steps });
}

/** One account of the network. Its numbers come last: none may send before its callbacks are on their way. */
async function linkOne(run: RunningLink, token: string, networkAccountId: string): Promise<void> {
  const step = { name: 'subscribe', target: networkAccountId } as const;
  if (findStep(run.account.steps, 'subscribe', networkAccountId).state !== 'done') {
    const asked = await run.accounts.subscribe(token, networkAccountId);
    await record(run, { ...step, error: errorOf(asked) });
    if (!asked.ok) return;
  }
  const listed = await run.accounts.listNumbers(token, networkAccountId);
  const numbers = listed.ok ? listed.value : [];
  const steps = withPending(run.account.steps, numbers.map(registration));
  await record(run, { name: 'numbers', target: networkAccountId, error: errorOf(listed) }, { steps });
  for (const number of numbers) await attachNumber(run, { token, networkAccountId, number, name: null });
}

function registration({ phoneNumberId }: NetworkNumber) {
  return pendingStep('register', phoneNumberId);
}

function errorOf(asked: Asked<unknown>): LinkStepError | null {
  return asked.ok ? null : stepError(asked.failure);
}

/** Lets others in; a permission that is whole retires earlier ones for the same accounts of the network. */
export async function endRun(run: RunningLink): Promise<void> {
  const { rt, db, origin } = run;
  const nowMs = rt.clock.now();
  const account: LinkedAccount = { ...run.account, runUntilMs: nowMs, updatedMs: nowMs };
  const { tenantId, accountId, networkAccountIds } = account;
  await db.transaction(async (tx) => {
    if (!(await saveLinkedAccount(tx, account))) throw new LinkTakenOver();
    if (account.token === null || !account.steps.every((step) => step.state === 'done')) return;
    const replaced = await replaceOlderAccounts(tx, { tenantId, accountId, networkAccountIds, nowMs });
    const details = { network_accounts: [...networkAccountIds], replaced: [...replaced] };
    await audit(rt, tx, { tenantId, origin, action: 'account.linked', targetId: accountId, details });
  });
  run.account = account;
}
