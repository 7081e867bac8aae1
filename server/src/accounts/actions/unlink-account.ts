import { audit } from '#access/actions/audit';
import { findLinkedAccount, removeLinkedAccount } from '#accounts/store/linked-accounts';
import { pauseNumbersOfAccount } from '#accounts/store/linked-numbers';
import type { Requester } from '#core/caller/origin';
import { ApiProblem } from '#core/errors';
import type { AccountId, PhoneNumberId } from '#core/ids';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';

export interface UnlinkAccount extends Requester {
  readonly accountId: string;
}

/** What was unlinked, and which numbers it stopped. */
export interface UnlinkedAccount {
  readonly accountId: AccountId;
  readonly pausedNumbers: readonly PhoneNumberId[];
}

/** Why the numbers are paused. */
export const UNLINKED = 'Its account was unlinked. Link it again.';
/** The refusal while another process works with the token. */
export const AT_WORK = 'The steps of this account are already running.';

/**
 * Forgets a linked account with its access token. Its numbers pause and keep what waits to leave; another link for the
 * same account of the network resumes them.
 * @throws ApiProblem not_found, conflict while its steps are being run
 */
export function unlinkAccount(rt: Runtime, db: Database, request: UnlinkAccount): Promise<UnlinkedAccount> {
  const { tenantId, origin } = request;
  return db.transaction(async (tx) => {
    const account = await findLinkedAccount(tx, tenantId, request.accountId);
    if (account === null) throw new ApiProblem('not_found');
    const { accountId } = account;
    // Numbers before their account, as a run of its steps locks them.
    const pause = { tenantId, accountId, pauseReason: UNLINKED };
    const pausedNumbers = await pauseNumbersOfAccount(tx, pause);
    if (!(await removeLinkedAccount(tx, { tenantId, accountId, nowMs: rt.clock.now() })))
      throw new ApiProblem('conflict', { sentence: AT_WORK });
    const details = { network_account_ids: account.networkAccountIds, paused_numbers: pausedNumbers };
    await audit(rt, tx, { tenantId, origin, action: 'account.unlinked', targetId: accountId, details });
    const paused = { tenantId, origin, action: 'number.paused', details: { reason: UNLINKED } } as const;
    for (const targetId of pausedNumbers) await audit(rt, tx, { ...paused, targetId });
    return { accountId, pausedNumbers };
  });
}
