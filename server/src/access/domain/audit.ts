import type { ActorKind, Origin } from '#core/caller/origin';
import type { TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';

/** What the audit log records, and what `target_id` then names. */
export const auditActions = {
  'tenant.created': 'The tenant was created.',
  'tenant.changed':
    'The handling of free-form messages outside the 24-hour window, or the addresses that keys may be used from, were changed.',
  'tenant.suspended': 'The operator suspended the tenant; details has the reason.',
  'tenant.exported': "The operator started an export of all the tenant's data.",
  'tenant.deleted': 'The operator started to delete the tenant permanently.',
  'tenant.resumed': 'The operator resumed the tenant.',
  'tenant.moved': 'The operator moved the tenant to another cell; details names both.',
  'retention.changed':
    'How long data of the tenant is kept was changed; details has the days by kind, before and after. The target is the tenant.',
  'key.created': 'An API key was created.',
  'key.rotated': 'An API key was rotated; details names the successor, and the old key works until the overlap ends.',
  'key.revoked': 'An API key was revoked.',
  'session.started':
    'An agent signed in; details has the method, and the second factor if there was one. The target is the agent.',
  'session.ended':
    'A session of an agent was ended: by signing out, from another session, by the identity provider, or by the operator. The target is the agent.',
  'user.password_set': 'A person set their password. The target is the agent.',
  'user.password_deleted': 'A person deleted their password. The target is the agent.',
  'user.email_changed': 'A person changed the email address that they sign in with. The target is the agent.',
  'user.email_confirmed': 'A person proved that their email address is theirs. The target is the agent.',
  'user.recovery_requested':
    'A link that signs a person in was mailed to their confirmed address, because somebody asked for it. The target is the agent.',
  'user.recovered':
    'A person signed in by the link that was mailed to them because they had forgotten their password; their other sessions ended. The target is the agent.',
  'user.totp_enabled': 'A person took an authenticator app into use. The target is the agent.',
  'user.totp_disabled': 'A person removed their authenticator app. The target is the agent.',
  'user.recovery_codes_created': 'A person created new recovery codes. The target is the agent.',
  'user.reset':
    'The operator took the password of a person away, and made them a link; details says whether the authenticator app was removed. The target is the agent.',
  'sso.changed': 'The single sign-on connection was set; the target is the tenant.',
  'sso.deleted': 'The single sign-on connection was deleted; the target is the tenant.',
  'passkey.added': 'A person added a passkey. The target is their agent.',
  'passkey.changed': 'A person renamed a passkey. The target is their agent.',
  'passkey.removed': 'A person removed a passkey. The target is their agent.',
  'push.subscribed':
    'A person turned on push notifications in a browser; details names its push service. The target is their agent.',
  'push.unsubscribed':
    'A person turned off push notifications in a browser; details names its push service. The target is their agent.',
  'number.added': 'A sending number was added.',
  'number.paused': 'A sending number was paused.',
  'number.resumed': 'A sending number was resumed.',
  'number.linked': 'A sending number now uses the access token of another linked account, named in details.',
  'number.changed': 'The settings of a sending number were changed.',
  'number.synced':
    'The network was asked for what was before the API on a sending number: contacts or messages, as details says.',
  'number.deleted': 'A sending number was deleted.',
  'number.profile_changed':
    'The business profile of a sending number was changed at the network; details names the fields.',
  'number.commands_changed':
    'The ice breakers, commands or welcome message of a sending number were changed at the network.',
  'number.name_requested': 'Another display name of a sending number was requested; details has it.',
  'number.username_set': 'A username was taken for a sending number; details has it.',
  'number.username_deleted': 'The username of a sending number was given up.',
  'number.pin_set': 'The two-step PIN of a sending number was set.',
  'qr_code.created': 'A QR code of a sending number, which is the target, was created; details has its code.',
  'qr_code.changed': 'The text of a QR code of a sending number, which is the target, was changed.',
  'qr_code.deleted': 'A QR code of a sending number, which is the target, was deleted.',
  'account.linked': 'An account was linked; details names the accounts that it replaced.',
  'contact.merged': 'A contact was merged into another; the target is the contact that was kept.',
  'contact.unmerged': 'A merge was undone; the target is the contact that is separate again.',
  'contacts.exported': 'An export of contacts was started; the target is the tenant, and details has the filters.',
  'contacts.imported': 'An import of contacts was started; the target is the import.',
  'attribute.created': 'A contact attribute was created.',
  'attribute.changed': 'A contact attribute was renamed.',
  'attribute.deleted': 'The deletion of a contact attribute and all its values was started.',
  'segment.created': 'A segment was created.',
  'segment.changed': 'A segment was changed.',
  'segment.deleted': 'A segment was deleted.',
  'rule.created': 'A chatbot rule was created.',
  'rule.changed': 'A chatbot rule was changed, enabled or disabled.',
  'rule.deleted': 'A chatbot rule was deleted.',
  'rules.ordered': 'Chatbot rules were reordered; the target is the tenant.',
  'template.created': 'A draft template was created.',
  'template.changed': 'The content of a template was changed.',
  'template.submitted': 'A template was submitted for review.',
  'template.deleted': 'A template was deleted.',
  'flow.created': 'A draft flow was created at the network; the target is its ID there, and details has its name.',
  'flow.changed': 'The name or the categories of a flow were changed; details names the fields.',
  'flow.json_changed': 'The JSON of a draft flow was replaced; details has the number of its validation errors.',
  'flow.published': 'A flow was published.',
  'flow.deprecated': 'A published flow was deprecated.',
  'flow.deleted': 'A draft flow was deleted.',
  'media.deleted': 'Media was deleted.',
  'business_hours.created': 'Business hours were created.',
  'business_hours.changed': 'Business hours were changed.',
  'business_hours.deleted': 'Business hours were deleted.',
  'team.created': 'A team was created.',
  'team.changed': 'A team was changed.',
  'team.deleted': 'A team was deleted.',
  'view.created': 'A view of conversations was created.',
  'view.changed': 'A view of conversations was changed, shared or no longer shared.',
  'view.deleted': 'A view of conversations was deleted.',
  'bulk_change.created': 'A change to many conversations was started; details has the number and the fields.',
  'bulk_change.canceled': 'A change to many conversations was canceled.',
  'bulk_change.undone': 'The undo of a change to many conversations was started; details names it.',
  'canned_reply.created': 'A canned reply was created.',
  'canned_reply.changed': 'A canned reply was changed.',
  'canned_reply.deleted': 'A canned reply was deleted.',
  'audit_log.exported': 'An export of the audit log was started; the target is the tenant.',
  'contact.erased': 'A contact was erased, with messages to and from it.',
  'campaign.created': 'A draft campaign was created.',
  'campaign.changed': 'A draft campaign was changed.',
  'campaign.recipients_imported':
    'An import of recipients into a draft campaign was started; details names the import.',
  'campaign.deleted': 'A draft campaign was deleted.',
  'campaign.scheduled': 'A campaign was scheduled.',
  'campaign.prepared': 'A campaign started to add the contacts of its audience.',
  'campaign.started': 'A campaign was started.',
  'campaign.paused': 'A campaign was paused.',
  'campaign.resumed': 'A paused campaign was resumed.',
  'campaign.retried': 'Recipients of a campaign were retried.',
  'campaign.canceled': 'A campaign was canceled.',
  'webhook.added': 'A webhook endpoint was added.',
  'webhook.changed': 'A webhook endpoint was changed, enabled or disabled.',
  'webhook.secret_rotated':
    'The secret of a webhook endpoint was rotated; the old one also signs until the overlap ends.',
  'webhook.deleted': 'A webhook endpoint was deleted.',
  'account.unlinked': 'A linked account and its access token were erased; details names the numbers that were paused.',
  'messages.held':
    'Messages that may have been sent before the database was restored were held until a status arrives or the operator decides; the target is the tenant.',
  'messages.released': 'The operator released held messages; the target is the tenant.',
  'messages.requeued': 'Failed messages were queued again; the target is the tenant.',
  'agent.created': 'An agent was created.',
  'agent.changed': 'An agent was changed; details names the fields.',
  'agent.invited': 'A link was made with which a person signs in as an agent. The target is the agent.',
  'agent.invitation_withdrawn': 'A link that had not been used was taken back. The target is the agent.',
  'agent.deleted': 'An agent was deleted; keys that acted for it no longer work.',
  'plan.changed': "The operator changed the tenant's plan, or the default plan; the target is the plan.",
  'subscription.moved': 'The plan, status or end of the subscription was changed; the target is the tenant.',
  'wallet.topup_begun': 'A wallet top-up was started through the payment gateway.',
  'wallet.topped_up': 'The wallet was topped up; the target is the transaction.',
  'wallet.price_set': 'The operator set a price for all tenants; the target is the message category.',
  'operator.read': 'The operator listed failed or held messages of the tenant, which is the target.',
  'wallet.rerated': 'Past messages were charged at corrected prices; the target is the tenant.',
  'wallet.adjusted': 'Money was refunded or deducted afterwards; the target is the transaction.',
} as const;

export type AuditAction = keyof typeof auditActions;
export const auditActionNames = Object.keys(auditActions) as readonly AuditAction[];

export const auditActorKinds: readonly ActorKind[] = ['key', 'agent', 'operator', 'service'];

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
