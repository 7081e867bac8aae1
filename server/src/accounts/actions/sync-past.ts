import { audit } from '#access/actions/audit';
import type { AccountNetwork, PastKind } from '#accounts/domain/account-network';
import { findPhoneNumber } from '#accounts/store/phone-numbers';
import type { Requester } from '#core/caller/origin';
import { ApiProblem, requireFound } from '#core/errors';
import { describeFailure, isPassing, type TransferFailure } from '#core/network/transfer-failure';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import { type TokenProvider, TokenUnreadable } from './account-token.ts';

/** What asking for the past works with. The network is passed in: an action makes no outside calls. */
export interface SyncDeps {
  readonly rt: Runtime;
  readonly db: Database;
  readonly accounts: Pick<AccountNetwork, 'startSync'>;
  readonly tokens: TokenProvider;
}

export interface SyncPast extends Requester {
  readonly phoneNumberId: string;
  readonly kind: PastKind;
}

/** The refusal of asking twice: the network hands each over once. */
export const ASKED_BEFORE = 'The network was asked for this before, and hands it over only once.';
const TOO_LATE = 'The network hands this over only within 24 hours after the number was connected.';
const REFUSALS: ReadonlyMap<number | null, string> = new Map([
  [2593107, ASKED_BEFORE],
  [2593108, TOO_LATE],
]);

/**
 * Asks the network for what was before the API on a number: it comes in callbacks.
 * @returns the network's id of the request
 * @throws ApiProblem not_found; conflict when it is too late or was asked before; refused_by_network, network_unreachable
 */
export async function syncPast(
  { rt, db, accounts, tokens }: SyncDeps,
  { tenantId, origin, phoneNumberId, kind }: SyncPast,
): Promise<string> {
  requireFound(await findPhoneNumber(db, tenantId, phoneNumberId));
  const token = await tokens.ofNumber(tenantId, phoneNumberId).catch(asConflict);
  const asked = await accounts.startSync(token.token, phoneNumberId, kind);
  if (!asked.ok) throw problemOfSync(asked.failure);
  await db.transaction((tx) =>
    audit(rt, tx, { tenantId, origin, action: 'number.synced', targetId: phoneNumberId, details: { type: kind } }),
  );
  return asked.value;
}

function asConflict(error: unknown): never {
  if (error instanceof TokenUnreadable) throw new ApiProblem('conflict', { sentence: error.message });
  throw error;
}

function problemOfSync(failure: TransferFailure): ApiProblem {
  const sentence = failure.kind === 'refused' ? REFUSALS.get(failure.networkCode) : undefined;
  if (sentence !== undefined) return new ApiProblem('conflict', { sentence });
  const code = isPassing(failure) ? 'network_unreachable' : 'refused_by_network';
  return new ApiProblem(code, { sentence: describeFailure(failure) });
}
