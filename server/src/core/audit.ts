import type { AgentId, KeyId, TenantId } from './ids.ts';
import type { JsonObject } from './json.ts';

/** What the audit log tells of, and what `target_id` then names. */
export const auditActions = {
  'tenant.created': 'The tenant was made.',
  'tenant.changed':
    'What becomes of free-form messages outside the 24-hour window was changed, or where its keys may be used from.',
  'tenant.suspended': 'The operator stopped the tenant; details has the reason.',
  'tenant.deleted': 'The operator began to delete the tenant for good.',
  'tenant.resumed': 'The operator let the tenant go on.',
  'key.created': 'An API key was made.',
  'key.rotated': 'An API key got a successor, which details names; the old one works until its overlap is over.',
  'key.revoked': 'An API key was ended.',
  'number.added': 'A sending number was added.',
  'number.paused': 'A sending number was paused.',
  'number.resumed': 'A sending number sends again.',
  'number.linked': 'A sending number uses the access token of another linked account, which details names.',
  'number.changed': 'What people choose about a sending number was changed.',
  'number.removed': 'A sending number was removed.',
  'account.linked': 'Every step of linking an account was done; details names accounts that it replaced.',
  'contact.erased': 'A contact was erased, with what it wrote and was written.',
  'campaign.created': 'A campaign was drafted.',
  'campaign.changed': 'A draft of a campaign was changed.',
  'campaign.deleted': 'A draft of a campaign was deleted.',
  'campaign.scheduled': 'A campaign was told to start at its time.',
  'campaign.prepared': 'A campaign began to take in the members of its audience.',
  'campaign.started': 'A campaign was started.',
  'campaign.paused': 'A campaign was paused.',
  'campaign.resumed': 'A paused campaign goes on.',
  'campaign.retried': 'Recipients of a campaign were put back to be sent to again.',
  'campaign.canceled': 'A campaign was canceled.',
  'webhook.added': 'A webhook endpoint was added.',
  'webhook.changed': 'A webhook endpoint was changed, or switched on or off.',
  'webhook.secret_rotated': 'A webhook endpoint got a new secret; the old one signs as well until its overlap is over.',
  'webhook.removed': 'A webhook endpoint was removed.',
  'account.unlinked': 'A linked account and its access token were erased; details names the numbers that it paused.',
  'messages.requeued': 'Failed messages were queued again; the target is the tenant.',
  'agent.created': 'An agent was added.',
  'agent.changed': 'What is known of an agent was changed; details names the fields.',
  'agent.removed': 'An agent was removed; keys that acted for it no longer work.',
  'plan.changed':
    "The operator changed the tenant's plan itself, or made another one the default; the target is the plan.",
  'subscription.moved': 'The plan, the state or the end of the subscription was changed; the target is the tenant.',
  'wallet.topup_begun': 'A payment into the wallet was begun through the payment gateway.',
  'wallet.topped_up': 'Money came into the wallet; the target is the line of the ledger.',
  'wallet.rerated': 'Messages of the past were charged by other prices; the target is the tenant.',
  'wallet.adjusted': 'Money was given back or taken after the fact; the target is the line of the ledger.',
} as const;

export type AuditAction = keyof typeof auditActions;
export const auditActionNames = Object.keys(auditActions) as readonly AuditAction[];

export type ActorKind = 'key' | 'operator' | 'service';
export const actorKinds: readonly ActorKind[] = ['key', 'operator', 'service'];

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

/** A command of the operator: there is no request, and whoever can reach the socket or the database is the operator. */
export const OPERATOR: Origin = {
  actor: 'operator',
  keyId: null,
  agentId: null,
  requestId: null,
  address: null,
};

/** What the service does by itself. */
export const SERVICE: Origin = { ...OPERATOR, actor: 'service' };

/** One entry of the audit log. Times are milliseconds since 1970. */
export interface AuditEntry {
  readonly tenantId: TenantId;
  readonly entryId: string;
  readonly createdMs: number;
  readonly origin: Origin;
  readonly action: AuditAction;
  readonly targetId: string;
  /** Never a key, a token or another secret. */
  readonly details: JsonObject;
}
