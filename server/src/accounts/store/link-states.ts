import type { AgentId, KeyId, LinkStateId, TenantId } from '#core/ids';
import { statement, type Transaction } from '#database/database';
import { firstRow } from '#database/rows';

/** A dialog that was asked for. Times are milliseconds since 1970. */
export interface LinkStateRow {
  readonly tenantId: TenantId;
  readonly stateId: LinkStateId;
  /** What asked for it: a key, or else a person who is this agent. */
  readonly keyId: KeyId | null;
  readonly agentId: AgentId | null;
  readonly redirectUri: string;
  readonly createdMs: number;
  readonly expiresMs: number;
}

const FORGET_OLD = statement('link_state_forget')`delete from link_states where tenant_id = $1 and expires_ms < $2`;
const LINK_STATE_INSERT = statement('link_state_insert')`
insert into link_states (tenant_id, state_id, key_id, agent_id, redirect_uri, created_ms, expires_ms)
values ($1, $2, $3, $4, $5, $6, $7)`;

/** @param forgetBeforeMs states of the tenant that ended before this go away: nothing can be done with them */
export async function insertLinkState(tx: Transaction, state: LinkStateRow, forgetBeforeMs: number): Promise<void> {
  const { tenantId, stateId, keyId, agentId, redirectUri, createdMs, expiresMs } = state;
  await tx.run(FORGET_OLD, [tenantId, forgetBeforeMs]);
  await tx.run(LINK_STATE_INSERT, [tenantId, stateId, keyId, agentId, redirectUri, createdMs, expiresMs]);
}

const USE = statement('link_state_use')`
update link_states set used_ms = $3
where tenant_id = $1 and state_id = $2 and used_ms is null and expires_ms > $3
returning key_id, agent_id, redirect_uri`;

/** Takes a state for good; null when it was taken before, or its time is over. */
export function useLinkState(
  tx: Transaction,
  { tenantId, stateId, nowMs }: Pick<LinkStateRow, 'tenantId' | 'stateId'> & { readonly nowMs: number },
): Promise<Pick<LinkStateRow, 'keyId' | 'agentId' | 'redirectUri'> | null> {
  return firstRow(tx.run<Pick<LinkStateRow, 'keyId' | 'agentId' | 'redirectUri'>>(USE, [tenantId, stateId, nowMs]));
}
