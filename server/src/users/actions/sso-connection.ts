import { audit } from '#access/actions/audit';
import { type Granted, requireGranted } from '#access/actions/require-granted';
import { type AgentRequest, requireOwnerFor } from '#agents/actions/manage-agents';
import { lockAgent } from '#agents/store/agents';
import { scopeNames } from '#core/caller/scopes';
import { ApiProblem, requireFound } from '#core/errors';
import type { Database, Transaction } from '#database/database';
import type { Keyring } from '#runtime/keyring';
import type { Runtime } from '#runtime/runtime';
import type { SsoConnection } from '#users/domain/sso';
import {
  deleteSsoConnection,
  isOwnerInPerson,
  lockSsoConnection,
  saveSsoConnection,
} from '#users/store/sso-connections';
import { sealClientSecret } from './sso-secrets.ts';

/** Who changes how the people of a tenant sign in. */
export interface SsoRequest extends AgentRequest, Granted {}

export type SsoInput = Omit<SsoConnection, 'tenantId' | 'secret' | 'createdMs' | 'updatedMs'> & {
  /** Null: the one that is there stays. */
  readonly clientSecret: string | null;
};

const NO_SECRET = 'Give the client_secret: none is stored for this issuer and client_id.';
const NO_AGENT = 'The tenant has no agent with the ID in break_glass_agent_id.';
const NO_BREAK_GLASS =
  'Single sign-on alone needs break_glass_agent_id: an owner who has signed in and can sign in another way, in case the provider fails.';

/**
 * Connects a tenant with its identity provider, or changes the connection.
 * @throws ApiProblem forbidden, conflict, secrets_unavailable
 */
export function setSsoConnection(
  rt: Runtime,
  db: Database,
  { request, keyring, input }: { readonly request: SsoRequest; readonly keyring: Keyring; readonly input: SsoInput },
): Promise<SsoConnection> {
  const { tenantId, origin } = request;
  const { clientSecret, ...fields } = input;
  return db.transaction(async (tx) => {
    const before = await lockSsoConnection(tx, tenantId);
    requireRights(request, [before, fields]);
    await requireBreakGlass(tx, request, fields);
    const isSame = before?.issuer === fields.issuer && before.clientId === fields.clientId;
    const kept = isSame ? before.secret : null;
    const secret = clientSecret === null ? kept : sealClientSecret(keyring, tenantId, clientSecret);
    // A stored secret must not be sent to another address.
    if (secret === null) throw new ApiProblem('conflict', { sentence: NO_SECRET });
    const nowMs = rt.clock.now();
    const updatedMs = Math.max(nowMs, (before?.updatedMs ?? 0) + 1);
    const connection: SsoConnection = { ...fields, tenantId, secret, createdMs: before?.createdMs ?? nowMs, updatedMs };
    await saveSsoConnection(tx, connection);
    const { issuer, allowNew: allow_new, only } = connection;
    const details = { issuer, allow_new, only };
    await audit(rt, tx, { tenantId, origin, action: 'sso.changed', targetId: tenantId, details });
    return connection;
  });
}

/**
 * People sign in by other ways again. Sessions go on; who is who at the provider stays known.
 * @throws ApiProblem not_found, forbidden
 */
export function removeSsoConnection(rt: Runtime, db: Database, request: SsoRequest): Promise<void> {
  const { tenantId, origin } = request;
  return db.transaction(async (tx) => {
    const before = requireFound(await lockSsoConnection(tx, tenantId));
    requireRights(request, [before]);
    await deleteSsoConnection(tx, tenantId);
    const details = { issuer: before.issuer };
    await audit(rt, tx, { tenantId, origin, action: 'sso.deleted', targetId: tenantId, details });
  });
}

/** A provider can let anybody in: a key must not give more than it has, and nobody but an owner makes or shuts out owners. */
function requireRights(
  request: SsoRequest,
  states: readonly (Pick<SsoConnection, 'roles' | 'defaultRole' | 'only'> | null)[],
): void {
  if (request.acting === null) requireGranted(request, scopeNames);
  for (const state of states) {
    if (state === null) continue;
    const makesOwners = state.defaultRole === 'owner' || state.roles.some(({ role }) => role === 'owner');
    requireOwnerFor(request.acting, makesOwners || state.only ? ['owner'] : []);
  }
}

async function requireBreakGlass(
  tx: Transaction,
  { tenantId }: SsoRequest,
  { only, breakGlassAgentId }: Pick<SsoConnection, 'only' | 'breakGlassAgentId'>,
): Promise<void> {
  const agent = breakGlassAgentId === null ? null : await lockAgent(tx, tenantId, breakGlassAgentId);
  if (breakGlassAgentId !== null && agent === null) {
    const details = [{ path: 'body.break_glass_agent_id', message: NO_AGENT }];
    throw new ApiProblem('validation_failed', { sentence: NO_AGENT, details });
  }
  if (!only) return;
  if (agent === null || !(await isOwnerInPerson(tx, tenantId, agent.agentId)))
    throw new ApiProblem('conflict', { sentence: NO_BREAK_GLASS });
}
