import type { NetworkNumber } from '#accounts/domain/account-network';
import { findStep } from '#accounts/domain/linking';
import { type LinkedAccount, listUsableAccounts, takeLinkedAccount } from '#accounts/store/linked-accounts';
import { findPhoneNumber, type PhoneNumber } from '#accounts/store/phone-numbers';
import type { Origin, Requester } from '#core/caller/origin';
import { ApiProblem } from '#core/errors';
import { describeFailure, isPassing, type TransferFailure } from '#core/network/transfer-failure';
import { readToken, TokenUnreadable } from './account-token.ts';
import { attachNumber } from './attach-number.ts';
import type { LinkDeps } from './link-deps.ts';
import { RUN_MS, type RunningLink } from './link-run.ts';
import { endRun } from './run-link.ts';

export interface AddNumber extends Requester {
  readonly phoneNumberId: string;
  /** Null: as the network calls it. */
  readonly name: string | null;
  /** Two-step PIN that the number has at the network; null: it is ours or has none. */
  readonly pin: string | null;
}

/**
 * Adds a number by its id at the network, when a linked account of the tenant owns it.
 * @throws ApiProblem unknown_phone_number when none does; conflict when it is here already, belongs to another tenant, or
 * its account is at work; refused_by_network, network_unreachable
 */
export async function addLinkedNumber(parts: LinkDeps, wish: AddNumber): Promise<PhoneNumber> {
  const { db } = parts;
  const { tenantId, phoneNumberId, name, pin } = wish;
  if ((await findPhoneNumber(db, tenantId, phoneNumberId)) !== null)
    throw new ApiProblem('conflict', { sentence: HERE });
  const owned = await findOwned(parts, wish);
  const run = await beginRun(parts, owned.account, wish.origin);
  await attachNumber(run, { ...owned, name, pin });
  await endRun(run);
  const { error } = findStep(run.account.steps, 'register', phoneNumberId);
  if (error?.code === 'number_taken') throw new ApiProblem('conflict', { sentence: error.message });
  if (error !== null) throw failed(error.retryable, error.message);
  const number = await findPhoneNumber(db, tenantId, phoneNumberId);
  if (number === null) throw new ApiProblem('conflict', { sentence: 'The number was removed at the same time.' });
  return number;
}

/** The refusal of adding a number that no linked account owns. */
export const NOBODYS_NUMBER = 'phone_number_id does not name a number of a linked account of this tenant.';
/** The refusal of adding a number twice. */
export const HERE = 'This number already is a sending number of this tenant.';

interface Owned {
  readonly account: LinkedAccount;
  readonly token: string;
  readonly networkAccountId: string;
  readonly number: NetworkNumber;
}

/** Asks the network, account by account: only it knows which numbers are whose. */
async function findOwned(parts: LinkDeps, { tenantId, phoneNumberId }: AddNumber): Promise<Owned> {
  let failure: TransferFailure | null = null;
  const accounts = await listUsableAccounts(parts.db, tenantId);
  const pairs = accounts.flatMap((account) => account.networkAccountIds.map((id) => ({ account, id })));
  for (const { account, id } of pairs) {
    const token = tokenOf(parts, account);
    const listed = await parts.accounts.listNumbers(token, id);
    const number = listed.ok ? listed.value.find((item) => item.phoneNumberId === phoneNumberId) : undefined;
    if (number !== undefined) return { account, token, networkAccountId: id, number };
    if (!listed.ok) failure = listed.failure;
  }
  // Without an answer for every account it is not certain that the number is in none of them.
  if (failure !== null) throw failed(isPassing(failure), describeFailure(failure));
  const details = [{ path: 'body.phone_number_id', message: NOBODYS_NUMBER }];
  throw new ApiProblem('unknown_phone_number', { sentence: NOBODYS_NUMBER, details });
}

function tokenOf({ keyring }: LinkDeps, account: LinkedAccount): string {
  try {
    return readToken(keyring, account);
  } catch (error) {
    if (error instanceof TokenUnreadable) throw new ApiProblem('conflict', { sentence: error.message });
    throw error;
  }
}

async function beginRun(parts: LinkDeps, account: LinkedAccount, origin: Origin): Promise<RunningLink> {
  const nowMs = parts.rt.clock.now();
  const { tenantId, accountId } = account;
  const run = { tenantId, accountId, runId: parts.rt.newId<string>(), runUntilMs: nowMs + RUN_MS, nowMs };
  const taken = await takeLinkedAccount(parts.db, run);
  if (taken === null) {
    throw new ApiProblem('conflict', { sentence: 'The steps of its account are running. Try again.' });
  }
  return { ...parts, origin, account: taken };
}

function failed(isPassingFault: boolean, sentence: string): ApiProblem {
  return new ApiProblem(isPassingFault ? 'network_unreachable' : 'refused_by_network', { sentence });
}
