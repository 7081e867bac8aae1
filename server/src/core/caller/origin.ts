import type { AgentId, KeyId, TenantId } from '#core/ids';

/** Who a change was made by: a request with a key, an agent who is signed in, a command of the operator, or the service on its own. */
export type ActorKind = 'key' | 'agent' | 'operator' | 'service';

/** Who asks for a change, and where from. */
export interface Origin {
  readonly actor: ActorKind;
  /** Set exactly when the actor is a key. */
  readonly keyId: KeyId | null;
  /** The agent that the request acts for; null: none. */
  readonly agentId: AgentId | null;
  readonly requestId: string | null;
  readonly address: string | null;
}

/** Whose data a request is about, and who makes it. */
export interface Requester {
  readonly tenantId: TenantId;
  readonly origin: Origin;
}
