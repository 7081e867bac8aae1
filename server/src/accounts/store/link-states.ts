import type { KeyId, LinkStateId, TenantId } from '#core/ids';
import type { Statement, Transaction } from '#database/database';

/** A dialog that was asked for. Times are milliseconds since 1970. */
export interface LinkStateRow {
  readonly tenantId: TenantId;
  readonly stateId: LinkStateId;
  readonly keyId: KeyId;
  readonly redirectUri: string;
  readonly createdMs: number;
  readonly expiresMs: number;
}

const FORGET_OLD: Statement = {
  name: 'link_state_forget',
  text: 'delete from link_states where tenant_id = $1 and expires_ms < $2',
};
const LINK_STATE_INSERT: Statement = {
  name: 'link_state_insert',
  text: `
insert into link_states (tenant_id, state_id, key_id, redirect_uri, created_ms, expires_ms)
values ($1, $2, $3, $4, $5, $6)`,
};

/** @param forgetBeforeMs states of the tenant that ended before this go away: nothing can be done with them */
export async function insertLinkState(tx: Transaction, state: LinkStateRow, forgetBeforeMs: number): Promise<void> {
  const { tenantId, stateId, keyId, redirectUri, createdMs, expiresMs } = state;
  await tx.run(FORGET_OLD, [tenantId, forgetBeforeMs]);
  await tx.run(LINK_STATE_INSERT, [tenantId, stateId, keyId, redirectUri, createdMs, expiresMs]);
}

const USE: Statement = {
  name: 'link_state_use',
  text: `
update link_states set used_ms = $3
where tenant_id = $1 and state_id = $2 and used_ms is null and expires_ms > $3
returning key_id, redirect_uri`,
};

/** Takes a state for good; null when it was taken before, or its time is over. */
export async function useLinkState(
  tx: Transaction,
  state: Pick<LinkStateRow, 'tenantId' | 'stateId'> & { readonly nowMs: number },
): Promise<Pick<LinkStateRow, 'keyId' | 'redirectUri'> | null> {
  const { rows } = await tx.run<{ key_id: KeyId; redirect_uri: string }>(USE, [
    state.tenantId,
    state.stateId,
    state.nowMs,
  ]);
  return rows[0] ? { keyId: rows[0].key_id, redirectUri: rows[0].redirect_uri } : null;
}
