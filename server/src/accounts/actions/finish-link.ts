import { findTenantRefusal } from '#access/store/tenant-states';
import { readLinkState } from '#accounts/domain/link-state';
import { firstSteps } from '#accounts/domain/linking';
import { useLinkState } from '#accounts/store/link-states';
import { insertLinkedAccount, type LinkedAccount } from '#accounts/store/linked-accounts';
import type { Origin } from '#core/caller/origin';
import { tenantProblem } from '#core/caller/principal';
import { ApiProblem } from '#core/errors';
import type { AccountId, TenantId } from '#core/ids';
import type { SqlRunner, Transaction } from '#database/database';
import type { LinkDeps } from './link-deps.ts';
import { RUN_MS } from './link-run.ts';
import { runLink } from './run-link.ts';

/** What the browser returns from the dialog. */
export interface DialogReturn {
  /** Null: the browser returned none. */
  readonly state: string | null;
  readonly code: string | null;
  /** `error` of the dialog, when the person said no or something failed there. */
  readonly error: string | null;
  readonly errorReason: string | null;
  readonly requestId: string;
  readonly address: string;
}

/** Longer than any code of the network. */
const MAX_CODE_CHARACTERS = 4_000;

/**
 * Handles the return from the dialog: uses its state, and runs every step of linking. The state is used when this
 * returns or throws, with any result; only a state that was not ours or not usable changes nothing.
 * @throws ApiProblem tenant_suspended, which leaves the state usable, invalid_link_state, link_refused, link_failed,
 * linking_unavailable
 */
export async function completeLink(parts: LinkDeps, came: DialogReturn): Promise<LinkedAccount> {
  const { rt, db, keyring, stateKey } = parts;
  if (keyring.current() === null) throw new ApiProblem('linking_unavailable');
  const state = came.state === null ? null : readLinkState(stateKey, came.state);
  if (state === null) throw invalidState('This link was not created by this service, or it was modified.');
  const { tenantId, stateId } = state;
  const nowMs = rt.clock.now();
  if (state.expiresMs <= nowMs) throw invalidState('This link has expired. It is valid for ten minutes.');
  await requireActive(db, tenantId);
  const { code } = came;
  const granted = code !== null && code !== '' && code.length <= MAX_CODE_CHARACTERS;
  const begun = await db.transaction(async (tx) => {
    const used = await useLinkState(tx, { tenantId, stateId, nowMs });
    if (used === null || !granted) return { used, account: null };
    return { used, account: await beginAccount(parts, tx, tenantId) };
  });
  if (begun.used === null) throw invalidState('This link was already used. Each link works once.');
  if (begun.account === null || code === null) throw refusal(came);
  const { keyId, agentId, redirectUri } = begun.used;
  const actor = keyId === null ? 'agent' : 'key';
  const origin: Origin = { actor, keyId, agentId, requestId: came.requestId, address: came.address };
  const account = await runLink(parts, { account: begun.account, origin, grant: { code, redirectUri } });
  if (account.token !== null) return account;
  const why = account.steps.find((step) => step.error !== null)?.error?.message ?? 'It was aborted.';
  throw new ApiProblem('link_failed', { sentence: `Nothing was linked. ${why} Open the dialog again.` });
}

/** No key asks here that would be refused. @throws ApiProblem tenant_suspended, tenant_moving */
async function requireActive(db: SqlRunner, tenantId: TenantId): Promise<void> {
  const refusal = await findTenantRefusal(db, tenantId);
  if (refusal !== null) throw tenantProblem(refusal);
}

/** An account without a token: what stays when the process is killed in the next moment, and says so. */
async function beginAccount({ rt }: LinkDeps, tx: Transaction, tenantId: TenantId): Promise<LinkedAccount> {
  const nowMs = rt.clock.now();
  const account: LinkedAccount = {
    tenantId,
    accountId: rt.newId<AccountId>(),
    networkAccountIds: [],
    token: null,
    tokenExpiresMs: null,
    steps: firstSteps(),
    runId: rt.newId(),
    runUntilMs: nowMs + RUN_MS,
    replacedMs: null,
    createdMs: nowMs,
    updatedMs: nowMs,
  };
  await insertLinkedAccount(tx, account);
  return account;
}

function invalidState(sentence: string): ApiProblem {
  return new ApiProblem('invalid_link_state', { sentence: `${sentence} Ask for a new one.` });
}

/** The person's own decision reads differently from a fault of the dialog. Words of the address are not repeated. */
function refusal({ error, errorReason }: DialogReturn): ApiProblem {
  if (error === 'access_denied' || errorReason === 'user_denied') return new ApiProblem('link_refused');
  const sentence = 'The dialog did not return a permission. Nothing was linked; open it again.';
  return new ApiProblem('link_refused', { sentence });
}
