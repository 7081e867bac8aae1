import type { ActorKind, Origin } from '#core/caller/origin';
import type { TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';

/** What the audit log records, and what `target_id` then names. */
export const auditActions = {
  'tenant.created': 'The tenant was made.',
  'tenant.changed':
    'What becomes of free-form messages outside the 24-hour window was changed, or where its keys may be used from.',
  'tenant.suspended': 'The operator stopped the tenant; details has the reason.',
  'tenant.exported': 'The operator began to export everything of the tenant.',
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
  'number.deleted': 'A sending number was deleted.',
  'account.linked': 'Every step of linking an account was done; details names accounts that it replaced.',
  'contact.merged': 'A contact became part of another; the target is the contact that stays.',
  'contact.unmerged': 'A merge was taken back; the target is the contact that stands alone again.',
  'contacts.exported': 'An export of contacts began; the target is the tenant, and details names the filters.',
  'contacts.imported': 'An import of contacts began; the target is the import.',
  'attribute.created': 'A contact attribute was defined.',
  'attribute.changed': 'A contact attribute was renamed.',
  'attribute.deleted': 'The deletion of a contact attribute and of all its values began.',
  'segment.created': 'A segment was created.',
  'segment.changed': 'A segment was changed.',
  'segment.deleted': 'A segment was deleted.',
  'rule.created': 'A chatbot rule was created.',
  'rule.changed': 'A chatbot rule was changed, or switched on or off.',
  'rule.deleted': 'A chatbot rule was deleted.',
  'rules.ordered': 'The order of the chatbot rules was changed; the target is the tenant.',
  'template.created': 'A template was drafted.',
  'template.changed': 'What a template says was changed.',
  'template.submitted': 'A template was handed in for review.',
  'template.deleted': 'A template was deleted.',
  'media.deleted': 'Media was deleted.',
  'business_hours.created': 'Business hours were created.',
  'business_hours.changed': 'Business hours were changed.',
  'business_hours.deleted': 'Business hours were deleted.',
  'team.created': 'A team was created.',
  'team.changed': 'A team was changed.',
  'team.deleted': 'A team was deleted.',
  'canned_reply.created': 'A canned reply was created.',
  'canned_reply.changed': 'A canned reply was changed.',
  'canned_reply.deleted': 'A canned reply was deleted.',
  'audit_log.exported': 'An export of the audit log began; the target is the tenant.',
  'contact.erased': 'A contact was erased, with what it wrote and was written.',
  'campaign.created': 'A campaign was drafted.',
  'campaign.changed': 'A draft of a campaign was changed.',
  'campaign.recipients_imported': 'An import of recipients into a draft of a campaign began; details names the import.',
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
  'webhook.deleted': 'A webhook endpoint was deleted.',
  'account.unlinked': 'A linked account and its access token were erased; details names the numbers that it paused.',
  'messages.held':
    'Messages that may have been sent before the database was restored wait for a status or the operator; the target is the tenant.',
  'messages.released': 'The operator ended the wait of held messages; the target is the tenant.',
  'messages.requeued': 'Failed messages were queued again; the target is the tenant.',
  'agent.created': 'An agent was added.',
  'agent.changed': 'What is known of an agent was changed; details names the fields.',
  'agent.deleted': 'An agent was deleted; keys that acted for it no longer work.',
  'plan.changed':
    "The operator changed the tenant's plan itself, or made another one the default; the target is the plan.",
  'subscription.moved': 'The plan, the state or the end of the subscription was changed; the target is the tenant.',
  'wallet.topup_begun': 'A payment into the wallet was begun through the payment gateway.',
  'wallet.topped_up': 'Money came into the wallet; the target is the line of the ledger.',
  'wallet.price_set': 'The operator set a price for all tenants; the target is the category of messages.',
  'operator.read': 'The operator listed failed or held messages of the tenant, which is the target.',
  'wallet.rerated': 'Messages of the past were charged by other prices; the target is the tenant.',
  'wallet.adjusted': 'Money was given back or taken after the fact; the target is the line of the ledger.',
} as const;

export type AuditAction = keyof typeof auditActions;
export const auditActionNames = Object.keys(auditActions) as readonly AuditAction[];

export const auditActorKinds: readonly ActorKind[] = ['key', 'operator', 'service'];

/** A command of the operator: there is no request, and access to the socket or the database makes the operator. */
export const OPERATOR: Origin = {
  actor: 'operator',
  keyId: null,
  agentId: null,
  requestId: null,
  address: null,
};

/** What the service does automatically. */
export const SERVICE: Origin = { ...OPERATOR, actor: 'service' };

/**
 * The details of a change: `fields` names every field that differs, `changes` has `[before, after]` of those in `shown`.
 * The log is kept for good, so texts of messages, personal data and secrets are never shown.
 * @param changes `{field: [before, after]}`
 */
export function changeDetails(changes: JsonObject, shown: readonly string[]): JsonObject {
  const kept = Object.entries(changes).filter(([field]) => shown.includes(field));
  return { fields: Object.keys(changes), changes: Object.fromEntries(kept) };
}

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

/** An entry as it leaves. */
export function auditEntryJson({ entryId, createdMs, origin, action, targetId, details }: AuditEntry): JsonObject {
  return {
    id: entryId,
    at: new Date(createdMs).toISOString(),
    actor: { kind: origin.actor, key_id: origin.keyId, agent_id: origin.agentId },
    action,
    target_id: targetId,
    details,
    request_id: origin.requestId,
    address: origin.address,
  };
}
