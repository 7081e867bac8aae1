// Written by npm run gen from contract/openapi.json. Do not edit.

/** One of the known values, or one that a newer service has added. */
export type Open<Known extends string> = Known | (string & Record<never, never>);

/** All of some conditions, any of them, the opposite of one, or a comparison. */
export type Condition<Comparison> =
  | { readonly all: readonly Condition<Comparison>[]; readonly any?: never; readonly not?: never; readonly field?: never }
  | { readonly any: readonly Condition<Comparison>[]; readonly all?: never; readonly not?: never; readonly field?: never }
  | { readonly not: Condition<Comparison>; readonly all?: never; readonly any?: never; readonly field?: never }
  | Comparison;

/** The message is stored and will be sent. It has not reached the network yet. */
export interface AcceptedMessage {
  readonly id: MessageId;
  /** A new message is queued. */
  readonly status: 'queued';
  /** Kind of message. */
  readonly type: string;
  /** Recipient: digits only, or the user ID. */
  readonly to: string;
}

/** A linked account, without its access token. */
export interface Account {
  /** ID of the linked account. */
  readonly id: string;
  /** linked: all steps are complete. linking: steps are running. incomplete: run the steps again. failed: open the dialog again. replaced: a later link took over. */
  readonly status: Open<'linking' | 'linked' | 'incomplete' | 'failed' | 'replaced'>;
  /** Network accounts that it has access to. */
  readonly network_account_ids: readonly string[];
  /** When its access token expires. Null if it never expires, or there is none. */
  readonly token_expires_at: string | null;
  /** Steps of linking, in order. */
  readonly steps: readonly LinkStep[];
  /** When the person returned from the dialog. */
  readonly created_at: string;
  readonly updated_at: UpdatedAt;
  /** When a later link replaced it. */
  readonly replaced_at: string | null;
}

/** A page of accounts, newest first. */
export interface AccountList {
  readonly data: readonly Account[];
  readonly page: PageInfo;
}

/** What the network reports of an account or a sending number. */
export interface AccountNotice {
  /** Identifies the report. */
  readonly id: string;
  /** Linked account that it is about. Null if the operator added the number. */
  readonly account_id: string | null;
  /** The network's ID of the account. */
  readonly network_account_id: string;
  /** Sending number that it is about. Null: the whole account. */
  readonly phone_number_id: string | null;
  /** The network's name of the kind of report, such as account_update. */
  readonly field: string;
  /** The network's word for what happened, such as PARTNER_REMOVED. Null if it has none. */
  readonly kind: string | null;
  /** One sentence for people. */
  readonly message: string;
  /** Time reported by the network. */
  readonly reported_at: string | null;
  /** The report, as sent by the network. Null if it is larger than 16 kB. */
  readonly value: Readonly<Record<string, unknown>> | null;
}

/** The network reported something about an account or a sending number that nothing here acts on, such as a violation, a warning or a review. */
export interface AccountNoticeEvent extends EventEnvelope {
  readonly type: 'account.notice';
  readonly data: AccountNotice;
}

/** Who did it. */
export interface Actor {
  /** Kind of actor. system: the service itself, or a customer's message. */
  readonly kind: Open<'agent' | 'key' | 'rule' | 'system'>;
  /** ID of the agent, key or rule. Null for the service itself. */
  readonly id: string | null;
}

/** Recipients to add to a draft. */
export interface AddCampaignRecipientsRequest {
  /** Recipients, 1 to 1000. */
  readonly recipients: readonly ({
    /** Phone number in international format, or the network's ID of a user. */
    readonly to: string;
    /** Values for the template's placeholders, by name. */
    readonly variables?: Readonly<Record<string, string>> | undefined;
  })[];
}

/** Result of adding recipients. */
export interface AddCampaignRecipientsResponse {
  /** New recipients. */
  readonly added: number;
  /** Those that already were recipients or were listed twice. */
  readonly duplicates: number;
  /** Total recipients of the campaign. */
  readonly total: number;
}

/** The new passkey. */
export interface AddPasskeyRequest {
  /** What the person calls it. */
  readonly name: string;
  /** Answer of the authenticator: the PublicKeyCredential as JSON, as its method `toJSON` returns it. */
  readonly credential: Readonly<Record<string, unknown>>;
}

/** A number of a linked account. */
export interface AddPhoneNumberRequest {
  readonly phone_number_id: PhoneNumberId;
  /** Display name. Default: the name on the network. */
  readonly name?: string | undefined;
  /** Its two-step PIN, if it was set elsewhere or by setNumberPin. It is not stored; send no Idempotency-Key with it. */
  readonly pin?: string | undefined;
}

/** A person who answers customers. */
export interface Agent {
  /** ID of the agent. */
  readonly id: string;
  /** Name of the agent. */
  readonly name: string;
  /** Email address of the agent. */
  readonly email: string | null;
  readonly role: Open<AgentRole>;
  /** Permissions of the role: conversations:read, conversations:reply, contacts:read, contacts:write, conversations:assign_others, contacts:manage, contacts:export, replies:manage, rules:manage, templates:manage, campaigns:manage, reports:read, agents:manage, settings:manage, owners:manage, keys:manage, billing:manage. */
  readonly permissions: readonly string[];
  readonly availability: Open<AgentAvailability>;
  /** When the agent goes offline without another heartbeat. Null: never. */
  readonly presence_expires_at: string | null;
  /** Capacity and workload of the agent. */
  readonly capacity: {
    readonly max_open: MaxOpenConversations;
    /** Open and pending conversations of the agent. */
    readonly open: number;
  };
  readonly skills: AgentSkills;
  /** Teams that the agent belongs to. */
  readonly teams: readonly string[];
  /** Your own ID for the agent. */
  readonly external_id: string | null;
  readonly version: ResourceVersion;
  /** When the agent was created. */
  readonly created_at: string;
  readonly updated_at: UpdatedAt;
}

/** Only online agents are assigned conversations. */
export type AgentAvailability = 'online' | 'away' | 'offline';

/** An agent went online, away or offline. */
export interface AgentAvailabilityChangedEvent extends EventEnvelope {
  readonly type: 'agent.availability_changed';
  readonly data: ChangedAgent;
}

/** An agent was created. */
export interface AgentCreatedEvent extends EventEnvelope {
  readonly type: 'agent.created';
  readonly data: Agent;
}

/** An agent was deleted. */
export interface AgentDeletedEvent extends EventEnvelope {
  readonly type: 'agent.deleted';
  readonly data: Agent;
}

/** A page of agents, newest first. */
export interface AgentList {
  readonly data: readonly Agent[];
  readonly page: PageInfo;
}

/** Metrics of an agent. */
export interface AgentMetrics {
  /** The agent. */
  readonly agent_id: string;
  /** Null if the agent was deleted. */
  readonly name: string | null;
  /** Times that a conversation was assigned to the agent. */
  readonly assigned: number;
  /** Replies by the agent, or by a key in the agent's conversations. */
  readonly replies: number;
  /** Messages that the agent wrote, in conversations and elsewhere. */
  readonly written: number;
  /** Times that a conversation of the agent was resolved. */
  readonly resolved: number;
  readonly first_response: DurationSummary;
  /** Time from the start of the customer's wait to each reply by a person. */
  readonly reply: DurationSummary;
  /** Time from when a conversation was opened or reopened to its resolution. */
  readonly resolution: DurationSummary;
  /** Conversations that count toward the agent's capacity now. Null if the agent was deleted. */
  readonly open_conversations: number | null;
  /** Maximum number of conversations assigned to the agent at the same time. */
  readonly max_open: number | null;
}

/** Role of the agent. */
export type AgentRole = 'owner' | 'admin' | 'agent';

/** Where the person of an agent is signed in. */
export interface AgentSessionList {
  /** Newest first. */
  readonly data: readonly Session[];
}

/** Skills of the agent, in your own words, such as languages or products. */
export type AgentSkills = readonly string[];

/** The data of an agent changed, other than its availability. */
export interface AgentUpdatedEvent extends EventEnvelope {
  readonly type: 'agent.updated';
  readonly data: ChangedAgent;
}

/** An API key, without the key itself. */
export interface ApiKey {
  /** ID of the key. */
  readonly id: string;
  /** What it is for. */
  readonly name: string;
  /** Test keys send only to the simulator. */
  readonly mode: Open<ApiKeyMode>;
  /** First characters of the key, to tell keys apart. */
  readonly hint: string;
  readonly status: Open<ApiKeyStatus>;
  /** Scopes of the key. Empty: all. */
  readonly scopes: readonly string[];
  /** Maximum requests per second. Null: the installation's default; 0: no limit. */
  readonly rate_limit: number | null;
  /** Agent that the key acts for. Null: none. */
  readonly agent_id: string | null;
  /** IP addresses and networks that the key may be used from. Empty: any that the tenant allows. */
  readonly allowed_ips: readonly string[];
  /** Sending numbers that the key is limited to. Empty: all. */
  readonly phone_number_ids: readonly string[];
  readonly created_at: CreatedAt;
  /** When the key expires or expired. */
  readonly expires_at: string | null;
  /** When it was revoked. */
  readonly revoked_at: string | null;
  /** When it was last used, to the minute. */
  readonly last_used_at: string | null;
}

/** A page of keys, newest first. */
export interface ApiKeyList {
  readonly data: readonly ApiKey[];
  readonly page: PageInfo;
}

/** Only keys of this mode. */
export type ApiKeyMode = 'live' | 'test';

/** Only active keys work. */
export type ApiKeyStatus = 'active' | 'expired' | 'revoked';

/** Omitted fields stay unchanged. */
export interface AssignConversationRequest {
  readonly assignee_id?: NewAssignee | null | undefined;
  readonly team_id?: NewTeam | null | undefined;
}

/** An assignment decision. */
export interface AssignmentEntry {
  /** ID of the decision. */
  readonly id: string;
  readonly at: CreatedAt;
  /** Outcome. unassigned and kept apply to reopened conversations. */
  readonly outcome: Open<'assigned' | 'unassigned' | 'kept'>;
  /** sticky, round_robin or least_loaded; for reopened conversations: policy, agent_offline, agent_full or agent_able. */
  readonly because: string;
  /** ID of the agent. */
  readonly agent_id: string | null;
  /** Team of the agent. */
  readonly team_id: string | null;
  readonly skipped: SkippedAgents;
}

/** manual: people assign. round_robin: agents take turns. least_loaded: the agent with the smallest share of capacity in use. */
export type AssignmentPolicy = 'manual' | 'round_robin' | 'least_loaded';

/** Contacts that receive the campaign, besides added recipients. The condition is fixed when the campaign starts. */
export interface Audience {
  /** The segment. */
  readonly segment_id?: string | null;
  readonly when?: ContactCondition;
  /** Contacts left out because they have neither a number nor a user ID. */
  readonly left_out?: number;
}

/** Contacts that become recipients when the campaign starts: those in a segment, or those that match a condition. Null: only added recipients. */
export interface AudienceRequest {
  /** Contacts in this segment. */
  readonly segment_id?: string | undefined;
  readonly when?: ContactCondition | undefined;
}

/** The audio. It has no caption. */
export interface AudioContent {
  readonly media_id?: MediaId | undefined;
  readonly link?: MediaLink | undefined;
  /** Shows the audio as a voice message (audio/ogg with Opus). */
  readonly voice?: boolean | undefined;
}

/** Type of change. tenant.created: The tenant was created. tenant.changed: The handling of free-form messages outside the 24-hour window, or the addresses that keys may be used from, were changed. tenant.suspended: The operator suspended the tenant; details has the reason. tenant.exported: The operator started an export of all the tenant's data. tenant.deleted: The operator started to delete the tenant permanently. tenant.resumed: The operator resumed the tenant. tenant.moved: The operator moved the tenant to another cell; details names both. retention.changed: How long data of the tenant is kept was changed; details has the days by kind, before and after. The target is the tenant. key.created: An API key was created. key.rotated: An API key was rotated; details names the successor, and the old key works until the overlap ends. key.revoked: An API key was revoked. session.started: An agent signed in; details has the method, and the second factor if there was one. The target is the agent. session.ended: A session of an agent was ended: by signing out, from another session, by the identity provider, or by the operator. The target is the agent. user.password_set: A person set their password. The target is the agent. user.password_deleted: A person deleted their password. The target is the agent. user.email_changed: A person changed the email address that they sign in with. The target is the agent. user.email_confirmed: A person proved that their email address is theirs. The target is the agent. user.recovery_requested: A link that signs a person in was mailed to their confirmed address, because somebody asked for it. The target is the agent. user.recovered: A person signed in by the link that was mailed to them because they had forgotten their password; their other sessions ended. The target is the agent. user.totp_enabled: A person took an authenticator app into use. The target is the agent. user.totp_disabled: A person removed their authenticator app. The target is the agent. user.recovery_codes_created: A person created new recovery codes. The target is the agent. user.reset: The operator took the password of a person away, and made them a link; details says whether the authenticator app was removed. The target is the agent. sso.changed: The single sign-on connection was set; the target is the tenant. sso.deleted: The single sign-on connection was deleted; the target is the tenant. passkey.added: A person added a passkey. The target is their agent. passkey.changed: A person renamed a passkey. The target is their agent. passkey.removed: A person removed a passkey. The target is their agent. push.subscribed: A person turned on push notifications in a browser; details names its push service. The target is their agent. push.unsubscribed: A person turned off push notifications in a browser; details names its push service. The target is their agent. number.added: A sending number was added. number.paused: A sending number was paused. number.resumed: A sending number was resumed. number.linked: A sending number now uses the access token of another linked account, named in details. number.changed: The settings of a sending number were changed. number.synced: The network was asked for what was before the API on a sending number: contacts or messages, as details says. number.deleted: A sending number was deleted. number.profile_changed: The business profile of a sending number was changed at the network; details names the fields. number.commands_changed: The ice breakers, commands or welcome message of a sending number were changed at the network. number.name_requested: Another display name of a sending number was requested; details has it. number.username_set: A username was taken for a sending number; details has it. number.username_deleted: The username of a sending number was given up. number.pin_set: The two-step PIN of a sending number was set. qr_code.created: A QR code of a sending number, which is the target, was created; details has its code. qr_code.changed: The text of a QR code of a sending number, which is the target, was changed. qr_code.deleted: A QR code of a sending number, which is the target, was deleted. account.linked: An account was linked; details names the accounts that it replaced. contact.merged: A contact was merged into another; the target is the contact that was kept. contact.unmerged: A merge was undone; the target is the contact that is separate again. contacts.exported: An export of contacts was started; the target is the tenant, and details has the filters. contacts.imported: An import of contacts was started; the target is the import. attribute.created: A contact attribute was created. attribute.changed: A contact attribute was renamed. attribute.deleted: The deletion of a contact attribute and all its values was started. segment.created: A segment was created. segment.changed: A segment was changed. segment.deleted: A segment was deleted. rule.created: A chatbot rule was created. rule.changed: A chatbot rule was changed, enabled or disabled. rule.deleted: A chatbot rule was deleted. rules.ordered: Chatbot rules were reordered; the target is the tenant. template.created: A draft template was created. template.changed: The content of a template was changed. template.submitted: A template was submitted for review. template.deleted: A template was deleted. flow.created: A draft flow was created at the network; the target is its ID there, and details has its name. flow.changed: The name or the categories of a flow were changed; details names the fields. flow.json_changed: The JSON of a draft flow was replaced; details has the number of its validation errors. flow.published: A flow was published. flow.deprecated: A published flow was deprecated. flow.deleted: A draft flow was deleted. media.deleted: Media was deleted. business_hours.created: Business hours were created. business_hours.changed: Business hours were changed. business_hours.deleted: Business hours were deleted. team.created: A team was created. team.changed: A team was changed. team.deleted: A team was deleted. view.created: A view of conversations was created. view.changed: A view of conversations was changed, shared or no longer shared. view.deleted: A view of conversations was deleted. bulk_change.created: A change to many conversations was started; details has the number and the fields. bulk_change.canceled: A change to many conversations was canceled. bulk_change.undone: The undo of a change to many conversations was started; details names it. canned_reply.created: A canned reply was created. canned_reply.changed: A canned reply was changed. canned_reply.deleted: A canned reply was deleted. audit_log.exported: An export of the audit log was started; the target is the tenant. contact.erased: A contact was erased, with messages to and from it. campaign.created: A draft campaign was created. campaign.changed: A draft campaign was changed. campaign.recipients_imported: An import of recipients into a draft campaign was started; details names the import. campaign.deleted: A draft campaign was deleted. campaign.scheduled: A campaign was scheduled. campaign.prepared: A campaign started to add the contacts of its audience. campaign.started: A campaign was started. campaign.paused: A campaign was paused. campaign.resumed: A paused campaign was resumed. campaign.retried: Recipients of a campaign were retried. campaign.canceled: A campaign was canceled. webhook.added: A webhook endpoint was added. webhook.changed: A webhook endpoint was changed, enabled or disabled. webhook.secret_rotated: The secret of a webhook endpoint was rotated; the old one also signs until the overlap ends. webhook.deleted: A webhook endpoint was deleted. account.unlinked: A linked account and its access token were erased; details names the numbers that were paused. messages.held: Messages that may have been sent before the database was restored were held until a status arrives or the operator decides; the target is the tenant. messages.released: The operator released held messages; the target is the tenant. messages.requeued: Failed messages were queued again; the target is the tenant. agent.created: An agent was created. agent.changed: An agent was changed; details names the fields. agent.invited: A link was made with which a person signs in as an agent. The target is the agent. agent.invitation_withdrawn: A link that had not been used was taken back. The target is the agent. agent.deleted: An agent was deleted; keys that acted for it no longer work. plan.changed: The operator changed the tenant's plan, or the default plan; the target is the plan. subscription.moved: The plan, status or end of the subscription was changed; the target is the tenant. wallet.topup_begun: A wallet top-up was started through the payment gateway. wallet.topped_up: The wallet was topped up; the target is the transaction. wallet.price_set: The operator set a price for all tenants; the target is the message category. operator.read: The operator listed failed or held messages of the tenant, which is the target. wallet.rerated: Past messages were charged at corrected prices; the target is the tenant. wallet.adjusted: Money was refunded or deducted afterwards; the target is the transaction. */
export type AuditAction =
  | 'tenant.created'
  | 'tenant.changed'
  | 'tenant.suspended'
  | 'tenant.exported'
  | 'tenant.deleted'
  | 'tenant.resumed'
  | 'tenant.moved'
  | 'retention.changed'
  | 'key.created'
  | 'key.rotated'
  | 'key.revoked'
  | 'session.started'
  | 'session.ended'
  | 'user.password_set'
  | 'user.password_deleted'
  | 'user.email_changed'
  | 'user.email_confirmed'
  | 'user.recovery_requested'
  | 'user.recovered'
  | 'user.totp_enabled'
  | 'user.totp_disabled'
  | 'user.recovery_codes_created'
  | 'user.reset'
  | 'sso.changed'
  | 'sso.deleted'
  | 'passkey.added'
  | 'passkey.changed'
  | 'passkey.removed'
  | 'push.subscribed'
  | 'push.unsubscribed'
  | 'number.added'
  | 'number.paused'
  | 'number.resumed'
  | 'number.linked'
  | 'number.changed'
  | 'number.synced'
  | 'number.deleted'
  | 'number.profile_changed'
  | 'number.commands_changed'
  | 'number.name_requested'
  | 'number.username_set'
  | 'number.username_deleted'
  | 'number.pin_set'
  | 'qr_code.created'
  | 'qr_code.changed'
  | 'qr_code.deleted'
  | 'account.linked'
  | 'contact.merged'
  | 'contact.unmerged'
  | 'contacts.exported'
  | 'contacts.imported'
  | 'attribute.created'
  | 'attribute.changed'
  | 'attribute.deleted'
  | 'segment.created'
  | 'segment.changed'
  | 'segment.deleted'
  | 'rule.created'
  | 'rule.changed'
  | 'rule.deleted'
  | 'rules.ordered'
  | 'template.created'
  | 'template.changed'
  | 'template.submitted'
  | 'template.deleted'
  | 'flow.created'
  | 'flow.changed'
  | 'flow.json_changed'
  | 'flow.published'
  | 'flow.deprecated'
  | 'flow.deleted'
  | 'media.deleted'
  | 'business_hours.created'
  | 'business_hours.changed'
  | 'business_hours.deleted'
  | 'team.created'
  | 'team.changed'
  | 'team.deleted'
  | 'view.created'
  | 'view.changed'
  | 'view.deleted'
  | 'bulk_change.created'
  | 'bulk_change.canceled'
  | 'bulk_change.undone'
  | 'canned_reply.created'
  | 'canned_reply.changed'
  | 'canned_reply.deleted'
  | 'audit_log.exported'
  | 'contact.erased'
  | 'campaign.created'
  | 'campaign.changed'
  | 'campaign.recipients_imported'
  | 'campaign.deleted'
  | 'campaign.scheduled'
  | 'campaign.prepared'
  | 'campaign.started'
  | 'campaign.paused'
  | 'campaign.resumed'
  | 'campaign.retried'
  | 'campaign.canceled'
  | 'webhook.added'
  | 'webhook.changed'
  | 'webhook.secret_rotated'
  | 'webhook.deleted'
  | 'account.unlinked'
  | 'messages.held'
  | 'messages.released'
  | 'messages.requeued'
  | 'agent.created'
  | 'agent.changed'
  | 'agent.invited'
  | 'agent.invitation_withdrawn'
  | 'agent.deleted'
  | 'plan.changed'
  | 'subscription.moved'
  | 'wallet.topup_begun'
  | 'wallet.topped_up'
  | 'wallet.price_set'
  | 'operator.read'
  | 'wallet.rerated'
  | 'wallet.adjusted';

/** One change, and who made it. */
export interface AuditEntry {
  /** ID of the entry. */
  readonly id: string;
  /** When it happened. */
  readonly at: string;
  /** Who did it. */
  readonly actor: {
    /** Who made the change: a request with a key, the operator, or the service. */
    readonly kind: Open<'key' | 'agent' | 'operator' | 'service'>;
    /** Key of the request. */
    readonly key_id: string | null;
    /** Agent that the request acted for. */
    readonly agent_id: string | null;
  };
  readonly action: Open<AuditAction>;
  /** ID of the changed object, such as a key, number or tenant. */
  readonly target_id: string;
  /** Details by name. Never contains secrets. */
  readonly details: Readonly<Record<string, unknown>>;
  /** X-Request-Id of the request. */
  readonly request_id: string | null;
  /** IP address that the request came from. */
  readonly address: string | null;
}

/** A page of the audit log, newest first. */
export interface AuditEntryList {
  readonly data: readonly AuditEntry[];
  readonly page: PageInfo;
}

/** An entry was added to the audit log. Only readers and endpoints that name this type receive it, and it is recorded only while an endpoint names it. */
export interface AuditRecordedEvent extends EventEnvelope {
  readonly type: 'audit.recorded';
  readonly data: {
    /** Position in the tenant's hash chain, without gaps. */
    readonly seq: number;
    /** SHA-256 that covers the entry and all entries before it. */
    readonly hash: string;
  } & AuditEntry;
}

/** Messages accepted in the period, by kind of author. */
export interface AuthorKindCounts {
  /** Written by agents. */
  readonly agent: number;
  /** Sent by chatbot rules. */
  readonly rule: number;
  /** Sent by campaigns. */
  readonly campaign: number;
  /** Sent by programs, with a key that acted for no agent. */
  readonly key: number;
}

/** Messages of one author. */
export interface AuthorMetrics {
  /** Kind of author. */
  readonly kind: Open<'agent' | 'rule' | 'campaign' | 'key'>;
  /** The agent, rule, campaign or key. */
  readonly id: string;
  /** Current name. Null if it was deleted. */
  readonly name: string | null;
  /** Messages accepted in the period that it wrote or had sent. */
  readonly messages: number;
}

/** A rule to evaluate past messages with. */
export interface BacktestChatbotRuleRequest {
  readonly rule: CreateChatbotRuleRequest;
  /** Saved rule that the draft replaces. By default, the draft is evaluated in addition to all saved rules. */
  readonly replaces?: string | undefined;
  /** Number of days to go back. Default: 7. */
  readonly days?: number | undefined;
}

/** What the rule would have matched. Nothing was executed. */
export interface BacktestChatbotRuleResponse {
  /** Messages evaluated. */
  readonly messages: number;
  /** Messages evaluated with the values stored with their decision. The others are evaluated with current values. */
  readonly exact: number;
  /** Messages that the rule matches. */
  readonly matched: number;
  /** Messages that the rule matches and the saved rule did not match. */
  readonly gained: number;
  /** Messages that the saved rule matched and the rule does not match. */
  readonly lost: number;
  /** If false, the newest messages were not evaluated. */
  readonly complete: boolean;
  /** The first 20 matches. */
  readonly samples: readonly ({
    /** A matching message. */
    readonly message_id: string;
    /** Text of the message. */
    readonly body: string | null;
    /** When it was received. */
    readonly received_at: string;
  })[];
}

/** The conversation and its message. */
export interface BegunConversation {
  readonly conversation: Conversation;
  readonly message: AcceptedMessage;
  /** false: the customer had an unresolved conversation with this number, which the message joined. */
  readonly is_new: boolean;
}

/** A top-up that awaits payment. */
export interface BegunTopUp {
  /** ID of the top-up. */
  readonly id: string;
  /** Awaiting payment. */
  readonly status: 'pending';
  /** URL of the payment page. */
  readonly checkout_url: string;
}

/** A customer whom the network blocks for a number. */
export interface BlockedUser {
  /** Phone number, digits only. Null if the network has only a user ID. */
  readonly phone: string | null;
  /** The network's user ID. Null if the network has the phone number. */
  readonly user_id: string | null;
}

/** A page of blocked users. */
export interface BlockedUserList {
  readonly data: readonly BlockedUser[];
  readonly page: PageInfo;
}

/** When the campaign pauses automatically. Null: never. */
export interface Breaker {
  readonly percent?: number;
  readonly of?: number;
}

/** When the campaign pauses automatically: if too many recent messages failed because of the template, the number or its quality. Default: 50 percent of 200. Null: never. */
export interface BreakerRequest {
  /** Pauses if more than this percentage of messages failed. */
  readonly percent: number;
  /** Number of recent outcomes to count. Default: 200. */
  readonly of?: number | undefined;
}

/** One change to many conversations. */
export interface BulkChange {
  /** ID of the bulk change. */
  readonly id: string;
  readonly status: Open<BulkChangeStatus>;
  /** The bulk change that this one undoes. */
  readonly undoes: string | null;
  /** The bulk change that undoes this one. */
  readonly undone_by: string | null;
  /** Conversations: the sum of the following counts. */
  readonly total: number;
  /** Conversations that are not changed yet or, after a cancellation, never will be. */
  readonly waiting: number;
  /** Conversations that were changed. */
  readonly changed: number;
  /** Conversations in which nothing had to be changed. */
  readonly unchanged: number;
  /** Conversations that could not be changed. */
  readonly refused: number;
  readonly actor: Actor;
  /** Until when it can be undone. Null if it cannot be. */
  readonly undo_until: string | null;
  readonly created_at: CreatedAt;
  /** When it finished. */
  readonly finished_at: string | null;
  readonly change: BulkChangeFields | null;
}

/** A bulk change that ended, without the values that it set. */
export interface BulkChangeEventData {
  /** ID of the bulk change. */
  readonly id: string;
  readonly status: Open<BulkChangeStatus>;
  /** The bulk change that this one undoes. */
  readonly undoes: string | null;
  /** The bulk change that undoes this one. */
  readonly undone_by: string | null;
  /** Conversations: the sum of the following counts. */
  readonly total: number;
  /** Conversations that are not changed yet or, after a cancellation, never will be. */
  readonly waiting: number;
  /** Conversations that were changed. */
  readonly changed: number;
  /** Conversations in which nothing had to be changed. */
  readonly unchanged: number;
  /** Conversations that could not be changed. */
  readonly refused: number;
  readonly actor: Actor;
  /** Until when it can be undone. Null if it cannot be. */
  readonly undo_until: string | null;
  readonly created_at: CreatedAt;
  /** When it finished. */
  readonly finished_at: string | null;
  /** Fields that it was to change. Empty: it undid another one. */
  readonly fields: readonly string[];
}

/** What is changed in each conversation. Null: it undoes another bulk change. */
export interface BulkChangeFields {
  /** New status. */
  readonly status?: Open<ConversationStatus>;
  readonly snoozed_until?: SnoozedUntil | null;
  readonly assignee_id?: NewAssignee | null;
  readonly team_id?: NewTeam | null;
  /** Priority. */
  readonly priority?: Open<ConversationPriority>;
  /** Who answers. */
  readonly handled_by?: Open<ConversationHandler>;
  readonly add_tags?: ConversationTags;
  /** Tags to remove. */
  readonly remove_tags?: ConversationTags;
  /** Mark the conversations as read. */
  readonly read?: boolean;
}

/** A bulk change ended: every conversation has an outcome, or it was canceled. */
export interface BulkChangeFinishedEvent extends EventEnvelope {
  readonly type: 'bulk_change.finished';
  readonly data: BulkChangeEventData;
}

/** A conversation of a bulk change. */
export interface BulkChangeItem {
  /** The conversation. */
  readonly conversation_id: string;
  /** waiting: not reached. unchanged: nothing had to be changed. refused: see reason. */
  readonly outcome: Open<BulkChangeOutcome>;
  /** Stable code of the refusal; docs/errors.md describes each one. */
  readonly code: string | null;
  /** Why it was refused, in one sentence. */
  readonly reason: string | null;
}

/** A page of conversations. */
export interface BulkChangeItemList {
  readonly data: readonly BulkChangeItem[];
  readonly page: PageInfo;
}

/** A page of bulk changes, newest first. */
export interface BulkChangeList {
  readonly data: readonly BulkChange[];
  readonly page: PageInfo;
}

/** Only conversations with this outcome. */
export type BulkChangeOutcome = 'waiting' | 'changed' | 'unchanged' | 'refused';

/** How many conversations a bulk change would have. */
export interface BulkChangePreview {
  /** Conversations that match, up to 10000. */
  readonly matching: number;
  /** true: more than 10000 match, which is too many for one bulk change. */
  readonly more: boolean;
}

/** completed: each conversation has an outcome. canceled: the rest is left as it is. */
export type BulkChangeStatus = 'queued' | 'running' | 'completed' | 'canceled';

/** Business hours. */
export interface BusinessHours {
  /** ID of the business hours. */
  readonly id: string;
  /** Name. */
  readonly name: string;
  readonly timezone: Timezone;
  readonly weekly: WeeklyHours;
  readonly holidays: Holidays;
  readonly is_default: IsDefaultHours;
  readonly version: ResourceVersion;
  /** When they were created. */
  readonly created_at: string;
  /** When they were last changed. */
  readonly updated_at: string;
}

/** A page of business hours, newest first. */
export interface BusinessHoursList {
  readonly data: readonly BusinessHours[];
  readonly page: PageInfo;
}

/** Open or closed, and until when. */
export interface BusinessHoursState {
  /** Whether it is open at that time. */
  readonly open: boolean;
  /** The time checked. */
  readonly at: string;
  /** When that changes. Null if not within 400 days. */
  readonly changes_at: string | null;
}

/** Clicks on one button. */
export interface ButtonClicks {
  /** Type of the button. */
  readonly type: string | null;
  /** Label of the button. */
  readonly button: string | null;
  /** Number of clicks. */
  readonly count: number | null;
}

/** The button. */
export interface ButtonContent {
  /** ID returned when the button is pressed. */
  readonly id: string;
  /** Label of the button. */
  readonly title: string;
}

/** Who called: the customer, or the business. */
export type CallDirection = 'user_initiated' | 'business_initiated';

/** A call ended: it was answered, missed or declined, or it failed. */
export interface CallEndedEvent extends EventEnvelope {
  readonly type: 'call.ended';
  readonly data: InboundMessage;
}

/** A customer calls, or a call to a customer was placed. */
export interface CallStartedEvent extends EventEnvelope {
  readonly type: 'call.started';
  readonly data: InboundMessage;
}

/** ringing: it began. missed: it ended, and nobody had answered. rejected: the customer declined it. failed: the network could not connect it. answered: the two spoke, or still do while ended_at is null. */
export type CallState = 'ringing' | 'missed' | 'failed' | 'rejected' | 'answered';

/** The network reported more of a call, such as that it was answered. */
export interface CallUpdatedEvent extends EventEnvelope {
  readonly type: 'call.updated';
  readonly data: InboundMessage;
}

/** A campaign: one template sent to many recipients, at most once to each. */
export interface Campaign {
  /** ID of the campaign. */
  readonly id: string;
  /** Name, also used as the campaign_name of its messages. */
  readonly name: string;
  /** State of the campaign. */
  readonly status: Open<CampaignStatus>;
  /** Why it is paused. */
  readonly pause_reason: string | null;
  /** Sending number. Null: the tenant's first active number. */
  readonly phone_number_id: string | null;
  readonly template: TemplateContent;
  /** Scheduled start time. Null if started manually. */
  readonly send_at: string | null;
  readonly audience: Audience | null;
  readonly breaker: Breaker | null;
  /** Recipients by status: waiting, queued, sent, failed and skipped add up to total. */
  readonly recipients: {
    /** All recipients. */
    readonly total: number;
    /** Recipients that have not been processed. */
    readonly waiting: number;
    /** Recipients whose message was accepted, as by POST /v1/messages. */
    readonly accepted: number;
    /** Accepted messages that are still queued. */
    readonly queued: number;
    /** Accepted messages that the network accepted. */
    readonly sent: number;
    /** Accepted messages that failed, even after being sent. */
    readonly failed: number;
    /** Recipients that were skipped, each with a reason. */
    readonly skipped: number;
  };
  /** Increases with each change by people. Used as the ETag. */
  readonly version: number;
  readonly created_at: CreatedAt;
  readonly updated_at: UpdatedAt;
  /** When it first started. */
  readonly started_at: string | null;
  /** When it was completed or canceled. */
  readonly finished_at: string | null;
}

/** A campaign was canceled. Messages that had not been sent yet are not sent. */
export interface CampaignCanceledEvent extends EventEnvelope {
  readonly type: 'campaign.canceled';
  readonly data: CampaignEventData;
}

/** Every recipient of a campaign has an outcome: the message was sent or failed, or the recipient was skipped. */
export interface CampaignCompletedEvent extends EventEnvelope {
  readonly type: 'campaign.completed';
  readonly data: CampaignEventData;
}

/** A campaign and its progress. */
export interface CampaignEventData {
  /** ID of the campaign. */
  readonly id: string;
  /** Name, also used as the campaign_name of its messages. */
  readonly name: string;
  readonly status: Open<CampaignStatus>;
  /** Why it is paused. */
  readonly pause_reason: string | null;
  /** All recipients. */
  readonly total: number;
  /** Recipients whose message had been accepted. */
  readonly accepted: number;
  /** Recipients that were skipped. */
  readonly skipped: number;
  /** Accepted messages that had been sent. */
  readonly sent: number;
  /** Accepted messages that had failed. */
  readonly failed: number;
}

/** An import of recipients into a draft. */
export interface CampaignImport {
  /** ID of the import. */
  readonly id: string;
  /** The draft. */
  readonly campaign_id: string;
  /** ID of the file. */
  readonly media_id: string;
  readonly format: Open<ImportFormat>;
  /** If true, rows are only counted and checked. */
  readonly dry_run: boolean;
  /** failed: the import stopped before the end of the file; earlier rows were imported. */
  readonly status: Open<'queued' | 'running' | 'completed' | 'failed'>;
  /** Rows processed: the sum of the following counts. */
  readonly total: number;
  /** New recipients. */
  readonly added: number;
  /** Rows whose number occurs earlier in the file or already was a recipient. */
  readonly duplicates: number;
  /** Rows that cannot be read. */
  readonly invalid: number;
  /** Why the import stopped before the end of the file. */
  readonly error: string | null;
  /** When it was requested. */
  readonly created_at: string;
  /** When it finished. */
  readonly finished_at: string | null;
}

/** A page of campaigns, newest first. */
export interface CampaignList {
  readonly data: readonly Campaign[];
  readonly page: PageInfo;
}

/** Campaign that this message belongs to. Its default priority is bulk. */
export type CampaignName = string;

/** A campaign was paused: by a person, because no recipient could be sent to, because too many messages failed, or because the database was restored. `pause_reason` says which. */
export interface CampaignPausedEvent extends EventEnvelope {
  readonly type: 'campaign.paused';
  readonly data: CampaignEventData;
}

/** Result of the preflight. Nothing was stored. */
export interface CampaignPreflight {
  /** Waiting recipients and contacts of the audience. */
  readonly recipients: number;
  /** Recipients that were checked, at most 100000. */
  readonly checked: number;
  /** Checked recipients whose message would be accepted. */
  readonly would_send: number;
  /** Checked recipients that would be skipped, by reason. They and would_send add up to checked. */
  readonly would_skip: readonly {
    /** Reason code. */
    readonly code: string;
    /** Number of recipients. */
    readonly count: number;
  }[];
  /** Why no messages would be sent. */
  readonly blockers: readonly PreflightRemark[];
  /** What may prevent delivery. */
  readonly warnings: readonly PreflightRemark[];
  /** Category that the network would bill a message as. Null if only the network knows it. */
  readonly category: string | null;
  /** Estimated cost for the checked recipients. Null if no price is known. */
  readonly estimated_cost: {
    /** Amount in millionths of the currency unit. */
    readonly amount_micros: number;
    /** ISO 4217 code. */
    readonly currency: string;
  } | null;
  /** Estimated seconds until the last message is sent, at the rate of the number. Null if unknown. */
  readonly eta_s: number | null;
}

/** A recipient of a campaign. */
export interface CampaignRecipient {
  /** Phone number, digits only, or user ID. Null if the contact was erased. */
  readonly to: string | null;
  /** taken: the message is being accepted. accepted: the message is queued. sent: the network accepted the message. failed: the message failed, possibly after being sent. skipped: there is no message. */
  readonly status: Open<RecipientStatus>;
  /** ID of the message. */
  readonly message_id: string | null;
  /** Why it was skipped or its message failed. */
  readonly reason: {
    readonly code?: string;
    readonly message?: string;
  } | null;
  /** When the message was sent. */
  readonly sent_at: string | null;
  /** When the message was delivered, if the network reported it. */
  readonly delivered_at: string | null;
  /** When the message was read, if the network reported it. */
  readonly read_at: string | null;
  /** Values for the template's placeholders. */
  readonly variables: Readonly<Record<string, string>> | null;
}

/** A page of recipients. */
export interface CampaignRecipientList {
  readonly data: readonly CampaignRecipient[];
  readonly page: PageInfo;
}

/** A paused campaign continues, or a completed one retries some of its recipients. */
export interface CampaignResumedEvent extends EventEnvelope {
  readonly type: 'campaign.resumed';
  readonly data: CampaignEventData;
}

/** A campaign started to queue its messages. */
export interface CampaignStartedEvent extends EventEnvelope {
  readonly type: 'campaign.started';
  readonly data: CampaignEventData;
}

/** Status of the campaign. */
export type CampaignStatus =
  | 'draft'
  | 'scheduled'
  | 'preparing'
  | 'running'
  | 'paused'
  | 'completed'
  | 'canceled';

/** Name, also used as the campaign_name of its messages. */
export type CampaignTitle = string;

/** A text that agents insert by its shortcut. */
export interface CannedReply {
  /** ID of the canned reply. */
  readonly id: string;
  /** What agents type to insert the text. */
  readonly shortcut: string;
  /** Text to insert. */
  readonly text: string;
  /** What its text asks the agent for, in order. */
  readonly asks_for: readonly string[];
  /** Files to send after the text, in order. */
  readonly media_ids: readonly string[];
  /** Teams whose members see it; empty: all agents see it. */
  readonly team_ids: readonly string[];
  /** How many replies named it. */
  readonly use_count: number;
  /** When a reply last named it. */
  readonly last_used_at: string | null;
  readonly version: ResourceVersion;
  readonly created_at: CreatedAt;
  readonly updated_at: UpdatedAt;
}

/** A page of canned replies, newest first. */
export interface CannedReplyList {
  readonly data: readonly CannedReply[];
  readonly page: PageInfo;
}

/** Image or video of the card. */
export type CardHeader = ImageHeader | VideoHeader;

/** The updated agent, and what changed. */
export interface ChangedAgent extends Agent {
  readonly changes: FieldChanges;
}

/** The updated team, and what changed. */
export interface ChangedTeam extends Team {
  readonly changes: FieldChanges;
}

/** The updated template, and what changed. */
export interface ChangedTemplate extends Template {
  readonly changes: FieldChanges;
}

/** A chatbot rule. Lists omit unreachable and conflicts. */
export interface ChatbotRule {
  /** ID of the rule. */
  readonly id: string;
  /** Name. */
  readonly name: string;
  /** Whether it is enabled. */
  readonly enabled: boolean;
  /** Position in the evaluation order, from 1 without gaps. */
  readonly position: number;
  /** What triggers the rule. */
  readonly trigger: Readonly<Record<string, unknown>>;
  /** Condition. Null: always. */
  readonly when: Readonly<Record<string, unknown>> | null;
  /** Actions, in order. */
  readonly then: readonly Readonly<Record<string, unknown>>[];
  /** If true, no further rules are evaluated after this one matches. */
  readonly stop: boolean;
  /** Seconds until the rule can match again for the same contact. */
  readonly cooldown_s: number | null;
  /** Maximum number of matches. */
  readonly max_runs: number | null;
  /** Matches so far. Counted only with max_runs. */
  readonly runs: number | null;
  /** Inactive before this time. */
  readonly active_from: string | null;
  /** Inactive from this time on. */
  readonly active_until: string | null;
  /** Tests that must pass while the rule is enabled. */
  readonly tests: readonly Readonly<Record<string, unknown>>[];
  readonly version: ResourceVersion;
  readonly created_at: CreatedAt;
  readonly updated_at: UpdatedAt;
  /** Rules that can never match, because an earlier rule always matches first and stops. */
  readonly unreachable?: readonly RuleFinding[];
  /** Rules that match the same messages and both reply or write different values: the customer gets both replies, and the later value is kept. */
  readonly conflicts?: readonly RuleFinding[];
}

/** Your own reference, returned with the message. */
export type ClientReference = string;

/** A command. */
export interface Command {
  /** Name, without the slash. */
  readonly name: string;
  /** What the command does. */
  readonly description: string;
}

/** What the mail has brought. */
export interface ConfirmEmailRequest {
  /** Token of the link: what follows #confirm= in it. */
  readonly token: string;
}

/** A code of the app. */
export interface ConfirmTotpRequest {
  /** The six digits that the app shows. */
  readonly code: string;
}

/** What became of a mail. */
export interface ConfirmationMail {
  /** Whether the mail server took the mail. Whether it arrives is not known. */
  readonly sent: boolean;
  /** Where it was sent. */
  readonly address: string;
  /** Why it was not sent: no mail server is set up, too many mails went to this address within an hour, the mail server did not take it in time, or it does not want it. Null: it was sent. */
  readonly reason: Open<'not_configured' | 'limited' | 'unreachable' | 'refused'> | null;
}

/** A change of consent. Entries are append-only. */
export interface ConsentEntry {
  /** ID of the entry. */
  readonly id: string;
  /** Consent from this point on. */
  readonly marketing: Open<MarketingConsent>;
  /** Sending number that it is about. Null: all. */
  readonly phone_number_id: string | null;
  /** message: a message from the contact. network: the contact told the network, or the network refused a message for it. Otherwise, as given in the request. */
  readonly source: string;
  /** Wording of the consent. */
  readonly wording: string | null;
  /** Message that proves it. */
  readonly message_id: string | null;
  /** When it was recorded. */
  readonly recorded_at: string;
}

/** A person who sends or receives messages. */
export interface Contact {
  /** ID of the contact. */
  readonly id: string;
  /** Phone number as written by the network, digits only. */
  readonly phone: string | null;
  /** The network's ID of a user who may hide their number. */
  readonly user_id: string | null;
  /** Display name. */
  readonly name: string | null;
  /** Name that the contact chose on the network. */
  readonly profile_name: string | null;
  /** Username on the network, if any. */
  readonly username: string | null;
  /** ID in another system; unique. */
  readonly external_id: string | null;
  /** Language, such as pt-BR. */
  readonly language: string | null;
  /** Country of the number (ISO 3166). */
  readonly country: string | null;
  readonly status: Open<ContactStatus>;
  readonly attributes: ContactAttributeValues;
  /** Tags of the contact. */
  readonly tags: readonly string[];
  readonly consent: ContactConsent;
  /** When the contact last wrote. */
  readonly last_inbound_at: string | null;
  readonly version: ResourceVersion;
  readonly created_at: CreatedAt;
  readonly updated_at: UpdatedAt;
}

/** A custom attribute of contacts. */
export interface ContactAttribute {
  /** ID of the definition. */
  readonly id: string;
  /** Key in `attributes`. */
  readonly key: string;
  /** Type of its values. It cannot be changed. */
  readonly type: Open<'text' | 'number' | 'boolean' | 'date' | 'list'>;
  /** Display name. */
  readonly label: string;
  readonly version: ResourceVersion;
  /** When it was created. */
  readonly created_at: string;
}

/** A page of definitions, newest first. */
export interface ContactAttributeList {
  readonly data: readonly ContactAttribute[];
  readonly page: PageInfo;
}

/** Values of defined attributes, by key. Null removes a value. */
export type ContactAttributeValues = Readonly<Record<string, unknown>>;

/** A contact was blocked. No messages are sent to it. */
export interface ContactBlockedEvent extends EventEnvelope {
  readonly type: 'contact.blocked';
  readonly data: Contact;
}

/** A contact card. */
export interface ContactCard {
  readonly name: ContactCardName;
  /** Phone numbers. */
  readonly phones?: readonly ContactCardPhone[] | undefined;
  /** Email addresses. */
  readonly emails?: readonly ContactCardEmail[] | undefined;
  /** Postal addresses. */
  readonly addresses?: readonly ContactCardAddress[] | undefined;
  readonly org?: ContactCardOrganisation | undefined;
  /** Web addresses. */
  readonly urls?: readonly ContactCardUrl[] | undefined;
  /** YYYY-MM-DD. */
  readonly birthday?: string | undefined;
}

/** A postal address. */
export interface ContactCardAddress {
  /** Street and number. */
  readonly street?: string | undefined;
  /** City. */
  readonly city?: string | undefined;
  /** State or region. */
  readonly state?: string | undefined;
  /** Postal code. */
  readonly zip?: string | undefined;
  /** Country. */
  readonly country?: string | undefined;
  /** ISO code of the country. */
  readonly country_code?: string | undefined;
  readonly type?: ContactCardLabel | undefined;
}

/** An email address. */
export interface ContactCardEmail {
  /** Address. */
  readonly email?: string | undefined;
  readonly type?: ContactCardLabel | undefined;
}

/** Label such as HOME, WORK, CELL. */
export type ContactCardLabel = string;

/** The name: formatted_name, and at least one of its parts. */
export interface ContactCardName {
  /** Full name. */
  readonly formatted_name: string;
  /** First name. */
  readonly first_name?: string | undefined;
  /** Last name. */
  readonly last_name?: string | undefined;
  /** Middle name. */
  readonly middle_name?: string | undefined;
  /** Such as Dr. */
  readonly prefix?: string | undefined;
  /** Such as Jr. */
  readonly suffix?: string | undefined;
}

/** Employer of the person. */
export interface ContactCardOrganisation {
  /** Company. */
  readonly company?: string | undefined;
  /** Department. */
  readonly department?: string | undefined;
  /** Position. */
  readonly title?: string | undefined;
}

/** A phone number. */
export interface ContactCardPhone {
  /** Number. */
  readonly phone?: string | undefined;
  readonly type?: ContactCardLabel | undefined;
  /** Digits. If present, the card offers to message the number. */
  readonly wa_id?: string | undefined;
}

/** A web address. */
export interface ContactCardUrl {
  /** Address. */
  readonly url?: string | undefined;
  readonly type?: ContactCardLabel | undefined;
}

/** {"all": […]}, {"any": […]}, {"not": …} or {"field", "match", "value"}. Fields start with contact., such as contact.tags. */
export type ContactCondition = Condition<ContactComparison>;

/** A comparison of a `ContactCondition`. Without `match`, the first one is meant. */
export type ContactComparison =
  | { readonly field: 'contact.name' | 'contact.phone' | 'contact.external_id' | `contact.attributes.${string}`; readonly match?: 'is' | 'word' | 'contains' | 'starts' | undefined; readonly value: string }
  | { readonly field: 'contact.country' | 'contact.language'; readonly match?: 'is' | 'is_not' | undefined; readonly value: string }
  | { readonly field: 'contact.country' | 'contact.language'; readonly match: 'in' | 'not_in'; readonly value: readonly string[] }
  | { readonly field: 'contact.status'; readonly match?: 'is' | 'is_not' | undefined; readonly value: 'active' | 'blocked' }
  | { readonly field: 'contact.status'; readonly match: 'in' | 'not_in'; readonly value: readonly ('active' | 'blocked')[] }
  | { readonly field: 'contact.consent.marketing'; readonly match?: 'is' | 'is_not' | undefined; readonly value: 'granted' | 'denied' | 'unknown' }
  | { readonly field: 'contact.consent.marketing'; readonly match: 'in' | 'not_in'; readonly value: readonly ('granted' | 'denied' | 'unknown')[] }
  | { readonly field: 'contact.tags' | `contact.attributes.${string}`; readonly match?: 'has' | 'has_not' | undefined; readonly value: string }
  | { readonly field: 'contact.created_at' | 'contact.last_inbound_at' | `contact.attributes.${string}`; readonly match?: 'gt' | 'gte' | 'lt' | 'lte' | undefined; readonly value: string }
  | { readonly field: 'contact.created_at' | 'contact.last_inbound_at' | `contact.attributes.${string}`; readonly match: 'between'; readonly value: readonly [string, string] }
  | { readonly field: `contact.attributes.${string}`; readonly match?: 'is' | 'gt' | 'gte' | 'lt' | 'lte' | undefined; readonly value: number }
  | { readonly field: `contact.attributes.${string}`; readonly match: 'between'; readonly value: readonly [number, number] }
  | { readonly field: `contact.attributes.${string}`; readonly match?: 'is' | 'is_not' | undefined; readonly value: boolean }
  | { readonly field: 'contact.name' | 'contact.phone' | 'contact.external_id' | `contact.attributes.${string}` | 'contact.country' | 'contact.language' | 'contact.status' | 'contact.consent.marketing' | 'contact.tags' | 'contact.created_at' | 'contact.last_inbound_at'; readonly match: 'exists' | 'missing'; readonly value?: undefined };

/** Consent of the contact. */
export interface ContactConsent {
  readonly marketing: Open<MarketingConsent>;
  /** Source of the consent. */
  readonly source: string | null;
  /** When it was last changed. */
  readonly at: string | null;
  /** What the contact told the network about marketing from single sending numbers. */
  readonly numbers: readonly NumberConsent[];
}

/** A contact was created by a first message, a request or an import. */
export interface ContactCreatedEvent extends EventEnvelope {
  readonly type: 'contact.created';
  readonly data: Contact;
}

/** A contact was erased. */
export interface ContactDeletedEvent extends EventEnvelope {
  readonly type: 'contact.deleted';
  readonly data: {
    /** ID of the deleted contact. */
    readonly id: string;
  };
}

/** A contact, and whether the network blocks it. */
export interface ContactDetail extends Contact {
  /** The block at the network, for each sending number that the contact has written to. */
  readonly network_block: readonly NetworkBlock[];
}

/** Something that was found. */
export interface ContactHit {
  readonly snippet: SearchSnippet;
  readonly contact: Contact;
}

/** What was found of a kind, newest first. */
export interface ContactHits {
  readonly data: readonly ContactHit[];
  readonly page: PageInfo;
}

/** An import of contacts. */
export interface ContactImport {
  /** ID of the import. */
  readonly id: string;
  /** ID of the file. */
  readonly media_id: string;
  readonly format: Open<ImportFormat>;
  readonly mode: Open<ImportMode>;
  readonly match_on: Open<ImportMatch>;
  /** If true, rows are only counted and checked. */
  readonly dry_run: boolean;
  /** failed: the file could not be read to the end; earlier rows were imported. */
  readonly status: Open<'queued' | 'running' | 'completed' | 'failed'>;
  /** Rows processed: the sum of the following counts. */
  readonly total: number;
  /** Contacts created. */
  readonly created: number;
  /** Contacts updated. */
  readonly updated: number;
  /** Contacts that already matched their row. */
  readonly unchanged: number;
  /** Rows skipped because of the mode. */
  readonly skipped: number;
  /** Rows that conflict with another contact. */
  readonly failed: number;
  /** Rows that cannot be read. */
  readonly invalid: number;
  /** Rows about the same contact as an earlier row. */
  readonly duplicate_in_file: number;
  /** Why the file could not be read to the end. */
  readonly error: string | null;
  /** When it was requested. */
  readonly created_at: string;
  /** When it finished. */
  readonly finished_at: string | null;
}

/** A page of contacts, newest first. */
export interface ContactList {
  readonly data: readonly Contact[];
  readonly page: PageInfo;
}

/** Two contacts that were merged. */
export interface ContactMerge {
  /** ID of the merge. */
  readonly id: string;
  /** The contact that was kept. */
  readonly contact_id: string;
  /** The contact that was merged into it. */
  readonly merged_contact_id: string;
  /** Who did it. */
  readonly actor: {
    /** Who did it. */
    readonly kind: Open<'agent' | 'key' | 'rule' | 'system'>;
    /** ID of the agent or key. */
    readonly id: string | null;
  };
  /** When it happened. */
  readonly merged_at: string;
  /** When the merge was undone. Null if it is in effect. */
  readonly undone_at: string | null;
}

/** A page of merges, newest first. */
export interface ContactMergeList {
  readonly data: readonly ContactMerge[];
  readonly page: PageInfo;
}

/** A contact was merged into another one, which now owns everything that belonged to it. */
export interface ContactMergedEvent extends EventEnvelope {
  readonly type: 'contact.merged';
  readonly data: Contact & {
    /** ID of the merge. */
    readonly merge_id: string;
    /** The contact that was merged into it. */
    readonly merged_contact_id: string;
  };
}

/** The network blocks a contact for a sending number, or no longer does, or refused to. */
export interface ContactNetworkBlockChangedEvent extends EventEnvelope {
  readonly type: 'contact.network_block_changed';
  readonly data: Contact & {
    readonly network_block: NetworkBlock;
  };
}

/** A contact opted in to marketing. */
export interface ContactOptedInEvent extends EventEnvelope {
  readonly type: 'contact.opted_in';
  readonly data: Contact & {
    /** Sending number that it is about. Null: all. */
    readonly phone_number_id: string | null;
  };
}

/** A contact opted out of marketing. */
export interface ContactOptedOutEvent extends EventEnvelope {
  readonly type: 'contact.opted_out';
  readonly data: Contact & {
    /** Sending number that it is about. Null: all. */
    readonly phone_number_id: string | null;
  };
}

/** Blocked contacts receive no messages. */
export type ContactStatus = 'active' | 'blocked';

/** Tags. */
export type ContactTags = readonly string[];

/** A contact was unblocked. */
export interface ContactUnblockedEvent extends EventEnvelope {
  readonly type: 'contact.unblocked';
  readonly data: Contact;
}

/** A merge was undone: the contact is separate again. */
export interface ContactUnmergedEvent extends EventEnvelope {
  readonly type: 'contact.unmerged';
  readonly data: Contact & {
    /** ID of the merge that was undone. */
    readonly merge_id: string;
    /** The contact that it had been merged into. */
    readonly survivor_id: string;
  };
}

/** The data of a contact changed. */
export interface ContactUpdatedEvent extends EventEnvelope {
  readonly type: 'contact.updated';
  readonly data: Contact & {
    readonly changes: FieldChanges;
  };
}

/** A conversation between a customer and one of your numbers, from the first message until it is resolved. */
export interface Conversation extends ConversationState {
  readonly contact: ConversationContact;
}

/** A conversation was assigned to an agent or a team, or unassigned. */
export interface ConversationAssignedEvent extends EventEnvelope {
  readonly type: 'conversation.assigned';
  readonly data: ConversationEventData;
}

/** A change to a conversation. */
export interface ConversationChange {
  /** ID of the entry. */
  readonly id: string;
  readonly at: CreatedAt;
  readonly changes: FieldChanges;
  readonly actor: Actor;
  /** Cause: api, bulk, bulk_undo, inbound, reply, snooze_over, idle, window_closing, rule, assignment. */
  readonly cause: string;
}

/** A page of changes, newest first. */
export interface ConversationChangeList {
  readonly data: readonly ConversationChange[];
  readonly page: PageInfo;
}

/** {"all": […]}, {"any": […]}, {"not": …} or {"field", "match", "value"}. Fields start with conversation. or contact., such as conversation.status. */
export type ConversationCondition = Condition<ConversationComparison>;

/** A comparison of a `ConversationCondition`. Without `match`, the first one is meant. */
export type ConversationComparison =
  | { readonly field: 'conversation.status'; readonly match?: 'is' | 'is_not' | undefined; readonly value: 'open' | 'pending' | 'snoozed' | 'resolved' }
  | { readonly field: 'conversation.status'; readonly match: 'in' | 'not_in'; readonly value: readonly ('open' | 'pending' | 'snoozed' | 'resolved')[] }
  | { readonly field: 'conversation.assignee_id'; readonly match?: 'is' | 'is_not' | undefined; readonly value: Open<'me'> }
  | { readonly field: 'conversation.assignee_id'; readonly match: 'in' | 'not_in'; readonly value: readonly Open<'me'>[] }
  | { readonly field: 'conversation.team_id' | 'conversation.phone_number_id'; readonly match?: 'is' | 'is_not' | undefined; readonly value: string }
  | { readonly field: 'conversation.team_id' | 'conversation.phone_number_id'; readonly match: 'in' | 'not_in'; readonly value: readonly string[] }
  | { readonly field: 'conversation.tags' | 'contact.tags' | `contact.attributes.${string}`; readonly match?: 'has' | 'has_not' | undefined; readonly value: string }
  | { readonly field: 'conversation.priority'; readonly match?: 'is' | 'is_not' | undefined; readonly value: 'low' | 'normal' | 'high' | 'urgent' }
  | { readonly field: 'conversation.priority'; readonly match: 'in' | 'not_in'; readonly value: readonly ('low' | 'normal' | 'high' | 'urgent')[] }
  | { readonly field: 'conversation.handled_by'; readonly match?: 'is' | 'is_not' | undefined; readonly value: 'bot' | 'agent' | 'none' }
  | { readonly field: 'conversation.handled_by'; readonly match: 'in' | 'not_in'; readonly value: readonly ('bot' | 'agent' | 'none')[] }
  | { readonly field: 'conversation.unread_count' | `contact.attributes.${string}`; readonly match?: 'is' | 'gt' | 'gte' | 'lt' | 'lte' | undefined; readonly value: number }
  | { readonly field: 'conversation.unread_count' | `contact.attributes.${string}`; readonly match: 'between'; readonly value: readonly [number, number] }
  | { readonly field: 'conversation.window'; readonly match?: 'is' | 'is_not' | undefined; readonly value: 'open' | 'closed' }
  | { readonly field: 'conversation.window'; readonly match: 'in' | 'not_in'; readonly value: readonly ('open' | 'closed')[] }
  | { readonly field: 'conversation.window_expires_at' | 'conversation.waiting_since' | 'conversation.last_message_at' | 'conversation.last_inbound_at' | 'conversation.snoozed_until' | 'conversation.resolved_at' | 'conversation.created_at' | 'contact.created_at' | 'contact.last_inbound_at' | `contact.attributes.${string}`; readonly match?: 'gt' | 'gte' | 'lt' | 'lte' | undefined; readonly value: string }
  | { readonly field: 'conversation.window_expires_at' | 'conversation.waiting_since' | 'conversation.last_message_at' | 'conversation.last_inbound_at' | 'conversation.snoozed_until' | 'conversation.resolved_at' | 'conversation.created_at' | 'contact.created_at' | 'contact.last_inbound_at' | `contact.attributes.${string}`; readonly match: 'between'; readonly value: readonly [string, string] }
  | { readonly field: 'conversation.last_message_by'; readonly match?: 'is' | 'is_not' | undefined; readonly value: 'customer' | 'business' }
  | { readonly field: 'conversation.last_message_by'; readonly match: 'in' | 'not_in'; readonly value: readonly ('customer' | 'business')[] }
  | { readonly field: 'contact.name' | 'contact.phone' | 'contact.external_id' | `contact.attributes.${string}`; readonly match?: 'is' | 'word' | 'contains' | 'starts' | undefined; readonly value: string }
  | { readonly field: 'contact.country' | 'contact.language'; readonly match?: 'is' | 'is_not' | undefined; readonly value: string }
  | { readonly field: 'contact.country' | 'contact.language'; readonly match: 'in' | 'not_in'; readonly value: readonly string[] }
  | { readonly field: 'contact.status'; readonly match?: 'is' | 'is_not' | undefined; readonly value: 'active' | 'blocked' }
  | { readonly field: 'contact.status'; readonly match: 'in' | 'not_in'; readonly value: readonly ('active' | 'blocked')[] }
  | { readonly field: 'contact.consent.marketing'; readonly match?: 'is' | 'is_not' | undefined; readonly value: 'granted' | 'denied' | 'unknown' }
  | { readonly field: 'contact.consent.marketing'; readonly match: 'in' | 'not_in'; readonly value: readonly ('granted' | 'denied' | 'unknown')[] }
  | { readonly field: `contact.attributes.${string}`; readonly match?: 'is' | 'is_not' | undefined; readonly value: boolean }
  | { readonly field: 'conversation.status' | 'conversation.assignee_id' | 'conversation.team_id' | 'conversation.phone_number_id' | 'conversation.tags' | 'contact.tags' | `contact.attributes.${string}` | 'conversation.priority' | 'conversation.handled_by' | 'conversation.unread_count' | 'conversation.window' | 'conversation.window_expires_at' | 'conversation.waiting_since' | 'conversation.last_message_at' | 'conversation.last_inbound_at' | 'conversation.snoozed_until' | 'conversation.resolved_at' | 'conversation.created_at' | 'contact.created_at' | 'contact.last_inbound_at' | 'conversation.last_message_by' | 'contact.name' | 'contact.phone' | 'contact.external_id' | 'contact.country' | 'contact.language' | 'contact.status' | 'contact.consent.marketing'; readonly match: 'exists' | 'missing'; readonly value?: undefined };

/** The customer. */
export interface ConversationContact {
  /** ID of the contact. */
  readonly id: string;
  /** Name. */
  readonly name: string | null;
  /** Number, digits only. */
  readonly phone: string | null;
}

/** What an agent has written in a conversation and not sent. */
export interface ConversationDraft {
  /** ID of the conversation. */
  readonly conversation_id: string;
  /** Agent who wrote it. */
  readonly agent_id: string;
  /** Text. */
  readonly body: string;
  /** Files to send with it, in order. */
  readonly media_ids: readonly string[];
  /** When it was begun. */
  readonly created_at: string;
  /** When it was last saved. */
  readonly updated_at: string;
}

/** A page of drafts, newest first. */
export interface ConversationDraftList {
  readonly data: readonly ConversationDraft[];
  readonly page: PageInfo;
}

/** The conversation after the change, what changed, who changed it and why. */
export interface ConversationEventData extends ConversationState {
  readonly changes: FieldChanges;
  readonly actor: Actor;
  /** Cause: api, bulk, bulk_undo, inbound, reply, snooze_over, idle, window_closing, rule, assignment. */
  readonly cause: string;
}

/** Who answers: a chatbot, a person, or no one yet. */
export type ConversationHandler = 'bot' | 'agent' | 'none';

/** Something that was found. */
export interface ConversationHit {
  readonly snippet: SearchSnippet;
  readonly conversation: Conversation;
}

/** What was found of a kind, newest first. */
export interface ConversationHits {
  readonly data: readonly ConversationHit[];
  readonly page: PageInfo;
}

/** A page of conversations. */
export interface ConversationList {
  readonly data: readonly Conversation[];
  readonly page: PageInfo;
}

/** Figures for conversations. Null in reports of one type, template or campaign. */
export interface ConversationMetrics {
  /** Conversations opened. */
  readonly opened: number;
  /** Times that resolved conversations were reopened. */
  readonly reopened: number;
  /** Times that conversations were resolved. */
  readonly resolved: number;
  /** Times that conversations were assigned to agents. */
  readonly assigned: number;
  /** Replies by people in conversations. */
  readonly replies: number;
  readonly first_response: DurationSummary;
  /** Time from the start of the customer's wait to each reply by a person. */
  readonly reply: DurationSummary;
  /** Time from when a conversation was opened or reopened to its resolution. */
  readonly resolution: DurationSummary;
}

/** A customer sent a message and had no conversation to continue. */
export interface ConversationOpenedEvent extends EventEnvelope {
  readonly type: 'conversation.opened';
  readonly data: ConversationEventData;
}

/** Only conversations with this priority. */
export type ConversationPriority = 'low' | 'normal' | 'high' | 'urgent';

/** A resolved conversation was reopened. */
export interface ConversationReopenedEvent extends EventEnvelope {
  readonly type: 'conversation.reopened';
  readonly data: ConversationEventData;
}

/** A person replied in a conversation. */
export interface ConversationRepliedEvent extends EventEnvelope {
  readonly type: 'conversation.replied';
  readonly data: ConversationEventData & {
    /** The reply. */
    readonly reply: {
      /** ID of the message; see message.queued and later events for details. */
      readonly message_id: string;
      /** Whether this is the first reply by a person in the conversation. */
      readonly is_first: boolean;
    };
    readonly timing: ConversationTiming | null;
  };
}

/** A conversation was resolved. */
export interface ConversationResolvedEvent extends EventEnvelope {
  readonly type: 'conversation.resolved';
  readonly data: ConversationEventData & {
    readonly timing: ConversationTiming | null;
  };
}

/** A conversation was snoozed. */
export interface ConversationSnoozedEvent extends EventEnvelope {
  readonly type: 'conversation.snoozed';
  readonly data: ConversationEventData;
}

/** The conversation, without its contact. */
export interface ConversationState {
  /** ID of the conversation. */
  readonly id: string;
  /** Number shown to people: counts your conversations from 1. */
  readonly number: number;
  /** ID of the contact. */
  readonly contact_id: string;
  /** The network's ID of the business number. */
  readonly phone_number_id: string;
  /** Status; docs/state-machines.md shows the possible transitions. */
  readonly status: Open<ConversationStatus>;
  /** Assigned agent. */
  readonly assignee_id: string | null;
  /** Assigned team. */
  readonly team_id: string | null;
  /** Priority. */
  readonly priority: Open<ConversationPriority>;
  /** Tags, in the order in which they were added. */
  readonly tags: readonly string[];
  readonly handled_by: Open<ConversationHandler>;
  /** Customer messages since it was last marked as read. */
  readonly unread_count: number;
  /** Time of the first unanswered message. Null if the customer is not waiting. */
  readonly waiting_since: string | null;
  /** When the snooze ends. Null if it ends when the customer writes, or is not snoozed. */
  readonly snoozed_until: string | null;
  readonly window: MessagingWindow;
  readonly lease: WritingLease | null;
  readonly last_message: LastMessage | null;
  /** When a person first replied. */
  readonly first_response_at: string | null;
  /** When the customer last wrote, as reported by the network. */
  readonly last_inbound_at: string | null;
  /** When the business last wrote. */
  readonly last_outbound_at: string | null;
  /** When it was opened or last reopened. */
  readonly opened_at: string;
  /** When it was resolved. */
  readonly resolved_at: string | null;
  /** Times that it was reopened. */
  readonly reopened_count: number;
  /** Increases with each change, but not with messages. Used as the ETag. */
  readonly version: number;
  /** When it started. */
  readonly created_at: string;
  /** When it last changed or a message was added. */
  readonly updated_at: string;
}

/** Only conversations with this status. */
export type ConversationStatus = 'open' | 'pending' | 'snoozed' | 'resolved';

/** Tags to add. */
export type ConversationTags = readonly string[];

/** How long the customer waited or the conversation was open. Null if the customer did not wait. */
export interface ConversationTiming {
  /** When the customer started to wait, or the conversation was opened or reopened. */
  readonly since: string;
  /** Milliseconds since then. */
  readonly elapsed_ms: number;
  /** Milliseconds of that within business hours: of the team, otherwise the number, otherwise the tenant's default. */
  readonly business_ms: number;
}

/** The status, priority, tags or handler of a conversation changed. */
export interface ConversationUpdatedEvent extends EventEnvelope {
  readonly type: 'conversation.updated';
  readonly data: ConversationEventData;
}

/** The window of an open conversation closes within an hour. Emitted once per window. */
export interface ConversationWindowClosingEvent extends EventEnvelope {
  readonly type: 'conversation.window_closing';
  readonly data: ConversationEventData;
}

/** The number of conversations of each kind. */
export interface CountConversationsResponse {
  /** All conversations. */
  readonly total: number;
  /** By status. */
  readonly by_status: Readonly<Record<string, number>>;
  /** Unresolved conversations. */
  readonly active: {
    /** All unresolved conversations. */
    readonly total: number;
    /** Conversations with a waiting customer. */
    readonly waiting: number;
    /** Conversations without an agent. */
    readonly unassigned: number;
    /** By agent. */
    readonly by_assignee: Readonly<Record<string, number>>;
    /** By team. */
    readonly by_team: Readonly<Record<string, number>>;
  };
}

/** The counts, in the order of the views. */
export interface CountViewsResponse {
  readonly data: readonly ({
    /** ID of the view. */
    readonly id: string;
    /** Conversations, up to 1000. Null if the condition names a contact attribute that was deleted. */
    readonly count: number | null;
    /** true: there are more than 1000. */
    readonly more: boolean;
  })[];
}

/** Time of the newest counted event. Null if nothing was counted yet. */
export type CountedUntil = string;

/** A new agent. */
export interface CreateAgentRequest {
  /** Name of the agent. */
  readonly name: string;
  /** Email address of the agent. */
  readonly email?: string | null | undefined;
  /** Role of the agent. Default: agent. */
  readonly role?: AgentRole | undefined;
  /** An availability set here holds until it is set again. */
  readonly availability?: AgentAvailability | undefined;
  /** Capacity of the agent. */
  readonly capacity?: {
    readonly max_open: MaxOpenConversations;
  } | undefined;
  readonly skills?: AgentSkills | undefined;
  /** Your own ID for the agent; unique. */
  readonly external_id?: string | null | undefined;
}

/** Settings of a new key. */
export interface CreateApiKeyRequest {
  /** What it is for. */
  readonly name: string;
  /** Default: that of the requesting key. Test keys can create only test keys. */
  readonly mode?: ApiKeyMode | undefined;
  /** Scopes of the key. Default: those of the requesting key. */
  readonly scopes?: readonly Scope[] | undefined;
  /** Maximum requests per second, at most that of the requesting key, which is the default. */
  readonly rate_limit?: number | undefined;
  /** IP addresses and networks that the key may be used from. Default: those of the requesting key. */
  readonly allowed_ips?: readonly string[] | undefined;
  /** Sending numbers that the key is limited to: it can send from and read only these, and do nothing unrelated to a number. Default: those of the requesting key. */
  readonly phone_number_ids?: readonly PhoneNumberId[] | undefined;
  /** Agent that the key acts for. Default: that of the requesting key. */
  readonly agent_id?: string | undefined;
  /** When the key expires, no later than the requesting key. Default: at the same time. */
  readonly expires_at?: string | undefined;
}

/** Conversations, and the change to make to each of them. */
export interface CreateBulkChangeRequest {
  readonly when?: ConversationCondition | undefined;
  /** How many conversations you expect `when` to match. If the number differs by more than 5 percent, rounded down, nothing is changed. */
  readonly expected?: number | undefined;
  /** The conversations to change, instead of `when`. */
  readonly ids?: readonly string[] | undefined;
  /** The change to make to each conversation. */
  readonly change: {
    /** New status. */
    readonly status?: ConversationStatus | undefined;
    readonly snoozed_until?: SnoozedUntil | null | undefined;
    readonly assignee_id?: NewAssignee | null | undefined;
    readonly team_id?: NewTeam | null | undefined;
    /** Priority. */
    readonly priority?: ConversationPriority | undefined;
    /** Who answers. */
    readonly handled_by?: ConversationHandler | undefined;
    readonly add_tags?: ConversationTags | undefined;
    /** Tags to remove. */
    readonly remove_tags?: ConversationTags | undefined;
    /** Mark the conversations as read. */
    readonly read?: boolean | undefined;
  };
}

/** New business hours. */
export interface CreateBusinessHoursRequest {
  /** Name. */
  readonly name: string;
  readonly timezone: Timezone;
  readonly weekly: WeeklyHours;
  readonly holidays?: Holidays | undefined;
  readonly is_default?: IsDefaultHours | undefined;
}

/** A file of recipients. */
export interface CreateCampaignImportRequest {
  /** The file, uploaded to /v1/media. */
  readonly media_id: string;
  /** Format of the file. Default: csv. */
  readonly format?: ImportFormat | undefined;
  /** Maps columns of the file to `to` or to variable names; other columns are ignored. By default, column names are used. */
  readonly mapping?: Readonly<Record<string, string>> | undefined;
  /** If true, rows are only counted and checked; nothing is changed. */
  readonly dry_run?: boolean | undefined;
}

/** A draft of a campaign. */
export interface CreateCampaignRequest {
  readonly name: CampaignTitle;
  readonly template: TemplateContent;
  readonly phone_number_id?: PhoneNumberId | undefined;
  /** When to send once the campaign is started; at most a year ahead. */
  readonly send_at?: string | undefined;
  readonly audience?: AudienceRequest | null | undefined;
  readonly breaker?: BreakerRequest | null | undefined;
}

/** A canned reply. */
export interface CreateCannedReplyRequest {
  /** What agents type to insert the text; unique. */
  readonly shortcut: string;
  /** Text to insert. `{{contact.name|there}}` is a field of the contact, and `{{?order number}}` is asked for; what follows a bar stands in for a missing value. */
  readonly text: string;
  /** Files to send after the text, in order. They do not expire while a canned reply has them. */
  readonly media_ids?: readonly string[] | undefined;
  /** Teams whose members see it, besides those who manage canned replies. Empty: all agents see it. */
  readonly team_ids?: readonly string[] | undefined;
}

/** A chatbot rule. */
export interface CreateChatbotRuleRequest {
  readonly name: RuleName;
  /** Whether the rule is enabled (default). It can be enabled only if its tests pass. */
  readonly enabled?: boolean | undefined;
  readonly position?: RulePosition | undefined;
  readonly trigger: RuleTrigger;
  readonly when?: RuleCondition | null | undefined;
  /** Actions to execute, in order. */
  readonly then: readonly RuleAction[];
  /** If true, no further rules are evaluated after this one matches. Default: false. */
  readonly stop?: boolean | undefined;
  /** Seconds during which the rule does not match again for the same contact. */
  readonly cooldown_s?: number | null | undefined;
  /** Maximum number of matches. */
  readonly max_runs?: number | null | undefined;
  /** Inactive before this time. */
  readonly active_from?: string | null | undefined;
  /** Inactive from this time on. */
  readonly active_until?: string | null | undefined;
  /** Tests that must pass while the rule is enabled. */
  readonly tests?: readonly RuleTestCase[] | undefined;
}

/** An attribute. */
export interface CreateContactAttributeRequest {
  /** Key in `attributes` and in conditions. */
  readonly key: string;
  /** Type of its values. It cannot be changed. */
  readonly type: 'text' | 'number' | 'boolean' | 'date' | 'list';
  /** Display name. Default: the key. */
  readonly label?: string | undefined;
}

/** A contact. It has a phone, a user_id, or both. */
export interface CreateContactRequest {
  /** Phone number in international format; variants of a number identify the same contact. */
  readonly phone?: string | undefined;
  /** The network's ID of a person who may show no number, such as US.13491208655302741918. */
  readonly user_id?: string | undefined;
  /** Display name. */
  readonly name?: string | null | undefined;
  /** ID in another system. */
  readonly external_id?: string | null | undefined;
  /** Language, such as pt-BR. */
  readonly language?: string | null | undefined;
  readonly attributes?: ContactAttributeValues | undefined;
  readonly tags?: ContactTags | undefined;
}

/** A message to a customer, named by contact_id or by to. */
export interface CreateConversationRequest {
  /** Contact to write to. */
  readonly contact_id?: string | undefined;
  /** Number to write to, in any accepted format, or user ID of the network. It becomes a contact if it is none. */
  readonly to?: string | undefined;
  readonly phone_number_id?: PhoneNumberId | undefined;
  /** The message; type determines which. Default: text. */
  readonly message: FirstText | FirstTemplate | FirstImage | FirstVideo | FirstAudio | FirstDocument | FirstSticker | FirstLocation | FirstContacts | FirstReaction | FirstInteractive;
}

/** A flow to create as a draft. */
export interface CreateFlowRequest {
  /** Name of the flow, unique in the account. Customers do not see it. */
  readonly name: string;
  /** What the flow is for. */
  readonly categories: readonly FlowCategory[];
  /** The network's ID of the account. Required if the tenant has several accounts. */
  readonly network_account_id?: string | undefined;
  /** Its screens, in the format of the network. */
  readonly flow_json?: Readonly<Record<string, unknown>> | undefined;
  /** A flow of the same account whose JSON is copied. */
  readonly clone_flow_id?: string | undefined;
}

/** A file to import. */
export interface CreateImportRequest {
  /** The file, uploaded to /v1/media. */
  readonly media_id: string;
  /** Format of the file. Default: csv. */
  readonly format?: ImportFormat | undefined;
  /** Whether to create contacts, update them, or both. Default: upsert. */
  readonly mode?: ImportMode | undefined;
  /** Field that identifies a contact. Default: phone. */
  readonly match_on?: ImportMatch | undefined;
  /** Maps columns of the file to contact fields; other columns are ignored. By default, columns are named like the fields. */
  readonly mapping?: Readonly<Record<string, string>> | undefined;
  /** If true, rows are only counted and checked; nothing is changed. */
  readonly dry_run?: boolean | undefined;
}

/** A new QR code. */
export interface CreateNumberQrCodeRequest {
  /** Text that the code puts into the chat, for the customer to send. */
  readonly message: string;
  /** Format of the picture. Default: svg. */
  readonly image?: 'png' | 'svg' | undefined;
}

/** The answer to a challenge. */
export interface CreatePasskeySessionRequest {
  /** Answer of the authenticator: the PublicKeyCredential as JSON, as its method `toJSON` returns it. */
  readonly credential: Readonly<Record<string, unknown>>;
  /** Whether the session stays usable for 30 days without use, instead of 12 hours. Default: false. */
  readonly remember?: boolean | undefined;
}

/** Whose password was forgotten. */
export interface CreateRecoveryRequest {
  /** Email address that the person signs in with. */
  readonly email: string;
}

/** The network received the file. */
export interface CreateResumableUploadResponse {
  /** The network's handle, to be used immediately; it may contain line breaks. */
  readonly handle: string;
  /** ID of the file as media. */
  readonly media_id: string;
}

/** A segment. */
export interface CreateSegmentRequest {
  /** Name. */
  readonly name: string;
  readonly when: ContactCondition;
}

/** How the person signs in; method determines which. */
export type CreateSessionRequest = SignInByLink | SignInByPassword | SwitchTenant;

/** A suggestion. */
export interface CreateSuggestionRequest {
  /** The text of the answer. */
  readonly body: string;
  /** Seconds for which it is open. Default: 24 hours. */
  readonly expires_in_s?: number | undefined;
}

/** A new team. */
export interface CreateTeamRequest {
  /** Name of the team. */
  readonly name: string;
  readonly members?: TeamMembers | undefined;
  readonly policy?: AssignmentPolicy | undefined;
  readonly sticky?: StickyAssignment | undefined;
  readonly reassign_on_reopen?: ReassignOnReopen | undefined;
  readonly business_hours_id?: TeamHours | null | undefined;
  readonly overflow_team_id?: OverflowTeam | null | undefined;
  readonly required_skills?: RequiredSkills | undefined;
  readonly is_default?: IsDefaultTeam | undefined;
}

/** A template to create from an entry of the network's library. */
export interface CreateTemplateFromLibraryRequest {
  /** Name of the entry. */
  readonly library_template: string;
  /** Language, such as en or en_US. It cannot be changed. */
  readonly language: string;
  /** Name. It cannot be changed. */
  readonly name: string;
  /** One for each button of the entry with needs_input, in their order. */
  readonly buttons?: readonly LibraryInput[] | undefined;
  /** The network's ID of the account. Required if the tenant has several accounts. */
  readonly network_account_id?: string | undefined;
}

/** A template to save as a draft. */
export interface CreateTemplateRequest {
  /** Name. It cannot be changed. */
  readonly name: string;
  /** Language, such as en or en_US. It cannot be changed. */
  readonly language: string;
  /** Billing category. */
  readonly category: TemplateCategory;
  readonly parameter_format?: ParameterFormat | undefined;
  readonly components: TemplateDefinition;
  /** Seconds during which a message is worth delivering. Null: the network's default. */
  readonly message_ttl_s?: number | null | undefined;
  /** The network's ID of the account. Required if the tenant has several accounts. */
  readonly network_account_id?: string | undefined;
}

/** A view. */
export interface CreateViewRequest {
  /** Name, unique among the views of its owner. */
  readonly name: string;
  readonly when: ConversationCondition;
  /** last_activity: newest first. waiting_since: only those with a waiting customer, longest wait first. */
  readonly sort?: 'last_activity' | 'waiting_since' | undefined;
  /** true: all agents see it; false: only the agent it belongs to. */
  readonly shared?: boolean | undefined;
  /** Place among the other views, lowest first. Default: behind them. */
  readonly position?: number | undefined;
}

/** A webhook endpoint. By default, it receives all event types, in any order. */
export interface CreateWebhookEndpointRequest {
  /** URL that events are posted to: https, with a public host. */
  readonly url: string;
  readonly format?: WebhookFormat | undefined;
  /** With the format network: value of hub.verify_token when the URL is verified. It is not stored. Default: a random one. */
  readonly verify_token?: string | undefined;
  /** What it is for. */
  readonly description?: string | null | undefined;
  readonly types?: WebhookEventTypes | null | undefined;
  readonly ordering?: WebhookOrdering | undefined;
  /** Whether it receives events. */
  readonly enabled?: boolean | undefined;
}

/** When it was created. */
export type CreatedAt = string;

/** The button. */
export interface CtaUrlParameters {
  /** Label of the button. */
  readonly display_text: string;
  /** URL to open. */
  readonly url: string;
}

/** The contact was erased. */
export interface DeleteContactResponse {
  /** ID of the deleted contact. */
  readonly id: string;
  /** The contact is erased. */
  readonly status: 'deleted';
  /** Every place that can identify a person, and what happened to the data there. */
  readonly erasure: readonly ({
    /** A kind of data, such as messages or callbacks. */
    readonly what: string;
    /** pending: being erased in the background. */
    readonly outcome: Open<'erased' | 'pending' | 'kept'>;
    /** Latest time of erasure. Null if it is erased, or has no such time. */
    readonly until: string | null;
    /** What the data is, and why any of it is kept. */
    readonly why: string;
  })[];
}

/** The flow was deleted. */
export interface DeleteFlowResponse {
  /** The network's ID of the flow. */
  readonly id: string;
  /** It was deleted. */
  readonly status: 'deleted';
}

/** The media was deleted. */
export interface DeleteMediaResponse {
  /** ID of the deleted media. */
  readonly media_id: string;
  /** It can no longer be read or sent. */
  readonly status: 'deleted';
}

/** The QR code was deleted. */
export interface DeleteNumberQrCodeResponse {
  /** The network's ID of the code. */
  readonly id: string;
  /** It was deleted. */
  readonly status: 'deleted';
}

/** The number has no username now. */
export interface DeleteNumberUsernameResponse {
  readonly id: PhoneNumberId;
  /** Its username was deleted. */
  readonly status: 'deleted';
}

/** The number was deleted. */
export interface DeletePhoneNumberResponse {
  readonly id: PhoneNumberId;
  /** It no longer sends or receives anything here. */
  readonly status: 'deleted';
}

/** It was deleted. */
export interface Deleted {
  /** ID of the deleted object. */
  readonly id: string;
  /** It was deleted. */
  readonly status: 'deleted';
}

/** Delivery information of an outbound message. */
export interface Delivery {
  readonly state: Open<DeliveryState>;
  /** The network's ID of the message. */
  readonly network_message_id: string | null;
  /** Send attempts so far. */
  readonly attempts: number;
  /** When the next attempt is due. Null if none is. */
  readonly next_attempt_at: string | null;
  /** When the network accepted the message. */
  readonly accepted_at: string | null;
  /** Time reported by the network. */
  readonly sent_at: string | null;
  /** Time reported by the network. */
  readonly delivered_at: string | null;
  /** Time reported by the network. */
  readonly read_at: string | null;
  /** Time reported by the network, or the service's time if it failed before it was sent. */
  readonly failed_at: string | null;
  readonly pricing: MessagePricing | null;
  readonly error: DeliveryError | null;
  readonly possible_duplicate: PossibleDuplicate;
}

/** Why the message failed, or why its last attempt failed. */
export interface DeliveryError {
  /** Stable code; docs/errors.md describes each one. */
  readonly code: string;
  /** One sentence for people. */
  readonly message: string;
  /** The network's own code. */
  readonly network_code: number | null;
  /** Whether sending the same message again can help. */
  readonly retryable: boolean;
}

/** Delivery progress, which only moves forward. */
export type DeliveryState = 'pending' | 'accepted' | 'sent' | 'delivered' | 'read' | 'failed' | 'unknown';

/** The document. */
export interface DocumentContent {
  readonly media_id?: MediaId | undefined;
  readonly link?: MediaLink | undefined;
  /** Text below the media. */
  readonly caption?: string | undefined;
  /** Filename shown to the customer; its extension determines the icon. */
  readonly filename?: string | undefined;
}

/** A document. */
export interface DocumentHeader {
  /** Always document. */
  readonly type: 'document';
  readonly document: NestedDocument;
}

/** Result of the check. Nothing was stored. */
export interface DryRun {
  /** Whether the message would be accepted. */
  readonly would_send: boolean;
  /** Why the message would be rejected. */
  readonly blockers: readonly DryRunRemark[];
  /** What may prevent delivery. */
  readonly warnings: readonly DryRunRemark[];
  /** Category that the network would bill it as. Null if only the network knows it. */
  readonly category: string | null;
  /** Estimated cost. Null if no price is known. */
  readonly estimated_cost: {
    /** Amount in millionths of the currency unit. */
    readonly amount_micros: number;
    /** ISO 4217 code. */
    readonly currency: string;
  } | null;
  /** Estimated seconds until it can be sent, at the rate of its number. Null if unknown. */
  readonly eta_s: number | null;
}

/** A finding. */
export interface DryRunRemark {
  /** Stable code; for a blocker, the error code of the send. */
  readonly code: string;
  /** One sentence for people. */
  readonly message: string;
}

/** Time from the start of the customer's wait to the first reply by a person in the conversation. */
export interface DurationSummary {
  /** Number of values. */
  readonly count: number;
  /** Median in seconds, within 5 %. Null without values. */
  readonly p50_s: number | null;
  /** 90th percentile, in seconds. */
  readonly p90_s: number | null;
  /** 99th percentile, in seconds. */
  readonly p99_s: number | null;
  /** Median of the time within the business hours in effect at that time. */
  readonly business_p50_s: number | null;
  /** 90th percentile, within business hours. */
  readonly business_p90_s: number | null;
  /** 99th percentile, within business hours. */
  readonly business_p99_s: number | null;
}

/** Which sessions end. */
export interface EndAgentSessionsRequest {
  /** The sessions to end. Default: all of them. Those that have ended, or are not of this agent, are skipped. */
  readonly session_ids?: readonly string[] | undefined;
}

/** What was ended. */
export interface EndedSessions {
  /** How many sessions were open and have ended. */
  readonly ended: number;
}

/** A webhook endpoint was disabled because it returned 410, or failed for five days. */
export interface EndpointDisabledEvent extends EventEnvelope {
  readonly type: 'endpoint.disabled';
  /** A webhook endpoint that was disabled. */
  readonly data: {
    /** ID of the endpoint. */
    readonly id: string;
    /** URL that events were posted to. */
    readonly url: string;
    /** gone: it returned 410. failing: no attempt succeeded for five days. */
    readonly reason: Open<'gone' | 'failing'>;
    /** Time of the first failed attempt since the last success. */
    readonly failing_since: string | null;
    /** When it was disabled. */
    readonly disabled_at: string;
  };
}

/** No delivery to a webhook endpoint has succeeded for half an hour. After five days, the endpoint is disabled. */
export interface EndpointFailingEvent extends EventEnvelope {
  readonly type: 'endpoint.failing';
  /** A webhook endpoint that is failing. */
  readonly data: {
    /** ID of the endpoint. */
    readonly id: string;
    /** URL that events are posted to. */
    readonly url: string;
    /** Time of the first failed attempt since the last success. */
    readonly failing_since: string;
    /** When it is disabled if no attempt succeeds before. */
    readonly disabled_from: string;
  };
}

/** What went wrong. */
export interface ErrorBody {
  /** One sentence for people. */
  readonly error: string;
  readonly code: Open<ErrorCode>;
  /** All problems, if the request is not valid. */
  readonly details?: readonly {
    /** Where the problem is: body.to, query.limit, header.idempotency-key. */
    readonly path: string;
    /** Description of the problem. */
    readonly message: string;
  }[];
}

/** Stable code; docs/errors.md describes each one. */
export type ErrorCode =
  | 'validation_failed'
  | 'malformed_json'
  | 'invalid_request'
  | 'no_sending_number'
  | 'unknown_phone_number'
  | 'unknown_reply_to'
  | 'unknown_media'
  | 'media_not_sendable'
  | 'recipient_blocked'
  | 'recipient_opted_out'
  | 'recipient_country_not_allowed'
  | 'window_closed'
  | 'media_quota_exceeded'
  | 'handle_refused'
  | 'unknown_network_account'
  | 'template_invalid'
  | 'template_unknown'
  | 'template_paused'
  | 'template_not_sendable'
  | 'subscription_inactive'
  | 'fair_use_exceeded'
  | 'insufficient_balance'
  | 'unknown_segment'
  | 'campaign_state'
  | 'campaign_empty'
  | 'campaign_full'
  | 'wallet_disabled'
  | 'payment_refused'
  | 'invalid_link_state'
  | 'link_refused'
  | 'link_failed'
  | 'unauthorized'
  | 'not_signed_in'
  | 'sign_in_failed'
  | 'second_factor_required'
  | 'second_factor_failed'
  | 'wrong_password'
  | 'sign_in_again'
  | 'sso_required'
  | 'passkey_refused'
  | 'passkeys_unavailable'
  | 'cross_site'
  | 'tenant_suspended'
  | 'forbidden'
  | 'test_key'
  | 'address_not_allowed'
  | 'not_found'
  | 'events_expired'
  | 'method_not_allowed'
  | 'conflict'
  | 'contact_exists'
  | 'contact_merged'
  | 'contact_not_merged'
  | 'merge_not_last'
  | 'conversation_conflict'
  | 'rule_tests_failed'
  | 'refused_by_network'
  | 'request_in_progress'
  | 'precondition_failed'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'range_not_satisfiable'
  | 'template_edit_limit'
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'checksum_mismatch'
  | 'internal_error'
  | 'overloaded'
  | 'handle_unavailable'
  | 'linking_unavailable'
  | 'secrets_unavailable'
  | 'media_store_unavailable'
  | 'network_unreachable'
  | 'payment_unavailable'
  | 'tenant_moving'
  | 'storage_unavailable';

/** Failures of one code. */
export interface ErrorCount {
  /** The code in `delivery.error`. */
  readonly code: string;
  /** Accepted messages that failed so far. */
  readonly failed: number;
  /** Share of all failures in the period. */
  readonly share: number | null;
}

/** Something that happened. */
export type Event =
  | MessageQueuedEvent
  | MessageSentEvent
  | MessageDeliveredEvent
  | MessageReadEvent
  | MessageFailedEvent
  | MessageReceivedEvent
  | MessageEditedEvent
  | MessageDeletedEvent
  | CallStartedEvent
  | CallUpdatedEvent
  | CallEndedEvent
  | CampaignStartedEvent
  | CampaignPausedEvent
  | CampaignResumedEvent
  | CampaignCompletedEvent
  | CampaignCanceledEvent
  | EndpointFailingEvent
  | EndpointDisabledEvent
  | SubscriptionUpdatedEvent
  | UsageThresholdEvent
  | WalletLowBalanceEvent
  | AccountNoticeEvent
  | NumberPausedEvent
  | NumberResumedEvent
  | NumberQualityChangedEvent
  | NumberLimitChangedEvent
  | NumberStatusChangedEvent
  | TemplateCreatedEvent
  | TemplateUpdatedEvent
  | TemplateStatusChangedEvent
  | TemplateQualityChangedEvent
  | TemplateCategoryChangedEvent
  | TemplateDeletedEvent
  | ContactCreatedEvent
  | ContactUpdatedEvent
  | ContactDeletedEvent
  | ContactMergedEvent
  | ContactUnmergedEvent
  | ContactOptedOutEvent
  | ContactOptedInEvent
  | ContactBlockedEvent
  | ContactUnblockedEvent
  | ContactNetworkBlockChangedEvent
  | ImportCompletedEvent
  | ConversationOpenedEvent
  | ConversationUpdatedEvent
  | ConversationAssignedEvent
  | ConversationRepliedEvent
  | ConversationSnoozedEvent
  | ConversationResolvedEvent
  | ConversationReopenedEvent
  | ConversationWindowClosingEvent
  | BulkChangeFinishedEvent
  | SuggestionCreatedEvent
  | SuggestionTakenEvent
  | SuggestionDiscardedEvent
  | NoteCreatedEvent
  | RuleCreatedEvent
  | RuleUpdatedEvent
  | RuleDeletedEvent
  | RuleFiredEvent
  | RulePausedEvent
  | AgentCreatedEvent
  | AgentUpdatedEvent
  | AgentDeletedEvent
  | AgentAvailabilityChangedEvent
  | TeamCreatedEvent
  | TeamUpdatedEvent
  | TeamDeletedEvent
  | AuditRecordedEvent;

/** Fields that every event has. */
export interface EventEnvelope {
  /** ID of the event; the webhook-id of its deliveries. */
  readonly id: string;
  /** Counts the tenant's events from 1, without gaps. */
  readonly sequence: number;
  /** Version of the envelope. */
  readonly api_version: string;
  /** When it was recorded. */
  readonly timestamp: string;
}

/** Type of event. */
export type EventType =
  | 'message.queued'
  | 'message.sent'
  | 'message.delivered'
  | 'message.read'
  | 'message.failed'
  | 'message.received'
  | 'message.edited'
  | 'message.deleted'
  | 'call.started'
  | 'call.updated'
  | 'call.ended'
  | 'campaign.started'
  | 'campaign.paused'
  | 'campaign.resumed'
  | 'campaign.completed'
  | 'campaign.canceled'
  | 'endpoint.failing'
  | 'endpoint.disabled'
  | 'subscription.updated'
  | 'usage.threshold'
  | 'wallet.low_balance'
  | 'account.notice'
  | 'number.paused'
  | 'number.resumed'
  | 'number.quality_changed'
  | 'number.limit_changed'
  | 'number.status_changed'
  | 'template.created'
  | 'template.updated'
  | 'template.status_changed'
  | 'template.quality_changed'
  | 'template.category_changed'
  | 'template.deleted'
  | 'contact.created'
  | 'contact.updated'
  | 'contact.deleted'
  | 'contact.merged'
  | 'contact.unmerged'
  | 'contact.opted_out'
  | 'contact.opted_in'
  | 'contact.blocked'
  | 'contact.unblocked'
  | 'contact.network_block_changed'
  | 'import.completed'
  | 'conversation.opened'
  | 'conversation.updated'
  | 'conversation.assigned'
  | 'conversation.replied'
  | 'conversation.snoozed'
  | 'conversation.resolved'
  | 'conversation.reopened'
  | 'conversation.window_closing'
  | 'bulk_change.finished'
  | 'suggestion.created'
  | 'suggestion.taken'
  | 'suggestion.discarded'
  | 'note.created'
  | 'rule.created'
  | 'rule.updated'
  | 'rule.deleted'
  | 'rule.fired'
  | 'rule.paused'
  | 'agent.created'
  | 'agent.updated'
  | 'agent.deleted'
  | 'agent.availability_changed'
  | 'team.created'
  | 'team.updated'
  | 'team.deleted'
  | 'audit.recorded';

/** Refuses the message unless this is still the newest one: no message or reply has been added since. */
export type ExpectedLastMessage = string;

/** When the message expires if it has not been sent. Default: 24 hours after it is due. */
export type ExpiresAt = string;

/** Usage of the plan's fair-use limit. */
export interface FairUse {
  /** Monthly limit of outbound messages. Null: no limit. */
  readonly limit: number | null;
  /** Outbound messages this month. */
  readonly used: number;
  /** Messages remaining. Null: no limit. */
  readonly remaining: number | null;
  /** Percentage of the limit used, rounded down. Null: no limit. */
  readonly percent: number | null;
  /** exceeded: the limit is used up. */
  readonly state: Open<'ok' | 'warning' | 'exceeded'>;
  /** hard: messages beyond the limit are rejected. */
  readonly enforcement: Open<'soft' | 'hard'>;
  /** When the next month starts. */
  readonly resets_at: string;
}

/** Each field that changed, with its old and its new value. */
export type FieldChanges = Readonly<Record<string, readonly [unknown, unknown]>>;

/** For whom, and with which values. */
export interface FillCannedReplyRequest {
  /** The contact whose fields are put in. */
  readonly contact_id?: string | undefined;
  /** Instead of contact_id: a conversation with the contact. */
  readonly conversation_id?: string | undefined;
  /** What the text asks for, by its name, as in asks_for. */
  readonly values?: Readonly<Record<string, unknown>> | undefined;
}

/** A canned reply with its values. */
export interface FilledReply {
  /** What to send, in order: the text, then each file. */
  readonly messages: readonly FilledReplyMessage[];
  /** What has no value and no text to stand in: a field of the contact, or ? and what is asked for. */
  readonly missing: readonly string[];
  /** Files that were deleted. No message sends them. */
  readonly missing_media_ids: readonly string[];
}

/** A message, as a reply in a conversation takes it. */
export interface FilledReplyMessage {
  /** Kind of message. */
  readonly type: Open<'text' | 'image' | 'video' | 'audio' | 'document' | 'sticker'>;
  /** Of a text: the text. What is missing is left out. */
  readonly body?: string;
  /** Of a file: which one. */
  readonly media?: {
    /** The file. */
    readonly media_id: string;
    /** Of a document: the filename that the customer sees. */
    readonly filename?: string;
  };
  /** Of the first message: the canned reply, so that the reply counts as a use. */
  readonly canned_reply_id?: string;
}

/** An audio recording to send. */
export interface FirstAudio {
  /** Kind of message. */
  readonly type: 'audio';
  readonly media: AudioContent;
  readonly reply_to?: ReplyTo | undefined;
  readonly client_ref?: ClientReference | undefined;
  readonly priority?: MessagePriority | undefined;
  readonly send_at?: SendAt | undefined;
  readonly expires_at?: ExpiresAt | undefined;
  readonly ttl_s?: TimeToLive | undefined;
}

/** Contact cards to send. */
export interface FirstContacts {
  /** Kind of message. */
  readonly type: 'contacts';
  /** Contact cards. */
  readonly contacts: readonly ContactCard[];
  readonly reply_to?: ReplyTo | undefined;
  readonly client_ref?: ClientReference | undefined;
  readonly priority?: MessagePriority | undefined;
  readonly send_at?: SendAt | undefined;
  readonly expires_at?: ExpiresAt | undefined;
  readonly ttl_s?: TimeToLive | undefined;
}

/** A document to send. */
export interface FirstDocument {
  /** Kind of message. */
  readonly type: 'document';
  readonly media: DocumentContent;
  readonly reply_to?: ReplyTo | undefined;
  readonly client_ref?: ClientReference | undefined;
  readonly priority?: MessagePriority | undefined;
  readonly send_at?: SendAt | undefined;
  readonly expires_at?: ExpiresAt | undefined;
  readonly ttl_s?: TimeToLive | undefined;
}

/** An image to send. */
export interface FirstImage {
  /** Kind of message. */
  readonly type: 'image';
  readonly media: ImageContent;
  readonly reply_to?: ReplyTo | undefined;
  readonly client_ref?: ClientReference | undefined;
  readonly priority?: MessagePriority | undefined;
  readonly send_at?: SendAt | undefined;
  readonly expires_at?: ExpiresAt | undefined;
  readonly ttl_s?: TimeToLive | undefined;
}

/** An interactive message to send. */
export interface FirstInteractive {
  /** Kind of message. */
  readonly type: 'interactive';
  readonly interactive: Interactive;
  readonly reply_to?: ReplyTo | undefined;
  readonly client_ref?: ClientReference | undefined;
  readonly priority?: MessagePriority | undefined;
  readonly send_at?: SendAt | undefined;
  readonly expires_at?: ExpiresAt | undefined;
  readonly ttl_s?: TimeToLive | undefined;
}

/** A location to send. */
export interface FirstLocation {
  /** Kind of message. */
  readonly type: 'location';
  readonly location: Location;
  readonly reply_to?: ReplyTo | undefined;
  readonly client_ref?: ClientReference | undefined;
  readonly priority?: MessagePriority | undefined;
  readonly send_at?: SendAt | undefined;
  readonly expires_at?: ExpiresAt | undefined;
  readonly ttl_s?: TimeToLive | undefined;
}

/** A reaction to a message to send. */
export interface FirstReaction {
  /** Kind of message. */
  readonly type: 'reaction';
  readonly reaction: Reaction;
  readonly client_ref?: ClientReference | undefined;
  readonly priority?: MessagePriority | undefined;
  readonly send_at?: SendAt | undefined;
  readonly expires_at?: ExpiresAt | undefined;
  readonly ttl_s?: TimeToLive | undefined;
}

/** A sticker to send. */
export interface FirstSticker {
  /** Kind of message. */
  readonly type: 'sticker';
  readonly media: StickerContent;
  readonly reply_to?: ReplyTo | undefined;
  readonly client_ref?: ClientReference | undefined;
  readonly priority?: MessagePriority | undefined;
  readonly send_at?: SendAt | undefined;
  readonly expires_at?: ExpiresAt | undefined;
  readonly ttl_s?: TimeToLive | undefined;
}

/** A template to send. */
export interface FirstTemplate {
  /** Kind of message. */
  readonly type: 'template';
  readonly template: TemplateContent;
  readonly reply_to?: ReplyTo | undefined;
  readonly client_ref?: ClientReference | undefined;
  readonly priority?: MessagePriority | undefined;
  readonly send_at?: SendAt | undefined;
  readonly expires_at?: ExpiresAt | undefined;
  readonly ttl_s?: TimeToLive | undefined;
}

/** A text to send. */
export interface FirstText {
  /** Text of the message. */
  readonly body: string;
  /** Kind of message. Default: "text". */
  readonly type?: 'text' | undefined;
  /** Whether the network shows a preview of the first URL in the text. Default: false. */
  readonly preview_url?: boolean | undefined;
  readonly reply_to?: ReplyTo | undefined;
  readonly client_ref?: ClientReference | undefined;
  readonly priority?: MessagePriority | undefined;
  readonly send_at?: SendAt | undefined;
  readonly expires_at?: ExpiresAt | undefined;
  readonly ttl_s?: TimeToLive | undefined;
}

/** A video to send. */
export interface FirstVideo {
  /** Kind of message. */
  readonly type: 'video';
  readonly media: VideoContent;
  readonly reply_to?: ReplyTo | undefined;
  readonly client_ref?: ClientReference | undefined;
  readonly priority?: MessagePriority | undefined;
  readonly send_at?: SendAt | undefined;
  readonly expires_at?: ExpiresAt | undefined;
  readonly ttl_s?: TimeToLive | undefined;
}

/** A form that customers fill in within the chat. */
export interface Flow {
  /** The network's ID of the flow. */
  readonly id: string;
  /** Name; customers do not see it. */
  readonly name: string;
  /** draft, published, deprecated, blocked or throttled. */
  readonly status: string;
  /** What the flow is for. */
  readonly categories: readonly string[];
  /** The account that the flow is in. */
  readonly network_account_id: string;
  /** Version of the format of its JSON. Null until it has JSON. */
  readonly json_version: string | null;
  /** What has to be corrected before the flow can be published. */
  readonly validation_errors: readonly FlowProblem[];
  /** A page that shows the flow. Null in lists and without JSON. */
  readonly preview: {
    /** Its address; whoever has it can see the flow. */
    readonly url: string;
    /** Until when it works. */
    readonly expires_at: string | null;
  } | null;
  /** Whether the flow can be sent. Null in lists, or if the network does not say it. */
  readonly health: {
    /** available, limited or blocked. */
    readonly can_send: string;
    /** What the network says is wrong, and what it advises. */
    readonly problems: readonly string[];
  } | null;
}

/** What a customer has entered into a flow. */
export interface FlowAnswer {
  /** The inbound message that the answer came as. */
  readonly message_id: string;
  /** The message that the flow was sent with. */
  readonly sent_message_id: string;
  /** When the answer was stored. */
  readonly received_at: string;
  readonly phone_number_id: PhoneNumberId;
  /** The customer's number, digits only. Null if only a user ID is known. */
  readonly from: string | null;
  /** The network's user ID of the customer. */
  readonly from_user_id: string | null;
  /** Name that the customer goes by on the network. */
  readonly profile_name: string | null;
  /** The contact. */
  readonly contact_id: string | null;
  /** The conversation. */
  readonly conversation_id: string | null;
  /** Token that the flow was sent with. */
  readonly flow_token: string | null;
  /** What was entered, by the names of the fields. Null if it is not JSON. */
  readonly data: unknown;
}

/** A page of answers, newest first. */
export interface FlowAnswerList {
  readonly data: readonly FlowAnswer[];
  readonly page: PageInfo;
}

/** What the flow is for. */
export type FlowCategory =
  | 'sign_up'
  | 'sign_in'
  | 'appointment_booking'
  | 'lead_generation'
  | 'contact_us'
  | 'customer_support'
  | 'survey'
  | 'other';

/** A page of flows, newest first. */
export interface FlowList {
  readonly data: readonly Flow[];
  readonly page: PageInfo;
}

/** Why the network would not publish the flow. */
export interface FlowProblem {
  /** The network's code. */
  readonly code: string | null;
  /** The network's sentence. */
  readonly message: string;
  /** Where in the JSON, such as screens[0].id. */
  readonly places: readonly string[];
}

/** What the customer entered into a form. Null for other messages. */
export interface FlowResponse {
  /** The network's word for the kind of form, such as flow or address_message. */
  readonly name: string | null;
  /** Token that the form was sent with. */
  readonly flow_token: string | null;
  /** The answers, without the token: usually an object. Null if they are not JSON. */
  readonly data: unknown;
}

/** Progress of the messages of one key. */
export interface FunnelRow {
  /** The template, campaign, number, type or category. */
  readonly key: string;
  /** Outbound messages accepted in the period. */
  readonly accepted: number;
  /** Accepted messages sent so far. */
  readonly sent: number;
  /** Accepted messages delivered so far. */
  readonly delivered: number;
  /** Accepted messages read so far. */
  readonly read: number;
  /** Accepted messages answered so far, by a quoted reply or by the next message within three days. */
  readonly replied: number;
  /** Accepted messages that failed so far. */
  readonly failed: number;
  /** Delivered as a share of sent. */
  readonly delivered_rate: number | null;
  /** Read as a share of delivered. */
  readonly read_rate: number | null;
  /** Replied as a share of delivered. */
  readonly replied_rate: number | null;
}

/** Agents. */
export interface GetAnalyticsAgentsResponse {
  readonly from: ReportStart;
  readonly to: ReportEnd;
  readonly timezone: ReportTimezone;
  readonly as_of: CountedUntil | null;
  readonly complete: ReportIsComplete;
  readonly data: readonly AgentMetrics[];
}

/** Who had messages sent. */
export interface GetAnalyticsAuthorsResponse {
  readonly from: ReportStart;
  readonly to: ReportEnd;
  readonly timezone: ReportTimezone;
  readonly as_of: CountedUntil | null;
  readonly complete: ReportIsComplete;
  readonly by_kind: AuthorKindCounts;
  readonly data: readonly AuthorMetrics[];
}

/** Failures by code. */
export interface GetAnalyticsErrorsResponse {
  readonly from: ReportStart;
  readonly to: ReportEnd;
  readonly timezone: ReportTimezone;
  readonly as_of: CountedUntil | null;
  readonly complete: ReportIsComplete;
  readonly data: readonly ErrorCount[];
}

/** The funnel from accepted to replied. */
export interface GetAnalyticsFunnelResponse {
  readonly from: ReportStart;
  readonly to: ReportEnd;
  readonly timezone: ReportTimezone;
  readonly as_of: CountedUntil | null;
  readonly complete: ReportIsComplete;
  readonly data: readonly FunnelRow[];
}

/** Hours of the week. */
export interface GetAnalyticsHeatmapResponse {
  readonly from: ReportStart;
  readonly to: ReportEnd;
  readonly timezone: ReportTimezone;
  readonly as_of: CountedUntil | null;
  readonly complete: ReportIsComplete;
  readonly data: readonly HeatmapRow[];
}

/** Conversations, and how long they took. */
export interface GetAnalyticsResponseTimesResponse {
  readonly from: ReportStart;
  readonly to: ReportEnd;
  readonly timezone: ReportTimezone;
  readonly as_of: CountedUntil | null;
  readonly complete: ReportIsComplete;
  readonly data: readonly ResponseTimesRow[];
}

/** Figures for a period, and for the period of the same length immediately before it. */
export interface GetAnalyticsSummaryResponse {
  readonly from: ReportStart;
  readonly to: ReportEnd;
  readonly timezone: ReportTimezone;
  readonly as_of: CountedUntil | null;
  readonly complete: ReportIsComplete;
  readonly messages: MessageCounts | null;
  readonly previous: MessageCounts | null;
  readonly conversations: ConversationMetrics | null;
  readonly previous_conversations: ConversationMetrics | null;
}

/** Figures for each step, without gaps. */
export interface GetAnalyticsTimeseriesResponse {
  readonly from: ReportStart;
  readonly to: ReportEnd;
  readonly timezone: ReportTimezone;
  readonly as_of: CountedUntil | null;
  readonly complete: ReportIsComplete;
  /** Length of a step. */
  readonly interval: Open<'hour' | 'day' | 'week' | 'month'>;
  readonly data: readonly TimeseriesPoint[];
}

/** Assignment decisions, newest first, and why the conversation is waiting. */
export interface GetAssignmentLogResponse {
  /** The latest decisions, at most 100. */
  readonly data: readonly AssignmentEntry[];
  /** Why it is waiting. Null if it is not waiting for an agent. */
  readonly waiting: {
    /** nobody_has_room, outside_hours, by_hand, no_team, with_bot; or a policy if it is about to be assigned. */
    readonly because: string;
    readonly skipped: SkippedAgents;
  } | null;
}

/** The process is alive. */
export interface GetHealthResponse {
  readonly status: string;
}

/** What conversations cost. */
export interface GetNetworkConversationAnalyticsResponse {
  /** Start of the report, extended to a full day in UTC. */
  readonly from: ReportStart;
  /** End of the report, exclusive, extended to a full day in UTC. */
  readonly to: ReportEnd;
  readonly timezone: ReportTimezone;
  readonly as_of: CountedUntil | null;
  readonly complete: ReportIsComplete;
  /** The network's ID of the account. */
  readonly network_account_id: string;
  /** Length of a step, in UTC. */
  readonly interval: Open<NetworkInterval>;
  readonly data: readonly NetworkConversationMetrics[];
}

/** Messages as the network counts them. */
export interface GetNetworkMessageAnalyticsResponse {
  /** Start of the report, extended to a full day in UTC. */
  readonly from: ReportStart;
  /** End of the report, exclusive, extended to a full day in UTC. */
  readonly to: ReportEnd;
  readonly timezone: ReportTimezone;
  readonly as_of: CountedUntil | null;
  readonly complete: ReportIsComplete;
  /** The network's ID of the account. */
  readonly network_account_id: string;
  /** Length of a step, in UTC. */
  readonly interval: Open<NetworkInterval>;
  readonly data: readonly NetworkMessageMetrics[];
}

/** What messages cost. */
export interface GetNetworkPricingAnalyticsResponse {
  /** Start of the report, extended to a full day in UTC. */
  readonly from: ReportStart;
  /** End of the report, exclusive, extended to a full day in UTC. */
  readonly to: ReportEnd;
  readonly timezone: ReportTimezone;
  readonly as_of: CountedUntil | null;
  readonly complete: ReportIsComplete;
  /** The network's ID of the account. */
  readonly network_account_id: string;
  /** Length of a step, in UTC. */
  readonly interval: Open<NetworkInterval>;
  readonly data: readonly NetworkPricingMetrics[];
}

/** What became of messages with templates. */
export interface GetNetworkTemplateAnalyticsResponse {
  /** Start of the report, extended to a full day in UTC. */
  readonly from: ReportStart;
  /** End of the report, exclusive, extended to a full day in UTC. */
  readonly to: ReportEnd;
  readonly timezone: ReportTimezone;
  readonly as_of: CountedUntil | null;
  readonly complete: ReportIsComplete;
  /** The network's ID of the account. */
  readonly network_account_id: string;
  /** Length of a step, in UTC. */
  readonly interval: Open<NetworkInterval>;
  readonly data: readonly NetworkTemplateMetrics[];
}

/** The process is ready for requests. */
export interface GetReadinessResponse {
  readonly status: string;
  /** Cells whose database does not respond. Absent: none. */
  readonly cells_away?: readonly string[];
}

/** An upload that returns a network handle. */
export interface HandleUpload {
  /** ID of the upload. */
  readonly upload_id: string;
  /** uploading: bytes are missing. processing: the network has not issued a handle yet. failed: no handle will be issued. */
  readonly status: Open<'uploading' | 'processing' | 'ready' | 'failed'>;
  /** Bytes received. */
  readonly offset: number;
  /** Total size in bytes. */
  readonly size: number;
  /** The network's handle, once ready. */
  readonly handle: string | null;
  /** ID of the file as media, once all bytes are received. */
  readonly media_id: string | null;
  /** Why there is no handle, even while it is retried. */
  readonly error: {
    /** handle_refused or handle_unavailable. */
    readonly code: string;
    /** One sentence. */
    readonly message: string;
  } | null;
  /** When it started. */
  readonly created_at: string;
}

/** Messages in one hour of the week. Hours without messages are omitted. */
export interface HeatmapRow {
  /** Weekday; 1 is Monday. */
  readonly weekday: number;
  /** Hour in the time zone. */
  readonly hour: number;
  /** Outbound messages accepted in the period. */
  readonly accepted: number;
  /** Inbound messages received in the period. */
  readonly received: number;
}

/** A date whose intervals replace those of its weekday. If there are none, it is closed. */
export interface Holiday {
  /** The date, for example 2030-12-25. */
  readonly date: string;
  /** Name of the holiday. */
  readonly name?: string | null | undefined;
  readonly intervals?: OpeningIntervals | undefined;
}

/** Dates that differ from their weekday. */
export type Holidays = readonly Holiday[];

/** The image. */
export interface ImageContent {
  readonly media_id?: MediaId | undefined;
  readonly link?: MediaLink | undefined;
  /** Text below the media. */
  readonly caption?: string | undefined;
}

/** An image. */
export interface ImageHeader {
  /** Always image. */
  readonly type: 'image';
  readonly image: NestedMedia;
}

/** An import of contacts finished, or its file could not be read to the end. */
export interface ImportCompletedEvent extends EventEnvelope {
  readonly type: 'import.completed';
  readonly data: ContactImport;
}

/** Format of the file. */
export type ImportFormat = 'csv' | 'ndjson';

/** Field that identifies a contact. */
export type ImportMatch = 'phone' | 'external_id';

/** Whether to create contacts, update them, or both. */
export type ImportMode = 'create' | 'update' | 'upsert';

/** The attached file. It is downloaded from the network within minutes. Null without a file. */
export interface InboundMedia {
  /** pending: to be downloaded. failed: the download was given up. */
  readonly status: Open<'pending' | 'ready' | 'failed'>;
  /** ID of the media, once ready: read it at /v1/media/{id}. */
  readonly media_id: string | null;
  /** Media type; until ready, as reported by the network. */
  readonly mime_type: string | null;
  /** Size in bytes, once ready. */
  readonly size: number | null;
  /** SHA-256 of the bytes, 64 hex digits. */
  readonly sha256: string | null;
  /** Filename given by the customer. */
  readonly filename: string | null;
  /** Why it is not available, even while it is retried. */
  readonly error: {
    /** Stable code; docs/errors.md describes each one. */
    readonly code: string;
    /** One sentence. */
    readonly message: string;
  } | null;
}

/** A message from a customer, or a call. In addition to these fields, a message has one object named after its type, as sent by the network. */
export interface InboundMessage {
  readonly id: MessageId;
  /** Sent by a customer. Calls are always inbound; call.direction says who called. */
  readonly direction: 'inbound';
  /** Kind of message, such as text or image; call for a call. */
  readonly type: string;
  /** The customer's number, digits only. Null if only a user ID is known. */
  readonly from: string | null;
  /** The network's user ID of the customer. */
  readonly from_user_id: string | null;
  /** Name that the customer chose on the network. */
  readonly profile_name: string | null;
  /** Business number it was sent to, digits only. */
  readonly to: string;
  /** The network's ID of the business number. */
  readonly phone_number_id: string;
  /** Text shown in an inbox: text, caption, button title or emoji. */
  readonly body: string | null;
  /** One sentence for a message without text, such as an order, a removed reaction, or what the network does not deliver. Null if it speaks for itself. */
  readonly summary: string | null;
  readonly media: InboundMedia | null;
  /** The network's ID of the message or call. */
  readonly network_message_id: string;
  /** Message that this one replies to. */
  readonly reply_to: string | null;
  /** Conversation it belongs to. */
  readonly conversation_id: string | null;
  /** Contact it was exchanged with. */
  readonly contact_id: string | null;
  readonly quoted: QuotedMessage | null;
  /** Whether the customer forwarded it from another chat, or it has been forwarded many times. Null: neither. */
  readonly forwarded: Open<'forwarded' | 'frequently_forwarded'> | null;
  readonly referred_product: ReferredProduct | null;
  readonly network_error: NetworkError | null;
  readonly referral: Referral | null;
  readonly flow_response: FlowResponse | null;
  /** The network's ID of the group that it was written in. Such a message belongs to no conversation. Null: it was written to the business alone. */
  readonly group_id: string | null;
  /** Whether it opened the 24-hour window, counts as unread and waiting, and starts chatbot rules. false for notices of the network, removed reactions, messages in groups, and calls of the business. A call of a customer opens the window, and does the rest only if nobody answered. */
  readonly opens_window: boolean;
  /** What the message said before the customer edited it, oldest first: the latest 50 edits. Empty if it was not edited. */
  readonly edits: readonly MessageEdit[];
  /** When the customer deleted the message, as reported by the network. Its content is gone then. Null: it is not deleted. */
  readonly deleted_at: string | null;
  readonly call?: VoiceCall;
  /** When the customer sent it, as reported by the network. */
  readonly network_timestamp: string;
  /** When it was stored. */
  readonly received_at: string;
  /** The same as received_at. */
  readonly created_at: string;
  readonly [further: string]: unknown;
}

/** A page of inbound messages, newest first. */
export interface InboundMessageList {
  readonly data: readonly InboundMessage[];
  readonly page: PageInfo;
}

/** The interactive message; type determines its kind. */
export type Interactive =
  | InteractiveButton
  | InteractiveList
  | InteractiveCtaUrl
  | InteractiveFlow
  | InteractiveLocationRequestMessage
  | InteractiveProduct
  | InteractiveProductList
  | InteractiveCatalogMessage
  | InteractiveCarousel
  | InteractiveAddressMessage
  | InteractiveCallPermissionRequest
  | InteractiveVoiceCall
  | InteractiveRequestContactInfo;

/** An interactive message of type address_message. */
export interface InteractiveAddressMessage {
  /** Always address_message. */
  readonly type: 'address_message';
  readonly body: InteractiveBody;
  readonly footer?: InteractiveFooter | undefined;
  /** Asks for a postal address. */
  readonly action: {
    /** Always address_message. */
    readonly name: 'address_message';
    /** The form: country, values, saved_addresses, validation_errors. */
    readonly parameters: Readonly<Record<string, unknown>>;
  };
}

/** The text of the message. */
export interface InteractiveBody {
  /** The text. */
  readonly text: string;
}

/** An interactive message of type button. */
export interface InteractiveButton {
  /** Always button. */
  readonly type: 'button';
  readonly header?: InteractiveHeader | undefined;
  readonly body: InteractiveBody;
  readonly footer?: InteractiveFooter | undefined;
  readonly action: ReplyButtonsAction;
}

/** An interactive message of type call_permission_request. */
export interface InteractiveCallPermissionRequest {
  /** Always call_permission_request. */
  readonly type: 'call_permission_request';
  readonly body: InteractiveBody;
  readonly footer?: InteractiveFooter | undefined;
  /** Asks for permission to call. */
  readonly action: {
    /** Always call_permission_request. */
    readonly name: 'call_permission_request';
  };
}

/** A card. */
export interface InteractiveCard {
  /** Position of the card; unique. */
  readonly card_index: number;
  /** Kind of the card. */
  readonly type?: 'cta_url' | 'button' | undefined;
  readonly header: CardHeader;
  /** The text of the message. */
  readonly body?: {
    /** The text. */
    readonly text: string;
  } | undefined;
  /** Either a button that opens a URL (name and parameters) or reply buttons; the same kind and number in all cards. */
  readonly action: {
    /** Used with parameters. */
    readonly name?: 'cta_url' | undefined;
    readonly parameters?: CtaUrlParameters | undefined;
    /** The buttons. */
    readonly buttons?: readonly {
      /** Always quick_reply. */
      readonly type: 'quick_reply';
      readonly quick_reply: ButtonContent;
    }[] | undefined;
  };
}

/** Cards shown side by side. */
export interface InteractiveCarousel {
  /** Always carousel. */
  readonly type: 'carousel';
  readonly body: InteractiveBody;
  /** Cards shown side by side. */
  readonly action: {
    /** The cards. */
    readonly cards: readonly InteractiveCard[];
  };
}

/** An interactive message of type catalog_message. */
export interface InteractiveCatalogMessage {
  /** Always catalog_message. */
  readonly type: 'catalog_message';
  readonly body: InteractiveBody;
  readonly footer?: InteractiveFooter | undefined;
  /** The whole catalog. */
  readonly action: {
    /** Always catalog_message. */
    readonly name: 'catalog_message';
    /** The product whose image is shown. */
    readonly parameters?: {
      /** The product in the catalog. */
      readonly thumbnail_product_retailer_id: string;
    } | undefined;
  };
}

/** An interactive message of type cta_url. */
export interface InteractiveCtaUrl {
  /** Always cta_url. */
  readonly type: 'cta_url';
  readonly header?: InteractiveHeader | undefined;
  readonly body: InteractiveBody;
  readonly footer?: InteractiveFooter | undefined;
  /** A button that opens a URL. */
  readonly action: {
    /** Always cta_url. */
    readonly name: 'cta_url';
    readonly parameters: CtaUrlParameters;
  };
}

/** An interactive message of type flow. */
export interface InteractiveFlow {
  /** Always flow. */
  readonly type: 'flow';
  readonly header?: InteractiveHeader | undefined;
  readonly body: InteractiveBody;
  readonly footer?: InteractiveFooter | undefined;
  /** A form to fill in. */
  readonly action: {
    /** Always flow. */
    readonly name: 'flow';
    /** The flow. */
    readonly parameters: {
      /** Always 3. */
      readonly flow_message_version: '3';
      /** ID of the flow. */
      readonly flow_id?: string | undefined;
      /** Name of the flow. */
      readonly flow_name?: string | undefined;
      /** Label of the button. */
      readonly flow_cta: string;
      /** Returned with the answer. */
      readonly flow_token?: string | undefined;
      /** Default: published. */
      readonly mode?: 'draft' | 'published' | undefined;
      /** Default: navigate. */
      readonly flow_action?: 'navigate' | 'data_exchange' | undefined;
      /** Where the flow starts. */
      readonly flow_action_payload?: {
        /** First screen. */
        readonly screen?: string | undefined;
        /** Its data. */
        readonly data?: Readonly<Record<string, unknown>> | undefined;
      } | undefined;
    };
  };
}

/** A line below the text. */
export interface InteractiveFooter {
  /** The line. */
  readonly text: string;
}

/** Header above the text. */
export type InteractiveHeader = TextHeader | ImageHeader | VideoHeader | DocumentHeader;

/** A list to choose from. */
export interface InteractiveList {
  /** Always list. */
  readonly type: 'list';
  readonly header?: TextHeader | undefined;
  /** The text of the message. */
  readonly body: {
    /** The text. */
    readonly text: string;
  };
  readonly footer?: InteractiveFooter | undefined;
  readonly action: ListAction;
}

/** An interactive message of type location_request_message. */
export interface InteractiveLocationRequestMessage {
  /** Always location_request_message. */
  readonly type: 'location_request_message';
  readonly body: InteractiveBody;
  readonly footer?: InteractiveFooter | undefined;
  /** Asks for a location. */
  readonly action: {
    /** Always send_location. */
    readonly name: 'send_location';
  };
}

/** One product of the catalog. It has no header. */
export interface InteractiveProduct {
  /** Always product. */
  readonly type: 'product';
  readonly body?: InteractiveBody | undefined;
  readonly footer?: InteractiveFooter | undefined;
  /** One product. */
  readonly action: {
    /** The catalog. */
    readonly catalog_id: string;
    /** The product in the catalog. */
    readonly product_retailer_id: string;
  };
}

/** Several products of the catalog. */
export interface InteractiveProductList {
  /** Always product_list. */
  readonly type: 'product_list';
  readonly header: TextHeader;
  readonly body: InteractiveBody;
  readonly footer?: InteractiveFooter | undefined;
  /** Several products. */
  readonly action: {
    /** The catalog. */
    readonly catalog_id: string;
    /** Sections, with at most 30 products in total. */
    readonly sections: readonly ({
      /** Heading; required when there are several sections. */
      readonly title?: string | undefined;
      /** Its products. */
      readonly product_items: readonly {
        /** The product in the catalog. */
        readonly product_retailer_id: string;
      }[];
    })[];
  };
}

/** An interactive message of type request_contact_info. */
export interface InteractiveRequestContactInfo {
  /** Always request_contact_info. */
  readonly type: 'request_contact_info';
  readonly body: InteractiveBody;
  readonly footer?: InteractiveFooter | undefined;
  /** Asks for a contact card. */
  readonly action: {
    /** Always request_contact_info. */
    readonly name: 'request_contact_info';
  };
}

/** An interactive message of type voice_call. */
export interface InteractiveVoiceCall {
  /** Always voice_call. */
  readonly type: 'voice_call';
  readonly body: InteractiveBody;
  readonly footer?: InteractiveFooter | undefined;
  /** A button that calls the business. */
  readonly action: {
    /** Always voice_call. */
    readonly name: 'voice_call';
    /** The button. */
    readonly parameters?: {
      /** Label of the button. */
      readonly display_text?: string | undefined;
      /** Minutes that the button works. */
      readonly ttl_minutes?: number | undefined;
      /** Returned with the call. */
      readonly payload?: string | undefined;
    } | undefined;
  };
}

/** A link with which a person signs in as an agent. */
export interface Invitation {
  /** Link for the person. It is shown only this once, and works once. */
  readonly url: string;
  /** Until when the link works. */
  readonly expires_at: string;
  /** What became of the email, if one was asked for. Null: none was. The link works in any case. */
  readonly email: {
    /** Whether the mail server took it. Whether it arrives is not known. */
    readonly sent: boolean;
    /** Where to: the email address of the agent. Null: the agent has none. */
    readonly address: string | null;
    /** Why it was not sent. not_configured: no mail server is set up. no_address: the agent has no email address. limited: 5 were sent to the address, or 100 by the tenant, within an hour. unreachable: the mail server did not take it in time. refused: the mail server does not take it. Null: it was sent. */
    readonly reason: Open<'not_configured' | 'no_address' | 'limited' | 'unreachable' | 'refused'> | null;
  } | null;
}

/** How the link is handed over. */
export interface InviteAgentRequest {
  /** Whether the link is also sent to the email address of the agent. Default: false. */
  readonly send_email?: boolean | undefined;
}

/** Whether these are used by teams and numbers without their own hours. New default hours replace the previous default. */
export type IsDefaultHours = boolean;

/** Whether it takes conversations without a team. A new default team replaces the previous one. */
export type IsDefaultTeam = boolean;

/** The newest message. */
export interface LastMessage {
  readonly id: MessageId;
  /** Direction of the message. */
  readonly direction: Open<'inbound' | 'outbound'>;
  /** Kind of message. */
  readonly type: string;
  /** Start of its text. */
  readonly preview: string | null;
  /** When it was sent. */
  readonly at: string;
}

/** Where a button leads. */
export type LibraryInput = LibraryInputUrl | LibraryInputPhoneNumber;

/** Whom a phone button calls. */
export interface LibraryInputPhoneNumber {
  /** A phone number. */
  readonly type: 'phone_number';
  /** The number, in international form. */
  readonly phone_number: string;
}

/** Where a URL button leads. */
export interface LibraryInputUrl {
  /** A URL. */
  readonly type: 'url';
  /** The URL. It can end in one variable: https://shop.example/{{1}}. */
  readonly url: string;
  /** A whole URL with a value in place of the variable. Required if there is one. */
  readonly example?: string | undefined;
}

/** A ready-made template of the network's library. */
export interface LibraryTemplate {
  /** The network's ID of the entry. */
  readonly id: string;
  /** Name of the entry. */
  readonly name: string;
  /** Language. */
  readonly language: string;
  /** Billing category. */
  readonly category: Open<TemplateCategory>;
  /** What it is about. */
  readonly topic: string | null;
  /** What it is for. */
  readonly use_case: string | null;
  /** Industries that it is made for. */
  readonly industries: readonly string[];
  /** Text above the body. */
  readonly header: string | null;
  /** The text. It cannot be changed without a review. */
  readonly body: string;
  /** The variables of the body. */
  readonly variables: readonly ({
    /** Number of the variable. */
    readonly key: string;
    /** What the network accepts there: text, date, amount, number, address, email or phone_number. */
    readonly type: string | null;
    /** Its sample. */
    readonly example: string;
  })[];
  /** The buttons, in order. */
  readonly buttons: readonly ({
    /** url, phone_number, quick_reply and so on. */
    readonly type: string;
    /** Label. */
    readonly text: string;
    /** A sample. */
    readonly url: string | null;
    /** A sample. */
    readonly phone_number: string | null;
    /** Whether a template of it has to say where the button leads. */
    readonly needs_input: boolean;
  })[];
}

/** A page of entries, newest first. */
export interface LibraryTemplateList {
  readonly data: readonly LibraryTemplate[];
  readonly page: PageInfo;
}

/** A step of linking. */
export interface LinkStep {
  /** exchange: exchanges the code for a token. inspect: checks what the token allows. subscribe: subscribes to the callbacks of an account. numbers: lists the numbers of an account. register: registers a number so that it can send. */
  readonly step: Open<'exchange' | 'inspect' | 'subscribe' | 'numbers' | 'register'>;
  /** Network account or number that the step applies to. Null for the permission. */
  readonly target: string | null;
  /** State of the step. */
  readonly state: Open<'pending' | 'done' | 'failed'>;
  /** Number of attempts. */
  readonly attempts: number;
  /** Time of the last attempt. */
  readonly at: string | null;
  /** Why it failed. */
  readonly error: {
    /** Stable code of the failure. */
    readonly code: Open<'network_refused' | 'network_unreachable' | 'permission_incomplete' | 'token_unreadable' | 'number_taken'>;
    /** One sentence for people. */
    readonly message: string;
    /** The network's error code. */
    readonly network_code: number | null;
    /** Whether retrying can help. */
    readonly retryable: boolean;
  } | null;
}

/** Where to link a network account. */
export interface LinkUrl {
  /** URL of the dialog, to be opened in the browser of the person who links the account. */
  readonly url: string;
  /** State that the dialog returns. It works once, for this tenant. */
  readonly state: string;
  /** When the state expires. */
  readonly expires_at: string;
}

/** A template to check. */
export interface LintTemplateRequest {
  /** Name. */
  readonly name: string;
  /** Language, such as en or en_US. */
  readonly language: string;
  /** Billing category. */
  readonly category: TemplateCategory;
  readonly parameter_format?: ParameterFormat | undefined;
  readonly components: TemplateDefinition;
  /** Validity in seconds. */
  readonly message_ttl_s?: number | null | undefined;
}

/** A finding. */
export interface LintTemplateResponse {
  /** Whether the network would accept it for review. */
  readonly ok: boolean;
  /** Every reason why it would be rejected. */
  readonly faults: readonly TemplateFault[];
  /** Other findings. */
  readonly warnings: readonly TemplateWarning[];
}

/** A list to choose from. */
export interface ListAction {
  /** Label of the button that opens the list. */
  readonly button: string;
  /** Sections, with at most ten rows in total. */
  readonly sections: readonly ListSection[];
}

/** All rules of the tenant. */
export interface ListChatbotRulesResponse {
  /** All rules, in their order. */
  readonly data: readonly ChatbotRule[];
}

/** Consent history of a contact. */
export interface ListContactConsentsResponse {
  /** Newest first, at most 1,000. */
  readonly data: readonly ConsentEntry[];
}

/** Events, oldest first. */
export interface ListEventsResponse {
  readonly data: readonly Event[];
  /** Position of this page. */
  readonly page: {
    /** The limit that was used. */
    readonly limit: number;
    /** Whether more events are available. */
    readonly has_more: boolean;
    /** Value for after in the next request. Null if there are no events yet. */
    readonly next_cursor: string | null;
  };
}

/** QR codes of a number. */
export interface ListNumberQrCodesResponse {
  /** All QR codes of the number. */
  readonly data: readonly QrCode[];
}

/** A row. */
export interface ListRow {
  /** ID returned when the row is chosen. */
  readonly id: string;
  /** Title of the row. */
  readonly title: string;
  /** A line below the title. */
  readonly description?: string | undefined;
}

/** A section of the list. */
export interface ListSection {
  /** Heading; required when there are several sections. */
  readonly title?: string | undefined;
  /** The rows. */
  readonly rows: readonly ListRow[];
}

/** The history of a template. */
export interface ListTemplateHistoryResponse {
  /** What happened, newest first. */
  readonly data: readonly TemplateHistoryEntry[];
}

/** The views, in their order. */
export interface ListViewsResponse {
  readonly data: readonly View[];
}

/** A location on the map. */
export interface Location {
  /** Degrees. */
  readonly latitude: number;
  /** Degrees. */
  readonly longitude: number;
  /** Name of the location. */
  readonly name?: string | undefined;
  /** Address of the location. */
  readonly address?: string | undefined;
}

/** What the installation keeps, which is the most that you can choose. */
export interface LongestRetention {
  /** Days: messages of both directions, with what they say and what became of them. Null: without end. */
  readonly messages_days: number | null;
  /** Days: files of customers; counts for files that arrive from now on. Null: without end. */
  readonly received_media_days: number | null;
  /** Days: files that you upload; counts for files that you upload from now on. Null: without end. */
  readonly uploads_days: number | null;
  /** Days: events, for the feed, the stream and redelivery. Null: without end. */
  readonly events_days: number | null;
  /** Days: webhook deliveries with what your endpoints answered. Null: without end. */
  readonly webhook_deliveries_days: number | null;
  /** Days: what chatbot rules saw and decided. Null: without end. */
  readonly rule_decisions_days: number | null;
}

/** Empty, or further settings. */
export interface MarkMessageReadRequest {
  /** Also shows a typing indicator, until a reply arrives or for 25 seconds. */
  readonly typing?: boolean | undefined;
}

/** The network has marked the message as read. */
export interface MarkMessageReadResponse {
  readonly id: MessageId;
  /** Always true. */
  readonly read: boolean;
  /** Whether the customer sees a typing indicator. */
  readonly typing: boolean;
}

/** Marketing messages are refused while it is denied. */
export type MarketingConsent = 'granted' | 'denied' | 'unknown';

/** Send the template over the network's Marketing Messages API instead of the Cloud API. For templates of the category marketing only; the account must have accepted its terms at the network. */
export interface MarketingMessages {
  /** What the network does with a message that this API does not deliver: send it over the Cloud API, or fail it. Default: as the network decides. */
  readonly product_policy?: Open<'cloud_api_fallback' | 'strict'> | undefined;
  /** Whether the network may use what the recipient does with the message to improve delivery. Default: the setting of the account. */
  readonly message_activity_sharing?: boolean | undefined;
}

/** Maximum number of conversations assigned to the agent at the same time. Default: 5. */
export type MaxOpenConversations = number;

/** The person who is signed in, and what they may do. */
export interface Me {
  /** The person who is signed in. */
  readonly user: {
    /** ID of the person. */
    readonly id: string;
    /** Name of the person. */
    readonly name: string;
    /** Email address that the person signs in with. Null: none yet. */
    readonly email: string | null;
    /** When the person proved that the address is theirs. Null: not yet. */
    readonly email_confirmed_at: string | null;
  };
  /** Who the person is in this tenant. */
  readonly agent: {
    /** ID of the agent. */
    readonly id: string;
    /** Name that colleagues see. */
    readonly name: string;
    /** What the agent may do. */
    readonly role: Open<AgentRole>;
  };
  /** The tenant that the session is for. */
  readonly tenant: {
    /** ID of the tenant. */
    readonly id: string;
    /** Name of the tenant. */
    readonly name: string;
  };
  /** The active tenants that the person works in. */
  readonly tenants: readonly {
    /** ID of the tenant. */
    readonly id: string;
    /** Name of the tenant. */
    readonly name: string;
    /** ID of the agent that the person is there. */
    readonly agent_id: string;
    /** What the agent may do. */
    readonly role: Open<AgentRole>;
  }[];
  /** What the person can sign in with, besides links. */
  readonly sign_in: {
    /** Whether the person has a password. */
    readonly password: boolean;
    /** Whether a code of an authenticator app is asked for besides. */
    readonly totp: boolean;
    /** How many recovery codes are left. */
    readonly recovery_codes: number;
    /** How many passkeys the person has. */
    readonly passkeys: number;
    /** Single sign-on of this tenant. Null: it has none. */
    readonly single_sign_on: {
      /** Whether an identity at the provider is connected with the person. */
      readonly connected: boolean;
      /** Where to sign in. With ?link=true, within 10 minutes of a sign-in, it connects the identity. */
      readonly start_url: string;
    } | null;
  };
  /** What the person may do in this tenant. */
  readonly permissions: readonly Open<Permission>[];
  /** The session of the request. */
  readonly session: {
    /** ID of the session. */
    readonly id: string;
    readonly created_at: CreatedAt;
    /** When the person last signed in. Some operations need a recent sign-in. */
    readonly signed_in_at: string;
    /** When the session ends, unless it is used again before. */
    readonly expires_at: string;
  };
  /** What the client keeps for the person, as it was set. */
  readonly preferences: Readonly<Record<string, unknown>>;
  /** The service itself. */
  readonly installation: {
    /** Version of the service. */
    readonly version: string;
    /** simulator: messages reach no one, and a simulated customer can write. */
    readonly network: Open<'simulator' | 'live'>;
    /** Whether a mail server is set up, so that the service can send mail. */
    readonly mail: boolean;
  };
}

/** Media of the tenant. */
export interface Media extends UploadedMedia {
  /** Original filename. */
  readonly filename: string | null;
  /** uploaded, sent by a customer, or uploaded for a handle. */
  readonly origin: Open<'upload' | 'inbound' | 'resumable'>;
  /** When it was stored. */
  readonly created_at: string;
}

/** media_id of an upload. */
export type MediaId = string;

/** URL that the network downloads the media from, instead of media_id. */
export type MediaLink = string;

/** A page of media, newest first. */
export interface MediaList {
  readonly data: readonly Media[];
  readonly page: PageInfo;
}

/** The contact to merge. */
export interface MergeContactRequest {
  /** The contact to merge into the one in the path. */
  readonly contact_id: string;
}

/** A message as it is now, as GET /v1/messages/{id} returns it; direction determines its shape. */
export type Message = OutboundMessage | InboundMessage;

/** Who had the message sent. Null for messages from before this was recorded. */
export interface MessageAuthor {
  /** Kind of author. key: a program, which acted for no agent. phone: somebody who used the app on the phone of the business. */
  readonly kind: Open<'agent' | 'rule' | 'campaign' | 'key' | 'phone'>;
  /** ID of the agent, chatbot rule, campaign or API key. Null for a phone. */
  readonly id: string | null;
  /** Its current name. Null if it was deleted, and for a phone. */
  readonly name: string | null;
}

/** Message counts. Outbound messages count at the time they were accepted, regardless of what happened later. Null in reports of one agent, team, tag or handler. */
export interface MessageCounts {
  /** Outbound messages accepted in the period. */
  readonly accepted: number;
  /** Accepted messages sent so far. */
  readonly sent: number;
  /** Accepted messages delivered so far. */
  readonly delivered: number;
  /** Accepted messages read so far. */
  readonly read: number;
  /** Accepted messages that failed so far. */
  readonly failed: number;
  /** Accepted messages answered so far, by a quoted reply or by the next message within three days. */
  readonly replied: number;
  /** Inbound messages received in the period. */
  readonly received: number;
}

/** A customer, or the business on its phone, deleted a message. */
export interface MessageDeletedEvent extends EventEnvelope {
  readonly type: 'message.deleted';
  readonly data: Message;
}

/** An outbound message reached the recipient's device. */
export interface MessageDeliveredEvent extends EventEnvelope {
  readonly type: 'message.delivered';
  readonly data: MessageProgressData;
}

/** An edit of a message. */
export interface MessageEdit {
  /** What the message said before this edit: its text or caption. */
  readonly body: string | null;
  /** When it was edited, as reported by the network. */
  readonly edited_at: string;
}

/** A customer, or the business on its phone, edited a message. */
export interface MessageEditedEvent extends EventEnvelope {
  readonly type: 'message.edited';
  readonly data: Message;
}

/** An outbound message was rejected, expired or canceled, or the network reported that it failed. */
export interface MessageFailedEvent extends EventEnvelope {
  readonly type: 'message.failed';
  /** An outbound message that failed. */
  readonly data: QueuedMessageData & {
    /** When it happened, as reported by the network. */
    readonly at: string;
    readonly possible_duplicate?: PossibleDuplicate;
    /** Why it failed. */
    readonly error: {
      /** Stable code; see the page of errors. */
      readonly code: string;
      /** One sentence for people. */
      readonly message: string;
      /** The network's error code. Null if none was reported. */
      readonly network_code?: number | null;
      /** Whether sending it again can help. */
      readonly retryable?: boolean;
    };
  };
}

/** Something that was found. */
export interface MessageHit {
  readonly snippet: SearchSnippet;
  readonly message: Message;
  readonly contact: SearchContact | null;
}

/** What was found of a kind, newest first. */
export interface MessageHits {
  readonly data: readonly MessageHit[];
  readonly page: PageInfo;
}

/** ID of the message. */
export type MessageId = string;

/** A page of messages, newest first. */
export interface MessageList {
  readonly data: readonly Message[];
  readonly page: PageInfo;
}

/** For location messages. */
export interface MessageLocation {
  /** Degrees. */
  readonly latitude: number;
  /** Degrees. */
  readonly longitude: number;
  /** Name of the location. */
  readonly name: string | null;
  /** Address of the location. */
  readonly address: string | null;
}

/** For image, video, audio, document and sticker messages. */
export interface MessageMedia {
  /** ID of the media. Null if it is sent from a URL. */
  readonly media_id: string | null;
  /** URL that the network downloads it from. */
  readonly link: string | null;
  /** Text below the media. */
  readonly caption: string | null;
  /** Filename shown to the customer. */
  readonly filename: string | null;
  /** Whether it is shown as a voice message. */
  readonly voice?: boolean;
}

/** How the network bills the message, once reported. */
export interface MessagePricing {
  /** Category, such as service or marketing. */
  readonly category: string | null;
  /** Whether the network charges for it. */
  readonly billable: boolean | null;
  /** Pricing model, such as PMP. */
  readonly model: string | null;
}

/** high: one-time codes. normal. bulk: campaigns. Default: normal, or bulk with a campaign_name. */
export type MessagePriority = 'high' | 'normal' | 'bulk';

/** An outbound message and its progress. */
export interface MessageProgressData extends QueuedMessageData {
  /** When it happened, as reported by the network. */
  readonly at: string;
  readonly possible_duplicate?: PossibleDuplicate;
  /** Pricing reported by the network. Null if not yet reported. */
  readonly pricing?: {
    /** The network's category, such as marketing or utility. */
    readonly category?: string | null;
    /** Whether the network charges for it. */
    readonly billable?: boolean | null;
    /** The network's pricing model, such as PMP. */
    readonly model?: string | null;
  } | null;
}

/** An outbound message was accepted and queued. */
export interface MessageQueuedEvent extends EventEnvelope {
  readonly type: 'message.queued';
  readonly data: QueuedMessageData;
}

/** For reactions. */
export interface MessageReaction {
  /** ID of the message reacted to, as given. */
  readonly message_id: string;
  /** The emoji; empty if the reaction was removed. */
  readonly emoji: string;
}

/** The recipient read an outbound message. */
export interface MessageReadEvent extends EventEnvelope {
  readonly type: 'message.read';
  readonly data: MessageProgressData;
}

/** A customer sent a message. */
export interface MessageReceivedEvent extends EventEnvelope {
  readonly type: 'message.received';
  readonly data: InboundMessage;
}

/** The network accepted an outbound message. */
export interface MessageSentEvent extends EventEnvelope {
  readonly type: 'message.sent';
  readonly data: MessageProgressData;
}

/** Progress of the message to the network. */
export type MessageStatus = 'queued' | 'sending' | 'sent' | 'failed';

/** Only messages with this status. delivered excludes messages that were read. */
export type MessageStatusFilter = 'queued' | 'sending' | 'sent' | 'failed' | 'delivered' | 'read';

/** For template messages. */
export interface MessageTemplate {
  /** Name of the template. */
  readonly name: string;
  /** Its language. */
  readonly language: string;
  /** Values, as sent. */
  readonly variables?: Readonly<Record<string, unknown>> | readonly unknown[];
  /** Components, as sent. */
  readonly components?: readonly Readonly<Record<string, unknown>>[];
  /** Present if it was sent over the Marketing Messages API: the options, as given. */
  readonly marketing_messages?: Readonly<Record<string, unknown>>;
}

/** What it waits for. */
export type MessageWaitReason =
  | 'number_paused'
  | 'network_outage'
  | 'no_sender'
  | 'rate_limit'
  | 'queue'
  | 'scheduled'
  | 'retry'
  | 'throttled'
  | 'pair_limit'
  | 'outcome_unknown'
  | 'held';

/** Why the message waits, and for how long. Null if it is being sent, was sent or has failed. Only when one message is read. */
export interface MessageWaiting {
  readonly reason: Open<MessageWaitReason>;
  /** Messages that go before it, at most 10,000. */
  readonly ahead: number;
  /** Whether there are more than that; eta_s is then the least it can be. */
  readonly ahead_is_more: boolean;
  /** Messages per second that may leave from its number. Null: no limit. */
  readonly rate_per_s: number | null;
  /** Seconds until its turn, as far as the limits say. Null if nobody can say. */
  readonly eta_s: number | null;
}

/** What may be sent to the customer now. */
export interface MessagingWindow {
  /** Open for 24 hours after each message from the customer. */
  readonly state: Open<'open' | 'closed'>;
  /** When it closes or closed. Null if the customer never wrote. */
  readonly expires_at: string | null;
  /** Until when messages are free, because the customer came from an advertisement and was answered within a day. */
  readonly free_until: string | null;
  /** Message types that may be sent now. */
  readonly allowed: readonly string[];
}

/** The document: exactly one of media_id, id and link. */
export interface NestedDocument {
  readonly media_id?: MediaId | undefined;
  /** Same as media_id. */
  readonly id?: string | undefined;
  readonly link?: MediaLink | undefined;
  /** Filename shown to the customer; its extension determines the icon. */
  readonly filename?: string | undefined;
}

/** The media: exactly one of media_id, id and link. */
export interface NestedMedia {
  readonly media_id?: MediaId | undefined;
  /** Same as media_id. */
  readonly id?: string | undefined;
  readonly link?: MediaLink | undefined;
}

/** Whether the network blocks a contact for a sending number. */
export interface NetworkBlock {
  readonly phone_number_id: PhoneNumberId;
  /** Phone number or user ID that the network was told. Null: none. */
  readonly recipient: string | null;
  readonly state: Open<NetworkBlockState>;
  /** The network's code of its last refusal. */
  readonly code: number | null;
  /** Why it is refused, or still pending. */
  readonly reason: string | null;
  /** When the state changed. */
  readonly changed_at: string | null;
}

/** pending: the network will be told. blocked: it blocks the contact. refused: it does not do it; reason says why. */
export type NetworkBlockState = 'pending' | 'blocked' | 'refused' | 'not_blocked';

/** What conversations cost, for one step and key. */
export interface NetworkConversationMetrics {
  /** Start of the step. */
  readonly start: string;
  /** End of the step, exclusive. */
  readonly end: string;
  /** The category, direction, type, country or number, in lowercase. */
  readonly key: string;
  /** Conversations, as the network counts them. */
  readonly conversations: number | null;
  /** Cost in the account's currency. */
  readonly cost: number | null;
}

/** What the network could not deliver of the message. Null if it reported nothing. */
export interface NetworkError {
  /** The network's own code. */
  readonly network_code: number | null;
  /** The network's sentence. */
  readonly message: string;
}

/** Length of a step, in UTC. Default: day. */
export type NetworkInterval = 'day' | 'month';

/** Messages in one step. */
export interface NetworkMessageMetrics {
  /** Start of the step. */
  readonly start: string;
  /** End of the step, exclusive. */
  readonly end: string;
  /** Messages sent, as the network counts them. */
  readonly sent: number | null;
  /** Messages delivered, as the network counts them. */
  readonly delivered: number | null;
  readonly ours: OurMessageCounts;
}

/** What messages cost, for one step and key. */
export interface NetworkPricingMetrics {
  /** Start of the step. */
  readonly start: string;
  /** End of the step, exclusive. */
  readonly end: string;
  /** The category, type, country, number or tier, in lowercase. */
  readonly key: string;
  /** Messages delivered. */
  readonly volume: number | null;
  /** Cost in the account's currency. */
  readonly cost: number | null;
  /** What this service counted for the same step and key. Null if it does not count these. */
  readonly ours: {
    /** Messages accepted in the step that were delivered so far. */
    readonly delivered: number;
  } | null;
}

/** Messages with one template in one step. */
export interface NetworkTemplateMetrics {
  /** Start of the step. */
  readonly start: string;
  /** End of the step, exclusive. */
  readonly end: string;
  /** Name of the template. */
  readonly template: string;
  /** Its language. */
  readonly language: string;
  /** The network's ID of the template. */
  readonly network_template_id: string;
  /** Messages sent. */
  readonly sent: number | null;
  /** Messages delivered. */
  readonly delivered: number | null;
  /** Messages read. */
  readonly read: number | null;
  /** Clicks on buttons. */
  readonly clicks: readonly ButtonClicks[];
  /** Cost in the account's currency. */
  readonly amount_spent: number | null;
  /** Cost per delivered message. */
  readonly cost_per_delivered: number | null;
  /** Cost per click on a button with a URL. */
  readonly cost_per_click: number | null;
  /** What this service counted for the same step and all languages of the name. Null if the tenant has numbers in other accounts. */
  readonly ours: {
    /** Messages accepted in the step that were sent so far. */
    readonly sent: number;
    /** Messages accepted in the step that were delivered so far. */
    readonly delivered: number;
    /** Messages accepted in the step that were read so far. */
    readonly read: number;
    /** Messages accepted in the step that were answered so far. */
    readonly replied: number;
  } | null;
}

/** A newly created key. */
export interface NewApiKey extends ApiKey {
  /** The key itself, shown only this once. Null if the response is repeated for an Idempotency-Key. */
  readonly key: string | null;
}

/** Agent to assign the conversation to. Null unassigns it. */
export type NewAssignee = string;

/** Team to assign the conversation to. Null removes the team. */
export type NewTeam = string;

/** A secret for an authenticator app. It is shown only this once. */
export interface NewTotp {
  /** The secret in base32, to type into the app. */
  readonly secret: string;
  /** The same as an otpauth URI, for a QR code. */
  readonly uri: string;
}

/** A webhook endpoint with its new secret. */
export interface NewWebhookEndpoint extends WebhookEndpoint {
  /** Signing secret (whsec_…), shown only this once. Null if the response is repeated for an Idempotency-Key. */
  readonly secret: string | null;
}

/** A note between agents. The customer never sees it. */
export interface Note {
  /** ID of the note. */
  readonly id: string;
  /** ID of the conversation. */
  readonly conversation_id: string;
  /** A private note. */
  readonly type: 'note';
  /** Text of the note. */
  readonly body: string;
  /** Agents who are mentioned. */
  readonly mentions: readonly string[];
  readonly author: Actor;
  /** When it was written. */
  readonly created_at: string;
}

/** An agent added a private note to a conversation. */
export interface NoteCreatedEvent extends EventEnvelope {
  readonly type: 'note.created';
  readonly data: Note;
}

/** Something that was found. */
export interface NoteHit {
  readonly snippet: SearchSnippet;
  readonly note: Note;
  readonly contact: SearchContact | null;
}

/** What was found of a kind, newest first. */
export interface NoteHits {
  readonly data: readonly NoteHit[];
  readonly page: PageInfo;
}

/** Something that an agent should know. */
export interface Notification {
  /** ID of the notification. */
  readonly id: string;
  readonly kind: Open<NotificationKind>;
  /** Conversation that it is about. Null: the message belongs to none. */
  readonly conversation_id: string | null;
  /** The customer. Null: not known any more. */
  readonly contact: {
    /** Name. */
    readonly name: string | null;
    /** Phone number. */
    readonly phone: string | null;
  } | null;
  /** Message that failed or arrived. Null: it is about no message. */
  readonly message_id: string | null;
  /** Note that mentions the agent. Null: it is about no note. */
  readonly note_id: string | null;
  /** Who did it. Null: nobody in particular. */
  readonly actor: {
    /** What they are. */
    readonly kind: Open<'agent' | 'key' | 'rule' | 'system'>;
    /** ID of the agent, the key or the rule. */
    readonly id: string | null;
  } | null;
  readonly created_at: CreatedAt;
  /** When it was read. Null: it is unread. */
  readonly read_at: string | null;
}

/** Why the agent is notified. */
export type NotificationKind = 'assigned' | 'mentioned' | 'window_closing' | 'message_failed' | 'new_message';

/** A page of notifications, newest first. */
export interface NotificationList {
  /** Newest first. */
  readonly data: readonly Notification[];
  readonly page: PageInfo;
  /** Unread notifications of the agent, counted up to 1000. */
  readonly unread: number;
}

/** What customers can tap or type before anybody answers. */
export interface NumberCommands {
  /** Texts that customers who have not written yet can tap to send. */
  readonly ice_breakers: readonly string[];
  /** Commands that customers find by typing a slash. */
  readonly commands: readonly {
    /** Name, without the slash. */
    readonly name: string;
    /** What the command does. */
    readonly description: string;
  }[];
  /** Whether the network reports that a customer has opened a chat for the first time, as an inbound message of type `unsupported`. */
  readonly welcome_message: boolean;
}

/** What the contact told the network about marketing from a sending number. */
export interface NumberConsent {
  readonly phone_number_id: PhoneNumberId;
  readonly marketing: Open<NumberMarketingConsent>;
  /** When the contact said so. */
  readonly at: string;
}

/** The display name of a number, and the latest request for another one. */
export interface NumberDisplayName {
  /** Name that customers see. */
  readonly name: string | null;
  /** Its status, the network's word in lower case: approved, declined, expired, none and others. */
  readonly status: string | null;
  /** Name of the latest request. Null if another name was never requested. */
  readonly requested_name: string | null;
  /** Status of the request: pending_review, approved, declined and others. */
  readonly requested_status: string | null;
}

/** The network changed how many customers a sending number may message, or how fast. */
export interface NumberLimitChangedEvent extends EventEnvelope {
  readonly type: 'number.limit_changed';
  readonly data: ReportedPhoneNumber;
}

/** denied: marketing from this number is refused. */
export type NumberMarketingConsent = 'granted' | 'denied';

/** A sending number stopped sending, because a person paused it or the network denied its access. */
export interface NumberPausedEvent extends EventEnvelope {
  readonly type: 'number.paused';
  readonly data: ReportedPhoneNumber;
}

/** What customers read about a business in the app. */
export interface NumberProfile {
  /** Line below the name. */
  readonly about: string | null;
  /** Postal address. */
  readonly address: string | null;
  /** What the business does. */
  readonly description: string | null;
  /** Email address for customers. */
  readonly email: string | null;
  /** Websites of the business. */
  readonly websites: readonly string[];
  /** Line of business, the network's own word in lower case. */
  readonly vertical: string | null;
  /** Where the network has the picture. The URL changes with the picture, and expires. */
  readonly picture_url: string | null;
}

/** The network changed the quality rating of a sending number. */
export interface NumberQualityChangedEvent extends EventEnvelope {
  readonly type: 'number.quality_changed';
  readonly data: ReportedPhoneNumber;
}

/** A sending number sends again. */
export interface NumberResumedEvent extends EventEnvelope {
  readonly type: 'number.resumed';
  readonly data: ReportedPhoneNumber;
}

/** The network restricted, banned or reinstated a sending number. */
export interface NumberStatusChangedEvent extends EventEnvelope {
  readonly type: 'number.status_changed';
  readonly data: ReportedPhoneNumber;
}

/** The username of a number. */
export interface NumberUsername {
  /** Username, without @. Null if the number has none. */
  readonly username: string | null;
  /** approved, or reserved until the network shows usernames in the region of the business. */
  readonly status: string | null;
}

/** What it waits for. */
export type NumberWaitReason = 'number_paused' | 'network_outage' | 'no_sender' | 'rate_limit' | 'queue';

/** Why due messages wait to leave from it: `ahead` of them, of which the last leaves in `eta_s`. Null if none waits. Only when one number is read. */
export interface NumberWaiting {
  readonly reason: Open<NumberWaitReason>;
  /** Messages that go before it, at most 10,000. */
  readonly ahead: number;
  /** Whether there are more than that; eta_s is then the least it can be. */
  readonly ahead_is_more: boolean;
  /** Messages per second that may leave from its number. Null: no limit. */
  readonly rate_per_s: number | null;
  /** Seconds until its turn, as far as the limits say. Null if nobody can say. */
  readonly eta_s: number | null;
}

/** Pairs of start and end, such as ["09:00", "17:30"]. An end that is not after its start is on the next day. */
export type OpeningIntervals = readonly (readonly [string, string])[];

/** The evaluation order. */
export interface OrderChatbotRulesRequest {
  /** Every rule once, in evaluation order. */
  readonly order: readonly string[];
}

/** What this service counted for the same step and the same numbers. */
export interface OurMessageCounts {
  /** Messages accepted in the step that were sent so far. */
  readonly sent: number;
  /** Messages accepted in the step that were delivered so far. */
  readonly delivered: number;
}

/** A message from the business to a customer, with one object named after its type. */
export interface OutboundMessage {
  readonly id: MessageId;
  /** Sent by the business. */
  readonly direction: 'outbound';
  readonly status: Open<MessageStatus>;
  /** Kind of message, such as text or image. */
  readonly type: string;
  /** Recipient, digits only. */
  readonly to: string;
  /** Business number it is sent from, digits only. */
  readonly from: string;
  /** The network's ID of the business number. */
  readonly phone_number_id: string;
  /** Text of a text message. */
  readonly body?: string;
  readonly template?: MessageTemplate;
  readonly media?: MessageMedia;
  readonly location?: MessageLocation;
  /** For contacts messages: the cards, as sent. */
  readonly contacts?: readonly Readonly<Record<string, unknown>>[];
  readonly reaction?: MessageReaction;
  /** For interactive messages: the object, as sent. */
  readonly interactive?: Readonly<Record<string, unknown>>;
  /** Campaign it belongs to. */
  readonly campaign_name: string | null;
  /** Your own reference. */
  readonly client_ref: string | null;
  /** Message that this one replies to. */
  readonly reply_to: string | null;
  /** Conversation it belongs to. */
  readonly conversation_id: string | null;
  /** Contact it was exchanged with. */
  readonly contact_id: string | null;
  /** Failed message that this one resends. */
  readonly resend_of: string | null;
  readonly author: MessageAuthor | null;
  /** What a message from the phone said before it was edited there, oldest first: the latest 50 edits. Empty if it was not edited. */
  readonly edits: readonly MessageEdit[];
  /** When a message from the phone was deleted there, as reported by the network. Its content is gone then. Null: it is not deleted. */
  readonly deleted_at: string | null;
  /** Which messages are sent first. */
  readonly priority: Open<MessagePriority>;
  /** Earliest time to send. */
  readonly send_at: string | null;
  /** When the message expires if it has not been sent. */
  readonly expires_at: string;
  /** When it was accepted. */
  readonly created_at: string;
  readonly updated_at: UpdatedAt;
  readonly delivery: Delivery;
  readonly waiting?: MessageWaiting | null;
}

/** A page of outbound messages, newest first. */
export interface OutboundMessageList {
  readonly data: readonly OutboundMessage[];
  readonly page: PageInfo;
}

/** Team whose members help when no agent of this team has capacity. */
export type OverflowTeam = string;

/** Position of this page in the list. */
export interface PageInfo {
  /** The limit that was used. */
  readonly limit: number;
  /** The offset that was used; 0 with a cursor. */
  readonly offset: number;
  /** Whether there is another page. */
  readonly has_more: boolean;
  /** cursor for the next page. */
  readonly next_cursor: string | null;
}

/** Whether variables are written as {{1}} or {{order_no}}. Default: positional. */
export type ParameterFormat = 'positional' | 'named';

/** A key on a device or in a password manager of a person, with which they sign in. */
export interface Passkey {
  /** ID of the passkey. */
  readonly id: string;
  /** What the person calls it. */
  readonly name: string;
  /** Whether the authenticator keeps copies of it on other devices. */
  readonly backed_up: boolean;
  readonly created_at: CreatedAt;
  /** When somebody last signed in with it. Null: never. */
  readonly last_used_at: string | null;
}

/** What an authenticator has to sign. */
export interface PasskeyChallenge {
  /** Options of WebAuthn as JSON: what `PublicKeyCredential.parseCreationOptionsFromJSON`, or `parseRequestOptionsFromJSON`, takes. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Until when it can be answered, once. */
  readonly expires_at: string;
}

/** The passkeys of a person. */
export interface PasskeyList {
  /** Oldest first. */
  readonly data: readonly Passkey[];
}

/** Something that agents may be allowed to do. */
export type Permission =
  | 'conversations:read'
  | 'conversations:reply'
  | 'contacts:read'
  | 'contacts:write'
  | 'conversations:assign_others'
  | 'contacts:manage'
  | 'contacts:export'
  | 'replies:manage'
  | 'rules:manage'
  | 'templates:manage'
  | 'campaigns:manage'
  | 'reports:read'
  | 'agents:manage'
  | 'settings:manage'
  | 'owners:manage'
  | 'keys:manage'
  | 'billing:manage';

/** A person who works in the tenant. */
export interface Person {
  /** ID of the agent that the person is in this tenant. */
  readonly agent_id: string;
  /** What the person may do. */
  readonly role: Open<AgentRole>;
  /** Name of the person. */
  readonly name: string;
  /** Email address that the person signs in with. Null: none yet. */
  readonly email: string | null;
  /** Where the person is signed in to this tenant now. */
  readonly open_sessions: number;
  /** When the person last used this tenant, to the minute. Null: not known. */
  readonly last_used_at: string | null;
  /** The link that was handed out and not used yet. Null: there is none. */
  readonly invitation: {
    /** When the link was made. */
    readonly created_at: string;
    /** Until when the link works. */
    readonly expires_at: string;
  } | null;
}

/** A page of people, newest first. */
export interface PersonList {
  readonly data: readonly Person[];
  readonly page: PageInfo;
}

/** A sending number. */
export interface PhoneNumber {
  readonly id: PhoneNumberId;
  /** The number as customers see it, digits only. */
  readonly phone: string;
  /** Display name. */
  readonly name: string | null;
  /** A paused number holds its messages until it is resumed or they expire. */
  readonly status: Open<PhoneNumberStatus>;
  /** Why it is paused. */
  readonly pause_reason: string | null;
  /** Messages per second. Null: the installation's default; 0: no limit. */
  readonly rate_limit: number | null;
  /** Linked account that it belongs to. Null if the operator added it. */
  readonly account_id: string | null;
  /** Business hours. Null: the tenant's default hours. */
  readonly business_hours_id: string | null;
  /** Network account that it belongs to. */
  readonly network_account_id: string | null;
  /** Quality rating by the network: GREEN, YELLOW, RED or UNKNOWN. */
  readonly quality: string | null;
  /** How many customers can be messaged first within 24 hours, such as TIER_2K. */
  readonly messaging_limit: string | null;
  /** Sending speed at the network: STANDARD or HIGH. */
  readonly throughput: string | null;
  /** Status at the network, such as CONNECTED. */
  readonly network_status: string | null;
  /** When the network was last queried. Null: never. */
  readonly network_checked_at: string | null;
  readonly reopen_policy: Open<ReopenPolicy>;
  /** Hours during which new_after reopens a resolved conversation. Default: 24. */
  readonly reopen_hours: number;
  /** Hours without messages or changes after which an open or pending conversation is resolved. Null: never. */
  readonly auto_resolve_hours: number | null;
  /** Whether conversations are resolved even if the customer is waiting for a reply. Default: false. */
  readonly auto_resolve_waiting: boolean;
  /** Whether an unassigned conversation is assigned to the agent who replies in it. Default: false. */
  readonly assign_on_reply: boolean;
  readonly waiting?: NumberWaiting | null;
  readonly version: ResourceVersion;
  /** When it was first added. */
  readonly created_at: string;
}

/** The network's ID of the sending number. */
export type PhoneNumberId = string;

/** A page of numbers, newest first. */
export interface PhoneNumberList {
  readonly data: readonly PhoneNumber[];
  readonly page: PageInfo;
}

/** Only numbers with this status. */
export type PhoneNumberStatus = 'active' | 'paused';

/** The tenant's plan. */
export interface Plan {
  /** ID of the plan. */
  readonly id: string;
  /** Name of the plan. */
  readonly name: string;
  /** Price per interval, in minor units of the currency. */
  readonly price: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Billing interval. */
  readonly interval: Open<'month' | 'year'>;
  /** Limits of the plan. */
  readonly limits: {
    /** Outbound messages per calendar month within fair use. Null: no limit. */
    readonly messages_per_month: number | null;
    /** soft: messages beyond the limit are accepted and reported. hard: they are rejected. */
    readonly enforcement: Open<'soft' | 'hard'>;
    /** Maximum bytes of stored media. Null: no limit. */
    readonly media_bytes: number | null;
  };
}

/** Whether it was sent again because the outcome of a send was unknown: it may arrive twice. */
export type PossibleDuplicate = boolean;

/** A finding. */
export interface PreflightRemark {
  /** Stable code. */
  readonly code: string;
  /** One sentence for people. */
  readonly message: string;
}

/** Conversations to count. */
export interface PreviewBulkChangeRequest {
  readonly when: ConversationCondition;
}

/** Values for the preview. */
export interface PreviewTemplateRequest {
  /** Values by name or number. Missing values are replaced by samples. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
}

/** The template as a customer would see it. */
export interface PreviewTemplateResponse {
  /** Format of the header, and its text if any. */
  readonly header: {
    readonly format: string;
    readonly text: string | null;
  } | null;
  /** The text with its values. */
  readonly body: string;
  /** The footer. */
  readonly footer: string | null;
  /** The buttons, in order. */
  readonly buttons: readonly ({
    /** Kind of button, in lower case. */
    readonly type: string;
    /** Label. */
    readonly text: string;
    /** URL, number or code. */
    readonly target: string | null;
  })[];
  /** Variables without a value or sample, such as body.order_no. */
  readonly missing: readonly string[];
}

/** The price of a message. */
export interface Price {
  /** The network's category of a message. */
  readonly category: Open<'marketing' | 'utility' | 'authentication' | 'service'>;
  /** Leading digits of the recipient's number, such as 49. Null: all other numbers. */
  readonly region: string | null;
  /** Price of one message, in millionths of the currency unit. */
  readonly unit_price_micros: number;
}

/** Message prices, when paid from the wallet. */
export interface Pricing {
  /** ISO 4217 code. */
  readonly currency: string;
  /** When the newest of these prices took effect. */
  readonly effective_from: string;
  /** Current prices. */
  readonly categories: readonly Price[];
}

/** The key that signs what is pushed to browsers. */
export interface PushKey {
  /** The `applicationServerKey` of `PushManager.subscribe`: 65 bytes in base64url. It never changes. */
  readonly public_key: string;
}

/** A browser in which a person is notified while no page is open. */
export interface PushSubscription {
  /** ID of the subscription. */
  readonly id: string;
  /** Whether it belongs to the session of the request. */
  readonly current: boolean;
  /** Host of the push service of the browser. */
  readonly service: string;
  /** What the browser calls itself. */
  readonly user_agent: string | null;
  readonly created_at: CreatedAt;
  /** When the push service last took a notification. Null: never. */
  readonly last_pushed_at: string | null;
}

/** The browsers in which a person is notified. */
export interface PushSubscriptionList {
  /** Oldest first. */
  readonly data: readonly PushSubscription[];
}

/** The subscription of the browser: endpoint and keys of the PushSubscription as its method `toJSON` returns them. */
export interface PutPushSubscriptionRequest {
  /** Address at the push service, over https. Only public hosts are contacted. */
  readonly endpoint: string;
  /** What pushes are encrypted with. */
  readonly keys: {
    /** Public key of the browser: an uncompressed point of P-256, in base64url. */
    readonly p256dh: string;
    /** Secret of the browser: 16 bytes in base64url. */
    readonly auth: string;
  };
}

/** A link, and a QR code of it, that opens a chat with a number and puts a text into it. */
export interface QrCode {
  /** The network's ID of the code. */
  readonly id: string;
  /** Text that the code puts into the chat, for the customer to send. */
  readonly message: string;
  /** Link that opens the chat. It stays the same when the message is changed. */
  readonly link: string;
  /** Picture of the QR code, drawn by the network. Null if none was asked for. */
  readonly image_url: string | null;
}

/** A queued outbound message. */
export interface QueuedMessageData {
  readonly id: MessageId;
  /** queued, sent or failed. Delivered and read messages are sent. */
  readonly status: string;
  /** Type of content, such as text or template. */
  readonly type: string;
  /** Recipient, digits only. */
  readonly to: string;
  readonly phone_number_id: PhoneNumberId;
  /** Campaign that it belongs to. */
  readonly campaign_name: string | null;
  /** Your own reference. */
  readonly client_ref: string | null;
  readonly author: MessageAuthor | null;
  /** Name of the template. */
  readonly template: string | null;
  /** Conversation that it belongs to. Null if unknown. */
  readonly conversation_id: string | null;
  /** Contact that it is sent to. Null if unknown. */
  readonly contact_id: string | null;
}

/** The message that this one replies or reacts to. Null if it refers to none. */
export interface QuotedMessage {
  /** ID of the message, as in reply_to. Null if it is not stored here. */
  readonly message_id: string | null;
  /** The network's ID of the message. */
  readonly network_message_id: string;
  /** Who wrote it, as reported by the network: digits of a number, or a user ID. */
  readonly from: string | null;
}

/** The reaction. */
export interface Reaction {
  /** The message to react to: its ID here or on the network. */
  readonly message_id: string;
  /** One emoji; empty to remove the reaction. */
  readonly emoji: string;
}

/** Which notifications were read: either ids or before. */
export interface ReadNotificationsRequest {
  /** These. */
  readonly ids?: readonly string[] | undefined;
  /** All that were created until this time: created_at of the newest one that was seen. */
  readonly before?: string | undefined;
}

/** Whether a reopened conversation loses its agent: if the agent is offline or at capacity, always, or never. */
export type ReassignOnReopen = 'offline' | 'always' | 'never';

/** Recipient in international form, 7 to 15 digits. A leading + or 00, spaces, dashes and brackets are accepted. Or the network's ID of a user, such as US.13491208655302741918, for a customer who shows no number. */
export type Recipient = string;

/** Only recipients with this status. */
export type RecipientStatus = 'waiting' | 'taken' | 'accepted' | 'sent' | 'failed' | 'skipped';

/** Events to deliver again. */
export interface RecoverWebhookEndpointRequest {
  /** Events from this time on. */
  readonly since: string;
  /** Events before this time. Default: now. */
  readonly until?: string | undefined;
  /** failed: events that were given up (the default). missing: events that were never tried, from while the endpoint was disabled; with the format network, there are none. all: both, and delivered events. */
  readonly only?: 'failed' | 'missing' | 'all' | undefined;
  /** If true, events are only counted. Default: false. */
  readonly dry_run?: boolean | undefined;
}

/** Events that are delivered again. */
export interface RecoveredWebhooks {
  /** Events that are delivered again or, in a dry run, would be. */
  readonly matched: number;
  /** Whether events were only counted. */
  readonly dry_run: boolean;
  /** Whether the limit of 10,000 per request was reached. If so, repeat the request later. */
  readonly has_more: boolean;
}

/** A request to recover an account. It does not say whether there is such an account. */
export interface Recovery {
  /** The same for every address. */
  readonly status: 'accepted';
}

/** Codes that stand in for the app, once each. */
export interface RecoveryCodes {
  /** Ten codes. They are shown only this once. */
  readonly codes: readonly string[];
}

/** The advertisement or post that the customer came from. Null if the network reported none. */
export interface Referral {
  /** ad or post. */
  readonly source_type: string | null;
  /** The network's ID of the advertisement or post. */
  readonly source_id: string | null;
  /** Its address. */
  readonly source_url: string | null;
  /** Its headline. */
  readonly headline: string | null;
  /** Its text. */
  readonly body: string | null;
  /** image or video. */
  readonly media_type: string | null;
  /** Address of its image. */
  readonly image_url: string | null;
  /** Address of its video. */
  readonly video_url: string | null;
  /** Address of the preview of its video. */
  readonly thumbnail_url: string | null;
  /** ID of the click, by which conversions are reported. Absent for advertisements in the status. */
  readonly ctwa_clid: string | null;
  /** The greeting that the customer was shown. */
  readonly welcome_text: string | null;
}

/** The product that the customer asks about. Null if there is none. */
export interface ReferredProduct {
  /** The network's ID of the catalog. */
  readonly catalog_id: string | null;
  /** Your own ID of the product. */
  readonly product_retailer_id: string;
}

/** What happens when the customer of a resolved conversation writes: it is reopened, a new one is opened, or a new one is opened after reopen_hours. */
export type ReopenPolicy = 'reopen_last' | 'new_after' | 'always_new';

/** An audio recording to send. */
export interface ReplyAudio {
  /** Kind of message. */
  readonly type: 'audio';
  readonly media: AudioContent;
  readonly reply_to?: ReplyTo | undefined;
  readonly client_ref?: ClientReference | undefined;
  readonly priority?: MessagePriority | undefined;
  readonly send_at?: SendAt | undefined;
  readonly expires_at?: ExpiresAt | undefined;
  readonly ttl_s?: TimeToLive | undefined;
  readonly force?: ReplyForce | undefined;
  readonly if_last_message_id?: ExpectedLastMessage | undefined;
  readonly canned_reply_id?: UsedCannedReply | undefined;
}

/** A button. */
export interface ReplyButton {
  /** Always reply. */
  readonly type: 'reply';
  readonly reply: ButtonContent;
}

/** Up to three buttons. */
export interface ReplyButtonsAction {
  /** The buttons. */
  readonly buttons: readonly ReplyButton[];
}

/** Contact cards to send. */
export interface ReplyContacts {
  /** Kind of message. */
  readonly type: 'contacts';
  /** Contact cards. */
  readonly contacts: readonly ContactCard[];
  readonly reply_to?: ReplyTo | undefined;
  readonly client_ref?: ClientReference | undefined;
  readonly priority?: MessagePriority | undefined;
  readonly send_at?: SendAt | undefined;
  readonly expires_at?: ExpiresAt | undefined;
  readonly ttl_s?: TimeToLive | undefined;
  readonly force?: ReplyForce | undefined;
  readonly if_last_message_id?: ExpectedLastMessage | undefined;
  readonly canned_reply_id?: UsedCannedReply | undefined;
}

/** A document to send. */
export interface ReplyDocument {
  /** Kind of message. */
  readonly type: 'document';
  readonly media: DocumentContent;
  readonly reply_to?: ReplyTo | undefined;
  readonly client_ref?: ClientReference | undefined;
  readonly priority?: MessagePriority | undefined;
  readonly send_at?: SendAt | undefined;
  readonly expires_at?: ExpiresAt | undefined;
  readonly ttl_s?: TimeToLive | undefined;
  readonly force?: ReplyForce | undefined;
  readonly if_last_message_id?: ExpectedLastMessage | undefined;
  readonly canned_reply_id?: UsedCannedReply | undefined;
}

/** Sends even if another agent is writing in the conversation. Default: false. */
export type ReplyForce = boolean;

/** An image to send. */
export interface ReplyImage {
  /** Kind of message. */
  readonly type: 'image';
  readonly media: ImageContent;
  readonly reply_to?: ReplyTo | undefined;
  readonly client_ref?: ClientReference | undefined;
  readonly priority?: MessagePriority | undefined;
  readonly send_at?: SendAt | undefined;
  readonly expires_at?: ExpiresAt | undefined;
  readonly ttl_s?: TimeToLive | undefined;
  readonly force?: ReplyForce | undefined;
  readonly if_last_message_id?: ExpectedLastMessage | undefined;
  readonly canned_reply_id?: UsedCannedReply | undefined;
}

/** A message to the customer, or a note; type determines which. Default: text. */
export type ReplyInConversationRequest =
  | ReplyText
  | ReplyTemplate
  | ReplyImage
  | ReplyVideo
  | ReplyAudio
  | ReplyDocument
  | ReplySticker
  | ReplyLocation
  | ReplyContacts
  | ReplyReaction
  | ReplyInteractive
  | WriteNote;

/** An interactive message to send. */
export interface ReplyInteractive {
  /** Kind of message. */
  readonly type: 'interactive';
  readonly interactive: Interactive;
  readonly reply_to?: ReplyTo | undefined;
  readonly client_ref?: ClientReference | undefined;
  readonly priority?: MessagePriority | undefined;
  readonly send_at?: SendAt | undefined;
  readonly expires_at?: ExpiresAt | undefined;
  readonly ttl_s?: TimeToLive | undefined;
  readonly force?: ReplyForce | undefined;
  readonly if_last_message_id?: ExpectedLastMessage | undefined;
  readonly canned_reply_id?: UsedCannedReply | undefined;
}

/** A location to send. */
export interface ReplyLocation {
  /** Kind of message. */
  readonly type: 'location';
  readonly location: Location;
  readonly reply_to?: ReplyTo | undefined;
  readonly client_ref?: ClientReference | undefined;
  readonly priority?: MessagePriority | undefined;
  readonly send_at?: SendAt | undefined;
  readonly expires_at?: ExpiresAt | undefined;
  readonly ttl_s?: TimeToLive | undefined;
  readonly force?: ReplyForce | undefined;
  readonly if_last_message_id?: ExpectedLastMessage | undefined;
  readonly canned_reply_id?: UsedCannedReply | undefined;
}

/** A reaction to a message to send. */
export interface ReplyReaction {
  /** Kind of message. */
  readonly type: 'reaction';
  readonly reaction: Reaction;
  readonly client_ref?: ClientReference | undefined;
  readonly priority?: MessagePriority | undefined;
  readonly send_at?: SendAt | undefined;
  readonly expires_at?: ExpiresAt | undefined;
  readonly ttl_s?: TimeToLive | undefined;
  readonly force?: ReplyForce | undefined;
  readonly if_last_message_id?: ExpectedLastMessage | undefined;
  readonly canned_reply_id?: UsedCannedReply | undefined;
}

/** A sticker to send. */
export interface ReplySticker {
  /** Kind of message. */
  readonly type: 'sticker';
  readonly media: StickerContent;
  readonly reply_to?: ReplyTo | undefined;
  readonly client_ref?: ClientReference | undefined;
  readonly priority?: MessagePriority | undefined;
  readonly send_at?: SendAt | undefined;
  readonly expires_at?: ExpiresAt | undefined;
  readonly ttl_s?: TimeToLive | undefined;
  readonly force?: ReplyForce | undefined;
  readonly if_last_message_id?: ExpectedLastMessage | undefined;
  readonly canned_reply_id?: UsedCannedReply | undefined;
}

/** A template to send. */
export interface ReplyTemplate {
  /** Kind of message. */
  readonly type: 'template';
  readonly template: TemplateContent;
  readonly reply_to?: ReplyTo | undefined;
  readonly client_ref?: ClientReference | undefined;
  readonly priority?: MessagePriority | undefined;
  readonly send_at?: SendAt | undefined;
  readonly expires_at?: ExpiresAt | undefined;
  readonly ttl_s?: TimeToLive | undefined;
  readonly force?: ReplyForce | undefined;
  readonly if_last_message_id?: ExpectedLastMessage | undefined;
  readonly canned_reply_id?: UsedCannedReply | undefined;
}

/** A text to send. */
export interface ReplyText {
  /** Text of the message. */
  readonly body: string;
  /** Kind of message. Default: "text". */
  readonly type?: 'text' | undefined;
  /** Whether the network shows a preview of the first URL in the text. Default: false. */
  readonly preview_url?: boolean | undefined;
  readonly reply_to?: ReplyTo | undefined;
  readonly client_ref?: ClientReference | undefined;
  readonly priority?: MessagePriority | undefined;
  readonly send_at?: SendAt | undefined;
  readonly expires_at?: ExpiresAt | undefined;
  readonly ttl_s?: TimeToLive | undefined;
  readonly force?: ReplyForce | undefined;
  readonly if_last_message_id?: ExpectedLastMessage | undefined;
  readonly canned_reply_id?: UsedCannedReply | undefined;
}

/** Message that this one replies to, shown as a quote: its ID here or on the network. */
export type ReplyTo = string;

/** A video to send. */
export interface ReplyVideo {
  /** Kind of message. */
  readonly type: 'video';
  readonly media: VideoContent;
  readonly reply_to?: ReplyTo | undefined;
  readonly client_ref?: ClientReference | undefined;
  readonly priority?: MessagePriority | undefined;
  readonly send_at?: SendAt | undefined;
  readonly expires_at?: ExpiresAt | undefined;
  readonly ttl_s?: TimeToLive | undefined;
  readonly force?: ReplyForce | undefined;
  readonly if_last_message_id?: ExpectedLastMessage | undefined;
  readonly canned_reply_id?: UsedCannedReply | undefined;
}

/** End of the report, exclusive. */
export type ReportEnd = string;

/** Whether all events until now are counted; usually within a second. */
export type ReportIsComplete = boolean;

/** What was shown. */
export interface ReportShownNotificationsRequest {
  /** All that were created until this time: created_at of the newest one. */
  readonly before: string;
}

/** Start of the report, extended to a full quarter-hour. */
export type ReportStart = string;

/** Time zone of the report. */
export type ReportTimezone = string;

/** A sending number, and what changed. */
export interface ReportedPhoneNumber {
  readonly id: PhoneNumberId;
  /** The number as customers see it, digits only. */
  readonly phone: string;
  /** Linked account that it belongs to. Null if the operator added it. */
  readonly account_id: string | null;
  /** A paused number holds its messages until it is resumed or they expire. */
  readonly status: Open<PhoneNumberStatus>;
  /** Why it is paused. */
  readonly pause_reason: string | null;
  /** Quality rating by the network: GREEN, YELLOW, RED or UNKNOWN. */
  readonly quality: string | null;
  /** How many customers can be messaged first within 24 hours, such as TIER_2K. */
  readonly messaging_limit: string | null;
  /** Sending speed at the network: STANDARD or HIGH. */
  readonly throughput: string | null;
  /** Status at the network, such as CONNECTED. */
  readonly network_status: string | null;
  readonly changes: FieldChanges;
}

/** The name. */
export interface RequestNumberDisplayNameRequest {
  /** Name that customers shall see. The network compares it with its guidelines. */
  readonly name: string;
}

/** Skills that an agent needs to be assigned the team's conversations. */
export type RequiredSkills = readonly string[];

/** Increases with each change. Used as the ETag. */
export type ResourceVersion = number;

/** Response times of one key. */
export interface ResponseTimesRow {
  /** The number, agent, team, tag or handler; empty in an ungrouped report. */
  readonly key: string;
  /** Name of the agent or team. Null for other keys, or if it was deleted. */
  readonly name: string | null;
  /** Conversations opened. */
  readonly opened: number;
  /** Times that resolved conversations were reopened. */
  readonly reopened: number;
  /** Times that conversations were resolved. */
  readonly resolved: number;
  /** Times that conversations were assigned to agents. */
  readonly assigned: number;
  /** Replies by people in conversations. */
  readonly replies: number;
  readonly first_response: DurationSummary;
  /** Time from the start of the customer's wait to each reply by a person. */
  readonly reply: DurationSummary;
  /** Time from when a conversation was opened or reopened to its resolution. */
  readonly resolution: DurationSummary;
}

/** How long data of the tenant is kept. */
export interface Retention {
  /** Days that you keep messages of both directions, with what they say and what became of them. Null: as long as the installation. */
  readonly messages_days: number | null;
  /** Days that you keep files of customers; counts for files that arrive from now on. Null: as long as the installation. */
  readonly received_media_days: number | null;
  /** Days that you keep files that you upload; counts for files that you upload from now on. Null: as long as the installation. */
  readonly uploads_days: number | null;
  /** Days that you keep events, for the feed, the stream and redelivery. Null: as long as the installation. */
  readonly events_days: number | null;
  /** Days that you keep webhook deliveries with what your endpoints answered. Null: as long as the installation. */
  readonly webhook_deliveries_days: number | null;
  /** Days that you keep what chatbot rules saw and decided. Null: as long as the installation. */
  readonly rule_decisions_days: number | null;
  readonly effective: RetentionDays;
  readonly shortest: ShortestRetention;
  readonly longest: LongestRetention;
}

/** What holds now. */
export interface RetentionDays {
  /** Days: messages of both directions, with what they say and what became of them. Null: without end. */
  readonly messages_days: number | null;
  /** Days: files of customers; counts for files that arrive from now on. Null: without end. */
  readonly received_media_days: number | null;
  /** Days: files that you upload; counts for files that you upload from now on. Null: without end. */
  readonly uploads_days: number | null;
  /** Days: events, for the feed, the stream and redelivery. Null: without end. */
  readonly events_days: number | null;
  /** Days: webhook deliveries with what your endpoints answered. Null: without end. */
  readonly webhook_deliveries_days: number | null;
  /** Days: what chatbot rules saw and decided. Null: without end. */
  readonly rule_decisions_days: number | null;
}

/** Recipients to retry. */
export interface RetryCampaignRequest {
  /** failed: their message failed. skipped: they were skipped. */
  readonly scope: 'failed' | 'skipped' | 'failed_and_skipped';
  /** Only recipients with one of these reasons. By default, all in the scope except those who opted out, are blocked, or whose delivery is unknown. */
  readonly codes?: readonly string[] | undefined;
}

/** Recipients that are retried. */
export interface RetryCampaignResponse {
  /** Number of recipients that are waiting again. */
  readonly retried: number;
  readonly campaign: Campaign;
}

/** How long the old key remains valid. */
export interface RotateApiKeyRequest {
  /** Seconds during which the old key remains valid; 0 ends it immediately. Default: 3600. */
  readonly overlap_s?: number | undefined;
}

/** How long both secrets sign. */
export interface RotateWebhookSecretRequest {
  /** Seconds during which the previous secret also signs; 0 ends it immediately. With the format network, the new secret alone signs immediately. Default: 86400. */
  readonly overlap_s?: number | undefined;
}

/** reply: a message as in POST /v1/messages, without to, phone_number_id and sending options (type, body, media, template, interactive, …). tag: add, remove. assign: agent_id, team_id. state: status (open, pending, resolved), priority. note: body. snooze: for_s, or until the customer writes. set_attribute: key, value of a contact attribute. opt_out: denies marketing consent. webhook: endpoint_id, data; the endpoint gets the event rule.fired. handoff: hands over to people; rules stop replying. stop: no further rules are evaluated. */
export interface RuleAction {
  /** Kind of action. */
  readonly action: 'reply' | 'tag' | 'assign' | 'state' | 'note' | 'suggest' | 'snooze' | 'set_attribute' | 'opt_out' | 'webhook' | 'handoff' | 'stop';
  readonly [further: string]: unknown;
}

/** A condition: {all: […]}, {any: […]}, {not: …} or {field, match, value}. Null: always. Fields: text, type, button_payload, first_message, hours, phone_number_id, referral.source_type, referral.source_id, referral.source_url, referral.headline, referral.ctwa_clid, conversation.status, conversation.tags, conversation.priority, conversation.team_id, conversation.assignee_id, conversation.handled_by, contact.name, contact.phone, contact.external_id, contact.country, contact.language, contact.status, contact.consent.marketing, contact.tags, contact.created_at, contact.last_inbound_at, contact.attributes.<key>. Strings are compared by is, word, contains, starts or regex (RE2), ignoring case and accents. */
export type RuleCondition = Condition<RuleComparison>;

/** A comparison of a `RuleCondition`. Without `match`, the first one is meant. */
export type RuleComparison =
  | { readonly field: 'text' | 'button_payload' | 'referral.source_url' | 'referral.headline' | 'contact.name' | 'contact.phone' | 'contact.external_id' | `contact.attributes.${string}`; readonly match?: 'is' | 'word' | 'contains' | 'starts' | 'regex' | undefined; readonly value: string }
  | { readonly field: 'type'; readonly match?: 'is' | 'is_not' | undefined; readonly value: 'text' | 'template' | 'image' | 'video' | 'audio' | 'document' | 'sticker' | 'location' | 'contacts' | 'reaction' | 'interactive' | 'button' | 'order' }
  | { readonly field: 'type'; readonly match: 'in' | 'not_in'; readonly value: readonly ('text' | 'template' | 'image' | 'video' | 'audio' | 'document' | 'sticker' | 'location' | 'contacts' | 'reaction' | 'interactive' | 'button' | 'order')[] }
  | { readonly field: 'first_message' | `contact.attributes.${string}`; readonly match?: 'is' | 'is_not' | undefined; readonly value: boolean }
  | { readonly field: 'hours'; readonly match?: 'is' | 'is_not' | undefined; readonly value: 'open' | 'closed' }
  | { readonly field: 'hours'; readonly match: 'in' | 'not_in'; readonly value: readonly ('open' | 'closed')[] }
  | { readonly field: 'phone_number_id' | 'referral.source_id' | 'conversation.team_id' | 'conversation.assignee_id'; readonly match?: 'is' | 'is_not' | undefined; readonly value: string }
  | { readonly field: 'phone_number_id' | 'referral.source_id' | 'conversation.team_id' | 'conversation.assignee_id'; readonly match: 'in' | 'not_in'; readonly value: readonly string[] }
  | { readonly field: 'referral.source_type'; readonly match?: 'is' | 'is_not' | undefined; readonly value: 'ad' | 'post' }
  | { readonly field: 'referral.source_type'; readonly match: 'in' | 'not_in'; readonly value: readonly ('ad' | 'post')[] }
  | { readonly field: 'referral.ctwa_clid' | 'contact.country' | 'contact.language'; readonly match?: 'is' | 'is_not' | undefined; readonly value: string }
  | { readonly field: 'referral.ctwa_clid' | 'contact.country' | 'contact.language'; readonly match: 'in' | 'not_in'; readonly value: readonly string[] }
  | { readonly field: 'conversation.status'; readonly match?: 'is' | 'is_not' | undefined; readonly value: 'open' | 'pending' | 'snoozed' | 'resolved' }
  | { readonly field: 'conversation.status'; readonly match: 'in' | 'not_in'; readonly value: readonly ('open' | 'pending' | 'snoozed' | 'resolved')[] }
  | { readonly field: 'conversation.tags' | 'contact.tags' | `contact.attributes.${string}`; readonly match?: 'has' | 'has_not' | undefined; readonly value: string }
  | { readonly field: 'conversation.priority'; readonly match?: 'is' | 'is_not' | undefined; readonly value: 'low' | 'normal' | 'high' | 'urgent' }
  | { readonly field: 'conversation.priority'; readonly match: 'in' | 'not_in'; readonly value: readonly ('low' | 'normal' | 'high' | 'urgent')[] }
  | { readonly field: 'conversation.handled_by'; readonly match?: 'is' | 'is_not' | undefined; readonly value: 'bot' | 'agent' | 'none' }
  | { readonly field: 'conversation.handled_by'; readonly match: 'in' | 'not_in'; readonly value: readonly ('bot' | 'agent' | 'none')[] }
  | { readonly field: 'contact.status'; readonly match?: 'is' | 'is_not' | undefined; readonly value: 'active' | 'blocked' }
  | { readonly field: 'contact.status'; readonly match: 'in' | 'not_in'; readonly value: readonly ('active' | 'blocked')[] }
  | { readonly field: 'contact.consent.marketing'; readonly match?: 'is' | 'is_not' | undefined; readonly value: 'granted' | 'denied' | 'unknown' }
  | { readonly field: 'contact.consent.marketing'; readonly match: 'in' | 'not_in'; readonly value: readonly ('granted' | 'denied' | 'unknown')[] }
  | { readonly field: 'contact.created_at' | 'contact.last_inbound_at' | `contact.attributes.${string}`; readonly match?: 'gt' | 'gte' | 'lt' | 'lte' | undefined; readonly value: string }
  | { readonly field: 'contact.created_at' | 'contact.last_inbound_at' | `contact.attributes.${string}`; readonly match: 'between'; readonly value: readonly [string, string] }
  | { readonly field: `contact.attributes.${string}`; readonly match?: 'is' | 'gt' | 'gte' | 'lt' | 'lte' | undefined; readonly value: number }
  | { readonly field: `contact.attributes.${string}`; readonly match: 'between'; readonly value: readonly [number, number] }
  | { readonly field: 'text' | 'button_payload' | 'referral.source_url' | 'referral.headline' | 'contact.name' | 'contact.phone' | 'contact.external_id' | `contact.attributes.${string}` | 'type' | 'first_message' | 'hours' | 'phone_number_id' | 'referral.source_id' | 'conversation.team_id' | 'conversation.assignee_id' | 'referral.source_type' | 'referral.ctwa_clid' | 'contact.country' | 'contact.language' | 'conversation.status' | 'conversation.tags' | 'contact.tags' | 'conversation.priority' | 'conversation.handled_by' | 'contact.status' | 'contact.consent.marketing' | 'contact.created_at' | 'contact.last_inbound_at'; readonly match: 'exists' | 'missing'; readonly value?: undefined };

/** A chatbot rule was created. */
export interface RuleCreatedEvent extends EventEnvelope {
  readonly type: 'rule.created';
  readonly data: ChatbotRule;
}

/** What rules decided about a message, and why. */
export interface RuleDecision {
  /** ID of the decision: the message's ID, unless a silence was evaluated. */
  readonly id: string;
  /** Message that was evaluated, or that started the silence. */
  readonly message_id: string;
  /** ID of the contact. */
  readonly contact_id: string;
  /** ID of the conversation. */
  readonly conversation_id: string;
  /** Rule whose no_reply trigger fired. Null if a message was evaluated. */
  readonly silence_of: string | null;
  /** Matching rules, in order. */
  readonly matched_rules: readonly string[];
  /** Why no rules were evaluated. Null if they were. */
  readonly ignored: string | null;
  /** Every enabled rule, in evaluation order. */
  readonly verdicts: readonly RuleVerdict[];
  /** Rule that stopped the evaluation. */
  readonly stopped_by: string | null;
  /** Actions, in order. */
  readonly actions: readonly ({
    /** Rule of the action. */
    readonly rule_id: string;
    /** Index in the rule's then, from 0. */
    readonly index: number;
    /** Kind of action. */
    readonly action: string;
    /** queued: the reply is about to be sent. withheld, failed: see why. */
    readonly outcome: Open<'done' | 'queued' | 'withheld' | 'failed'>;
    /** agent_handles, budget or paused; or why it failed. */
    readonly why: string | null;
    /** ID of the reply. */
    readonly message_id: string | null;
  })[];
  /** When it was decided. */
  readonly decided_at: string;
}

/** A page of decisions, newest first. */
export interface RuleDecisionList {
  readonly data: readonly RuleDecision[];
  readonly page: PageInfo;
}

/** A chatbot rule was deleted. */
export interface RuleDeletedEvent extends EventEnvelope {
  readonly type: 'rule.deleted';
  readonly data: ChatbotRule;
}

/** Two rules that affect each other. */
export interface RuleFinding {
  /** The later rule. */
  readonly rule_id: string;
  /** The earlier rule. */
  readonly by_id: string;
  /** Reason, in a sentence. */
  readonly reason: string;
}

/** A chatbot rule called a webhook endpoint. Only that endpoint receives the event. */
export interface RuleFiredEvent extends EventEnvelope {
  readonly type: 'rule.fired';
  /** A call by a rule. */
  readonly data: {
    /** Webhook endpoint of the action. Only this endpoint receives the event, whatever its event types. */
    readonly endpoint_id: string;
    /** The rule that matched. */
    readonly rule_id: string;
    /** Index of the action in the rule's then, from 0. */
    readonly action: number;
    /** ID of the decision; with rule_id and action, it identifies this call. */
    readonly decision_id: string;
    /** Message that was evaluated, or that started the silence. */
    readonly message_id: string;
    /** ID of the conversation. */
    readonly conversation_id: string;
    /** ID of the contact. */
    readonly contact_id: string;
    /** Number that received the message. */
    readonly phone_number_id: string;
    /** Phone number of the customer. Null if hidden. */
    readonly from: string | null;
    /** Type of the message. */
    readonly type: string;
    /** Text of the message. */
    readonly text: string | null;
    /** Data of the rule's action. */
    readonly data: Readonly<Record<string, unknown>>;
  };
}

/** Name. */
export type RuleName = string;

/** A contact reached the limit of automatic replies within ten minutes. No rule replies to it for another ten minutes. */
export interface RulePausedEvent extends EventEnvelope {
  readonly type: 'rule.paused';
  /** A contact that got too many automatic replies. */
  readonly data: {
    /** ID of the contact. */
    readonly contact_id: string;
    /** ID of the conversation. */
    readonly conversation_id: string;
    /** Rules that would have replied. */
    readonly rule_ids: readonly string[];
    /** Automatic replies within the last ten minutes. */
    readonly replies: number;
    /** No rule replies to this contact until then. */
    readonly paused_until: string;
  };
}

/** Position in the evaluation order, from 1 without gaps. Later rules move back. By default, or beyond the end, the rule is last. */
export type RulePosition = number;

/** A message that the rule must match or must not match. */
export interface RuleTestCase {
  /** Name of the test. */
  readonly name: string;
  /** Values by field name: {"text": "hello"}. */
  readonly given: Readonly<Record<string, unknown>>;
  /** Whether the rule must match the message. */
  readonly matches: boolean;
}

/** What triggers the rule. */
export interface RuleTrigger {
  /** message.received: every message. conversation.opened: a message that opens a conversation. button.clicked: a button or row is chosen. outside_hours: a message outside the business hours of its number. no_reply: no reply for for_s seconds. */
  readonly on: 'message.received' | 'conversation.opened' | 'button.clicked' | 'outside_hours' | 'no_reply';
  /** For no_reply: seconds without a reply. */
  readonly for_s?: number | undefined;
  /** For no_reply. agent: the customer is waiting for a person. customer: the business wrote last. */
  readonly who?: 'agent' | 'customer' | undefined;
}

/** A chatbot rule changed: its fields, its position, or whether it is on. */
export interface RuleUpdatedEvent extends EventEnvelope {
  readonly type: 'rule.updated';
  readonly data: ChatbotRule & {
    /** Changes: {field: [old, new]}. */
    readonly changes: Readonly<Record<string, unknown>>;
  };
}

/** Result of one rule. */
export interface RuleVerdict {
  /** The rule. */
  readonly rule_id: string;
  /** Version of the rule that was evaluated. */
  readonly version: number;
  /** matched; not_matched: its condition is not met; not_triggered; not_active: outside its active time; cooling_down; used_up: max_runs reached; not_reached: an earlier rule stopped the evaluation. */
  readonly outcome: Open<'matched' | 'not_matched' | 'not_triggered' | 'not_active' | 'cooling_down' | 'used_up' | 'not_reached'>;
  /** Comparisons of its condition, at most 20, and 200 for all rules. */
  readonly predicates: readonly {
    /** Position of the comparison: when.all[0]. */
    readonly path: string;
    /** Field that was compared. */
    readonly field: string;
    /** Type of comparison. */
    readonly match: string;
    /** Value found; long strings are truncated. */
    readonly seen: unknown;
    /** Whether it matched. */
    readonly matched: boolean;
  }[];
}

/** messages:read: Read messages and their traces. messages:write: Send and cancel messages. conversations:read: Read conversations, their messages and notes. conversations:write: Reply in conversations, and update them. media:read: Read and download media. media:write: Upload and delete media. numbers:read: Read sending numbers and linked accounts. numbers:write: Link accounts; add, update, pause and delete sending numbers. templates:read: Read templates, their history and flows; check and preview templates. templates:write: Create, update, submit, sync and delete templates; create, update, publish, deprecate and delete flows. contacts:read: Read contacts, segments and canned replies. contacts:write: Create, update, block and erase contacts; manage segments and canned replies. rules:read: Read chatbot rules and their decisions, and test rules. rules:write: Create, update, reorder and delete chatbot rules. keys:read: List API keys, but never the keys themselves. keys:write: Create, rotate and revoke API keys. billing:read: Read the subscription, the usage and the wallet. billing:write: Top up the wallet. campaigns:read: Read campaigns and their recipients. campaigns:write: Create, start, pause and cancel campaigns. analytics:read: Read reports. events:read: Read events, as a list or a stream. webhooks:read: Read webhook endpoints and their deliveries, never their secrets. webhooks:write: Create, update and delete webhook endpoints, rotate their secrets, and redeliver events. agents:read: Read agents, teams and business hours. agents:write: Manage agents, teams and business hours. audit:read: Read the audit log. settings:read: Read how long data is kept. settings:write: Change how long data is kept. */
export type Scope =
  | 'messages:read'
  | 'messages:write'
  | 'conversations:read'
  | 'conversations:write'
  | 'media:read'
  | 'media:write'
  | 'numbers:read'
  | 'numbers:write'
  | 'templates:read'
  | 'templates:write'
  | 'contacts:read'
  | 'contacts:write'
  | 'rules:read'
  | 'rules:write'
  | 'keys:read'
  | 'keys:write'
  | 'billing:read'
  | 'billing:write'
  | 'campaigns:read'
  | 'campaigns:write'
  | 'analytics:read'
  | 'events:read'
  | 'webhooks:read'
  | 'webhooks:write'
  | 'agents:read'
  | 'agents:write'
  | 'audit:read'
  | 'settings:read'
  | 'settings:write';

/** The contact of the conversation. Null: unknown. */
export interface SearchContact {
  /** ID of the contact. */
  readonly id: string;
  /** Display name. */
  readonly name: string | null;
  /** Phone number, digits only. */
  readonly phone: string | null;
}

/** Contacts to find. */
export interface SearchContactsRequest {
  readonly when: ContactCondition;
}

/** Conversations to find. */
export interface SearchConversationsRequest {
  readonly when: ConversationCondition;
  /** last_activity (default): newest first. waiting_since: only those with a waiting customer, longest wait first. */
  readonly sort?: 'last_activity' | 'waiting_since' | undefined;
}

/** What of the snippet was searched for. */
export interface SearchMark {
  /** First UTF-16 code unit. */
  readonly start: number;
  /** UTF-16 code unit after the last one. */
  readonly end: number;
}

/** What was found, by kind. */
export interface SearchResults {
  /** false: something that was stored more than ten seconds ago cannot be found yet, because it is still being indexed. */
  readonly complete: boolean;
  readonly messages?: MessageHits;
  readonly notes?: NoteHits;
  readonly contacts?: ContactHits;
  readonly conversations?: ConversationHits;
}

/** The part of the text that matches. */
export interface SearchSnippet {
  /** Plain text, shortened with … where something is left out. */
  readonly text: string;
  /** Matching words, in order and without overlaps. */
  readonly marks: readonly SearchMark[];
}

/** A named condition about contacts. */
export interface Segment {
  /** ID of the segment. */
  readonly id: string;
  /** Name. */
  readonly name: string;
  readonly when: ContactCondition;
  /** Contacts when last counted. Null if not counted yet. Reading the segment counts them. */
  readonly count: number | null;
  /** When it was last counted. */
  readonly evaluated_at: string | null;
  readonly version: ResourceVersion;
  readonly created_at: CreatedAt;
  readonly updated_at: UpdatedAt;
}

/** A page of segments, newest first. */
export interface SegmentList {
  readonly data: readonly Segment[];
  readonly page: PageInfo;
}

/** Earliest time to send, at most 30 days ahead. */
export type SendAt = string;

/** An audio recording to send. */
export interface SendAudio {
  readonly to: Recipient;
  /** Kind of message. */
  readonly type: 'audio';
  readonly media: AudioContent;
  readonly reply_to?: ReplyTo | undefined;
  readonly phone_number_id?: PhoneNumberId | undefined;
  readonly campaign_name?: CampaignName | undefined;
  readonly client_ref?: ClientReference | undefined;
  readonly priority?: MessagePriority | undefined;
  readonly send_at?: SendAt | undefined;
  readonly expires_at?: ExpiresAt | undefined;
  readonly ttl_s?: TimeToLive | undefined;
}

/** Contact cards to send. */
export interface SendContacts {
  readonly to: Recipient;
  /** Kind of message. */
  readonly type: 'contacts';
  /** Contact cards. */
  readonly contacts: readonly ContactCard[];
  readonly reply_to?: ReplyTo | undefined;
  readonly phone_number_id?: PhoneNumberId | undefined;
  readonly campaign_name?: CampaignName | undefined;
  readonly client_ref?: ClientReference | undefined;
  readonly priority?: MessagePriority | undefined;
  readonly send_at?: SendAt | undefined;
  readonly expires_at?: ExpiresAt | undefined;
  readonly ttl_s?: TimeToLive | undefined;
}

/** A document to send. */
export interface SendDocument {
  readonly to: Recipient;
  /** Kind of message. */
  readonly type: 'document';
  readonly media: DocumentContent;
  readonly reply_to?: ReplyTo | undefined;
  readonly phone_number_id?: PhoneNumberId | undefined;
  readonly campaign_name?: CampaignName | undefined;
  readonly client_ref?: ClientReference | undefined;
  readonly priority?: MessagePriority | undefined;
  readonly send_at?: SendAt | undefined;
  readonly expires_at?: ExpiresAt | undefined;
  readonly ttl_s?: TimeToLive | undefined;
}

/** An image to send. */
export interface SendImage {
  readonly to: Recipient;
  /** Kind of message. */
  readonly type: 'image';
  readonly media: ImageContent;
  readonly reply_to?: ReplyTo | undefined;
  readonly phone_number_id?: PhoneNumberId | undefined;
  readonly campaign_name?: CampaignName | undefined;
  readonly client_ref?: ClientReference | undefined;
  readonly priority?: MessagePriority | undefined;
  readonly send_at?: SendAt | undefined;
  readonly expires_at?: ExpiresAt | undefined;
  readonly ttl_s?: TimeToLive | undefined;
}

/** An interactive message to send. */
export interface SendInteractive {
  readonly to: Recipient;
  /** Kind of message. */
  readonly type: 'interactive';
  readonly interactive: Interactive;
  readonly reply_to?: ReplyTo | undefined;
  readonly phone_number_id?: PhoneNumberId | undefined;
  readonly campaign_name?: CampaignName | undefined;
  readonly client_ref?: ClientReference | undefined;
  readonly priority?: MessagePriority | undefined;
  readonly send_at?: SendAt | undefined;
  readonly expires_at?: ExpiresAt | undefined;
  readonly ttl_s?: TimeToLive | undefined;
}

/** A location to send. */
export interface SendLocation {
  readonly to: Recipient;
  /** Kind of message. */
  readonly type: 'location';
  readonly location: Location;
  readonly reply_to?: ReplyTo | undefined;
  readonly phone_number_id?: PhoneNumberId | undefined;
  readonly campaign_name?: CampaignName | undefined;
  readonly client_ref?: ClientReference | undefined;
  readonly priority?: MessagePriority | undefined;
  readonly send_at?: SendAt | undefined;
  readonly expires_at?: ExpiresAt | undefined;
  readonly ttl_s?: TimeToLive | undefined;
}

/** Messages to send together. */
export interface SendMessageBatchRequest {
  /** Messages to send, 1 to 1000. Invalid messages do not stop the others. */
  readonly messages: readonly SendMessageRequest[];
}

/** Outcome of each message. */
export interface SendMessageBatchResponse {
  /** One outcome per message. */
  readonly data: readonly {
    /** Index in the request, from 0. */
    readonly index: number;
    /** Status that the message alone would have returned: 202, 400 or 409. */
    readonly status: number;
    readonly message?: AcceptedMessage;
    readonly error?: ErrorBody;
  }[];
}

/** A message to send; type determines its object. Default: text. */
export type SendMessageRequest =
  | SendText
  | SendTemplate
  | SendImage
  | SendVideo
  | SendAudio
  | SendDocument
  | SendSticker
  | SendLocation
  | SendContacts
  | SendReaction
  | SendInteractive;

/** A reaction to a message to send. */
export interface SendReaction {
  readonly to: Recipient;
  /** Kind of message. */
  readonly type: 'reaction';
  readonly reaction: Reaction;
  readonly phone_number_id?: PhoneNumberId | undefined;
  readonly campaign_name?: CampaignName | undefined;
  readonly client_ref?: ClientReference | undefined;
  readonly priority?: MessagePriority | undefined;
  readonly send_at?: SendAt | undefined;
  readonly expires_at?: ExpiresAt | undefined;
  readonly ttl_s?: TimeToLive | undefined;
}

/** A sticker to send. */
export interface SendSticker {
  readonly to: Recipient;
  /** Kind of message. */
  readonly type: 'sticker';
  readonly media: StickerContent;
  readonly reply_to?: ReplyTo | undefined;
  readonly phone_number_id?: PhoneNumberId | undefined;
  readonly campaign_name?: CampaignName | undefined;
  readonly client_ref?: ClientReference | undefined;
  readonly priority?: MessagePriority | undefined;
  readonly send_at?: SendAt | undefined;
  readonly expires_at?: ExpiresAt | undefined;
  readonly ttl_s?: TimeToLive | undefined;
}

/** A template to send. */
export interface SendTemplate {
  readonly to: Recipient;
  /** Kind of message. */
  readonly type: 'template';
  readonly template: TemplateContent;
  readonly reply_to?: ReplyTo | undefined;
  readonly phone_number_id?: PhoneNumberId | undefined;
  readonly campaign_name?: CampaignName | undefined;
  readonly client_ref?: ClientReference | undefined;
  readonly priority?: MessagePriority | undefined;
  readonly send_at?: SendAt | undefined;
  readonly expires_at?: ExpiresAt | undefined;
  readonly ttl_s?: TimeToLive | undefined;
}

/** A text to send. */
export interface SendText {
  readonly to: Recipient;
  /** Text of the message. */
  readonly body: string;
  /** Kind of message. Default: "text". */
  readonly type?: 'text' | undefined;
  /** Whether the network shows a preview of the first URL in the text. Default: false. */
  readonly preview_url?: boolean | undefined;
  readonly reply_to?: ReplyTo | undefined;
  readonly phone_number_id?: PhoneNumberId | undefined;
  readonly campaign_name?: CampaignName | undefined;
  readonly client_ref?: ClientReference | undefined;
  readonly priority?: MessagePriority | undefined;
  readonly send_at?: SendAt | undefined;
  readonly expires_at?: ExpiresAt | undefined;
  readonly ttl_s?: TimeToLive | undefined;
}

/** A video to send. */
export interface SendVideo {
  readonly to: Recipient;
  /** Kind of message. */
  readonly type: 'video';
  readonly media: VideoContent;
  readonly reply_to?: ReplyTo | undefined;
  readonly phone_number_id?: PhoneNumberId | undefined;
  readonly campaign_name?: CampaignName | undefined;
  readonly client_ref?: ClientReference | undefined;
  readonly priority?: MessagePriority | undefined;
  readonly send_at?: SendAt | undefined;
  readonly expires_at?: ExpiresAt | undefined;
  readonly ttl_s?: TimeToLive | undefined;
}

/** A sign-in that has not ended. */
export interface Session {
  /** ID of the session. */
  readonly id: string;
  /** Whether this request uses it. */
  readonly current: boolean;
  /** ID of the tenant that it is for. */
  readonly tenant_id: string;
  readonly created_at: CreatedAt;
  /** When it was last used, to the minute. */
  readonly last_used_at: string;
  /** When it ends, unless it is used again before. */
  readonly expires_at: string;
  /** What the browser calls itself. */
  readonly user_agent: string | null;
  /** IP address that the person signed in from. */
  readonly address: string | null;
}

/** The open sessions of a person. */
export interface SessionList {
  /** Newest first. */
  readonly data: readonly Session[];
}

/** A heartbeat. */
export interface SetAgentPresenceRequest {
  /** Availability for the next minute. By default, it does not change, except from offline to online. */
  readonly availability?: AgentAvailability | undefined;
}

/** A change of consent, with its proof. */
export interface SetContactConsentRequest {
  /** The contact's decision about marketing. */
  readonly marketing: MarketingConsent;
  /** Where the contact said so, such as "checkout form". */
  readonly source: string;
  /** Wording that the contact agreed to or used. */
  readonly wording?: string | undefined;
  /** Message that proves it. */
  readonly message_id?: string | undefined;
}

/** The draft. It replaces the one before. */
export interface SetConversationDraftRequest {
  /** Text. May be empty if there are media. */
  readonly body: string;
  /** Files to send with it, in order. Default: none. */
  readonly media_ids?: readonly string[] | undefined;
}

/** What the agent does now. It replaces what the agent did before. */
export interface SetConversationSignalRequest {
  /** Whether the agent is looking at the conversation. */
  readonly viewing: boolean;
  /** Whether the agent is writing in it. */
  readonly writing: boolean;
}

/** The JSON of the flow, in the format of the network: version, screens and so on. */
export type SetFlowJsonRequest = Readonly<Record<string, unknown>>;

/** What came of it. */
export interface SetFlowJsonResponse {
  /** The network's ID of the flow. */
  readonly id: string;
  /** false: it cannot be read as a flow, and the JSON from before stays. */
  readonly saved: boolean;
  /** What has to be corrected before the flow can be published. */
  readonly validation_errors: readonly FlowProblem[];
}

/** A stored picture. */
export interface SetNumberPictureRequest {
  /** ID of an uploaded JPEG or PNG file of at most 5 MB; the network wants it square, with sides of at least 192 pixels. */
  readonly media_id: string;
}

/** A two-step PIN. */
export interface SetNumberPinRequest {
  /** Six digits. Keep them safe: they are not stored here and cannot be read back. */
  readonly pin: string;
}

/** The number has this PIN now. */
export interface SetNumberPinResponse {
  /** The network's ID of the sending number. */
  readonly id: string;
  /** Whether the number has a two-step PIN. */
  readonly pin_enabled: boolean;
}

/** A username. */
export interface SetNumberUsernameRequest {
  /** Username without @, with at least one letter. */
  readonly username: string;
  /** Whether to take the username away from another number of the same business. Default: false. */
  readonly transfer?: boolean | undefined;
}

/** The new password. */
export interface SetPasswordRequest {
  /** 12 to 256 characters that are not easy to guess. */
  readonly new_password: string;
  /** The present password. Not needed within 10 minutes after signing in. */
  readonly current_password?: string | undefined;
}

/** The connection. It replaces the one before. */
export interface SetSsoConnectionRequest {
  /** Issuer of the identity provider, an https URL below which its discovery document is. */
  readonly issuer: string;
  /** ID of this service at the provider. */
  readonly client_id: string;
  /** Secret of this service at the provider. May be left out when it stays the same. */
  readonly client_secret?: string | undefined;
  /** What is asked for beside openid. Default: profile and email. */
  readonly scopes?: readonly string[] | undefined;
  /** Claim that lists the groups of a person. Default: groups. */
  readonly groups_claim?: string | undefined;
  /** The first group of a person decides about their role, at each sign-in. Default: none; roles are kept here. */
  readonly roles?: readonly {
    /** Group as the claim names it. */
    readonly group: string;
    /** What the agent may do. */
    readonly role: AgentRole;
  }[] | undefined;
  /** Role of people without such a group. Null: they may not sign in, if there are roles; else new people become agents. Default: null. */
  readonly default_role?: 'owner' | 'admin' | 'agent' | null | undefined;
  /** Whether people whom nobody invited become agents. Default: false. */
  readonly allow_new?: boolean | undefined;
  /** Whether there is no other way to sign in to the tenant. Needs an owner. Default: false. */
  readonly only?: boolean | undefined;
  /** The owner who can sign in another way nevertheless; needed for `only`. */
  readonly break_glass_agent_id?: string | null | undefined;
}

/** The fewest days that you can choose. */
export interface ShortestRetention {
  /** Days: messages of both directions, with what they say and what became of them. */
  readonly messages_days: number;
  /** Days: files of customers; counts for files that arrive from now on. */
  readonly received_media_days: number;
  /** Days: files that you upload; counts for files that you upload from now on. */
  readonly uploads_days: number;
  /** Days: events, for the feed, the stream and redelivery. */
  readonly events_days: number;
  /** Days: webhook deliveries with what your endpoints answered. */
  readonly webhook_deliveries_days: number;
  /** Days: what chatbot rules saw and decided. */
  readonly rule_decisions_days: number;
}

/** Sign in with a one-time link. */
export interface SignInByLink {
  /** With the token of a one-time link. */
  readonly method: 'link';
  /** Token of the link: what follows #token= in it. */
  readonly token: string;
  /** Code of the second factor, if the person has one: six digits of the authenticator app, or a recovery code. */
  readonly code?: string | undefined;
  /** Whether the session stays usable for 30 days without use, instead of 12 hours. Default: false. */
  readonly remember?: boolean | undefined;
}

/** Sign in with an email address and a password. */
export interface SignInByPassword {
  /** With an email address and a password. */
  readonly method: 'password';
  /** Email address of the person. */
  readonly email: string;
  /** Password of the person. */
  readonly password: string;
  /** Code of the second factor, if the person has one: six digits of the authenticator app, or a recovery code. */
  readonly code?: string | undefined;
  /** Whether the session stays usable for 30 days without use, instead of 12 hours. Default: false. */
  readonly remember?: boolean | undefined;
}

/** Agents who were passed over, at most 50. */
export type SkippedAgents = readonly ({
  /** The agent. */
  readonly agent_id: string;
  /** Name of the agent at that time. */
  readonly name: string;
  /** Why the agent was passed over. not_next: another agent came first. */
  readonly reason: Open<'offline' | 'away' | 'at_capacity' | 'lacks_skill' | 'outside_hours' | 'not_next'>;
  /** Workload, such as 5/5, or the missing skill. */
  readonly detail: string | null;
})[];

/** Empty, or when the snooze ends. */
export interface SnoozeConversationRequest {
  readonly until?: SnoozedUntil | null | undefined;
}

/** When the snooze ends. Null or omitted: when the customer writes. */
export type SnoozedUntil = string;

/** How the people of the tenant sign in at its identity provider. The client secret is never shown. */
export interface SsoConnection {
  /** ID of the connection, which is that of the tenant. */
  readonly id: string;
  /** Issuer of the identity provider. */
  readonly issuer: string;
  /** ID of this service at the provider. */
  readonly client_id: string;
  /** What is asked for beside openid. */
  readonly scopes: readonly string[];
  /** Claim that lists the groups of a person. */
  readonly groups_claim: string;
  /** The first group of a person decides. */
  readonly roles: readonly {
    /** Group as the claim names it. */
    readonly group: string;
    /** What the agent may do. */
    readonly role: Open<AgentRole>;
  }[];
  /** Role without such a group. Null: such people may not sign in, if there are roles. */
  readonly default_role: Open<'owner' | 'admin' | 'agent'> | null;
  /** Whether people whom nobody invited become agents. */
  readonly allow_new: boolean;
  /** Whether there is no other way to sign in to the tenant. */
  readonly only: boolean;
  /** The owner who can sign in another way nevertheless. */
  readonly break_glass_agent_id: string | null;
  /** Where people begin to sign in. Hand it to them, or set a bookmark. */
  readonly start_url: string;
  /** Redirect URI to register at the provider. */
  readonly callback_url: string;
  /** Back-channel logout URI to register at the provider. */
  readonly logout_url: string;
  readonly created_at: CreatedAt;
  readonly updated_at: UpdatedAt;
}

/** What stands at an issuer. */
export interface SsoTest {
  /** Whether people could be sent there. */
  readonly ok: boolean;
  /** unreachable: no usable answer within 5 seconds. refused: what came is not what this issuer should say, or the address is not public. Null: there is none. */
  readonly problem: Open<'unreachable' | 'refused'> | null;
  /** Where people sign in. */
  readonly authorization_endpoint: string | null;
  /** Where the service asks who they are. */
  readonly token_endpoint: string | null;
  /** Scopes that the provider knows. Null: it does not say. */
  readonly scopes_supported: readonly string[] | null;
  /** Claims that the provider knows. Null: it does not say. */
  readonly claims_supported: readonly string[] | null;
  /** Whether the provider says that it tells services of sign-outs. */
  readonly back_channel_logout: boolean;
}

/** The sticker. It has no caption. */
export interface StickerContent {
  readonly media_id?: MediaId | undefined;
  readonly link?: MediaLink | undefined;
}

/** Whether a customer gets the agent of the previous conversation, if eligible. */
export type StickyAssignment = boolean;

/** The tenant's plan, and whether messages are accepted. */
export interface Subscription {
  readonly plan: Plan;
  readonly status: Open<SubscriptionStatus>;
  /** When the current period started. */
  readonly current_period_start: string;
  /** When the current period ends. */
  readonly current_period_end: string;
  /** When the trial ends or ended. */
  readonly trial_ends_at: string | null;
  /** When the subscription ends. */
  readonly cancel_at: string | null;
  /** Whether messages are accepted. */
  readonly gate: {
    /** Whether messages are accepted. */
    readonly open: boolean;
    /** Why messages are not accepted. Null if they are. */
    readonly reason: string | null;
  };
}

/** State of the subscription. */
export type SubscriptionStatus = 'trialing' | 'active' | 'past_due' | 'paused' | 'canceled';

/** The plan, the state or the end of the subscription changed. */
export interface SubscriptionUpdatedEvent extends EventEnvelope {
  readonly type: 'subscription.updated';
  /** The tenant's subscription, and what changed. */
  readonly data: {
    /** ID of the plan. */
    readonly plan_id: string;
    readonly status: Open<SubscriptionStatus>;
    /** When the trial ends or ended. */
    readonly trial_ends_at: string | null;
    /** When the subscription ends. */
    readonly cancel_at: string | null;
    readonly changes: FieldChanges;
  };
}

/** An answer that is proposed to the agents of a conversation. */
export interface Suggestion {
  /** ID of the suggestion. */
  readonly id: string;
  /** ID of the conversation. */
  readonly conversation_id: string;
  readonly status: Open<SuggestionStatus>;
  readonly author: Actor;
  /** Agent who took it over or discarded it. */
  readonly decided_by: string | null;
  /** When that was. */
  readonly decided_at: string | null;
  readonly created_at: CreatedAt;
  /** Until when it is open, unless an agent decides before. */
  readonly expires_at: string;
  /** The text. */
  readonly body: string;
}

/** A program or a rule proposed an answer to the agents of a conversation. */
export interface SuggestionCreatedEvent extends EventEnvelope {
  readonly type: 'suggestion.created';
  readonly data: SuggestionEventData;
}

/** An agent discarded a suggestion. */
export interface SuggestionDiscardedEvent extends EventEnvelope {
  readonly type: 'suggestion.discarded';
  readonly data: SuggestionEventData;
}

/** The suggestion without its text, which only those who read it see. */
export interface SuggestionEventData {
  /** ID of the suggestion. */
  readonly id: string;
  /** ID of the conversation. */
  readonly conversation_id: string;
  readonly status: Open<SuggestionStatus>;
  readonly author: Actor;
  /** Agent who took it over or discarded it. */
  readonly decided_by: string | null;
  /** When that was. */
  readonly decided_at: string | null;
  readonly created_at: CreatedAt;
  /** Until when it is open, unless an agent decides before. */
  readonly expires_at: string;
}

/** A page of suggestions, newest first. */
export interface SuggestionList {
  readonly data: readonly Suggestion[];
  readonly page: PageInfo;
}

/** Only an open one can be taken over or discarded. */
export type SuggestionStatus = 'open' | 'taken' | 'discarded' | 'expired';

/** An agent took a suggestion over as a draft. */
export interface SuggestionTakenEvent extends EventEnvelope {
  readonly type: 'suggestion.taken';
  readonly data: SuggestionEventData;
}

/** Go on in another tenant of the person. Needs a session. */
export interface SwitchTenant {
  /** With the session of the request, for another tenant. */
  readonly method: 'switch';
  /** The tenant; `GET /v1/me` lists those that the person works in. */
  readonly tenant_id: string;
}

/** What to ask for. */
export interface SyncPhoneNumberRequest {
  /** contacts: the contacts of the phone. messages: those of the last 180 days. */
  readonly type: 'contacts' | 'messages';
}

/** What the network was asked for. */
export interface SyncPhoneNumberResponse {
  readonly phone_number_id: PhoneNumberId;
  /** contacts: the contacts of the phone. messages: those of the last 180 days. */
  readonly type: Open<'contacts' | 'messages'>;
  /** The network's ID of the request. */
  readonly request_id: string;
}

/** Account to sync. Default: all accounts. */
export interface SyncTemplatesRequest {
  /** The network's ID of the account. Required if the tenant has several accounts. */
  readonly network_account_id?: string | undefined;
}

/** Result of the sync. */
export interface SyncTemplatesResponse {
  /** Templates added. */
  readonly added: number;
  /** Templates updated. */
  readonly updated: number;
  /** Templates that the network no longer has. */
  readonly deleted: number;
  /** Templates that did not change. */
  readonly unchanged: number;
  /** Results by account. */
  readonly accounts: readonly ({
    /** The account. */
    readonly network_account_id: string;
    /** Templates added. */
    readonly added: number;
    /** Templates updated. */
    readonly updated: number;
    /** Templates that the network no longer has. */
    readonly deleted: number;
    /** Templates that did not change. */
    readonly unchanged: number;
    /** Why its templates could not be read completely. Null if they were. */
    readonly error: string | null;
  })[];
}

/** Tags are removed first, then added. */
export interface TagConversationRequest {
  readonly add_tags?: ConversationTags | undefined;
  /** Tags to remove. */
  readonly remove_tags?: ConversationTags | undefined;
}

/** Agents who share a queue. */
export interface Team {
  /** ID of the team. */
  readonly id: string;
  /** Name of the team. */
  readonly name: string;
  readonly members: TeamMembers;
  readonly policy: Open<AssignmentPolicy>;
  readonly sticky: StickyAssignment;
  readonly reassign_on_reopen: Open<ReassignOnReopen>;
  readonly business_hours_id: TeamHours | null;
  readonly overflow_team_id: OverflowTeam | null;
  readonly required_skills: RequiredSkills;
  readonly is_default: IsDefaultTeam;
  readonly version: ResourceVersion;
  readonly created_at: CreatedAt;
  readonly updated_at: UpdatedAt;
}

/** A team was created. */
export interface TeamCreatedEvent extends EventEnvelope {
  readonly type: 'team.created';
  readonly data: Team;
}

/** A team was deleted. */
export interface TeamDeletedEvent extends EventEnvelope {
  readonly type: 'team.deleted';
  readonly data: Team;
}

/** When the team works. Null: the tenant's default hours, otherwise always. */
export type TeamHours = string;

/** A page of teams, newest first. */
export interface TeamList {
  readonly data: readonly Team[];
  readonly page: PageInfo;
}

/** Agents who share the team's queue. */
export type TeamMembers = readonly string[];

/** A team or its members changed. */
export interface TeamUpdatedEvent extends EventEnvelope {
  readonly type: 'team.updated';
  readonly data: ChangedTeam;
}

/** A template. */
export interface Template {
  /** ID of the template. */
  readonly id: string;
  /** The network's ID of its account. */
  readonly network_account_id: string;
  /** The network's ID of the template. Null if never submitted. */
  readonly network_template_id: string | null;
  /** Name. */
  readonly name: string;
  /** Language. */
  readonly language: string;
  /** Billing category. The network may change it. */
  readonly category: Open<TemplateCategory>;
  /** Category before the network changed it. */
  readonly previous_category: string | null;
  /** Category that the network has announced. */
  readonly correct_category: string | null;
  /** Status; see the guide. */
  readonly status: Open<TemplateStatus>;
  /** Why it is rejected, paused or disabled, as reported by the network. */
  readonly reason: string | null;
  readonly quality: Open<TemplateQuality>;
  /** Name of the entry of the network's library that it was created from. Null once its text is changed. */
  readonly library_template: string | null;
  /** Format of its variables. */
  readonly parameter_format: Open<'positional' | 'named'>;
  /** Content of the latest version. */
  readonly components: readonly TemplateDefinitionComponent[];
  /** Values required to send it. */
  readonly variables: readonly TemplateVariable[];
  /** Validity in seconds. */
  readonly message_ttl_s: number | null;
  /** Increases with each change of content. */
  readonly version: number;
  /** Version that the network has. */
  readonly submitted_version: number | null;
  /** Whether it can be sent now. */
  readonly sendable: boolean;
  /** When it was last synced from the network. */
  readonly synced_at: string | null;
  /** Time of the network's latest report about it. */
  readonly last_event_at: string | null;
  /** When it was created or found. */
  readonly created_at: string;
  readonly updated_at: UpdatedAt;
}

/** Kind of the button. */
export type TemplateButtonKind =
  | 'quick_reply'
  | 'url'
  | 'copy_code'
  | 'catalog'
  | 'mpm'
  | 'spm'
  | 'flow'
  | 'voice_call'
  | 'order_details';

/** A card. */
export interface TemplateCard {
  /** Position of the card, from 0. */
  readonly card_index: number;
  /** Parts of the card. */
  readonly components: readonly TemplateCardComponent[];
}

/** A part of a card. */
export interface TemplateCardComponent {
  /** Which part of the card. */
  readonly type: Open<'header' | 'body' | 'button'>;
  readonly sub_type?: Open<TemplateButtonKind> | undefined;
  /** Position of the button, from 0. */
  readonly index?: string | number | undefined;
  /** Its values. */
  readonly parameters?: readonly TemplateValue[] | undefined;
}

/** Only templates in this category. */
export type TemplateCategory = 'authentication' | 'marketing' | 'utility';

/** The network changed the category of a template, or announced a change. */
export interface TemplateCategoryChangedEvent extends EventEnvelope {
  readonly type: 'template.category_changed';
  readonly data: ChangedTemplate;
}

/** A part of the template. */
export interface TemplateComponent {
  /** Which part of the template. */
  readonly type: Open<'header' | 'body' | 'button' | 'carousel' | 'limited_time_offer' | 'order_status'>;
  readonly sub_type?: Open<TemplateButtonKind> | undefined;
  /** Position of the button, from 0. */
  readonly index?: string | number | undefined;
  /** Its values. */
  readonly parameters?: readonly TemplateValue[] | undefined;
  /** Cards of a carousel. */
  readonly cards?: readonly TemplateCard[] | undefined;
}

/** The template and its values. */
export interface TemplateContent {
  /** Name of the template. */
  readonly name: string;
  /** Language of the template, exactly as approved, such as en_US. */
  readonly language: string;
  /** Values of the body: {"order_id": "42"} by name, or ["42"] by position. */
  readonly variables?: Readonly<Record<string, unknown>> | readonly unknown[] | undefined;
  /** Instead of variables: header, body, buttons and cards in the network's format. */
  readonly components?: readonly TemplateComponent[] | undefined;
  readonly marketing_messages?: MarketingMessages | undefined;
}

/** A template was created here, or found on the network. */
export interface TemplateCreatedEvent extends EventEnvelope {
  readonly type: 'template.created';
  readonly data: Template;
}

/** Header, body, footer and buttons. Sample files: example.header_handle or example.media_id. */
export type TemplateDefinition = readonly TemplateDefinitionComponent[];

/** A part of the template, in the network's format. */
export interface TemplateDefinitionComponent {
  /** HEADER, BODY, FOOTER, BUTTONS, CAROUSEL or LIMITED_TIME_OFFER. */
  readonly type: string;
  readonly [further: string]: unknown;
}

/** A template was deleted, here or on the network. */
export interface TemplateDeletedEvent extends EventEnvelope {
  readonly type: 'template.deleted';
  readonly data: ChangedTemplate;
}

/** A reason why the network would reject it. */
export interface TemplateFault {
  /** Where: components[1].text. */
  readonly path: string;
  /** Description of the problem. */
  readonly message: string;
}

/** A change to a template. */
export interface TemplateHistoryEntry {
  /** ID of the entry. */
  readonly id: string;
  /** What happened. */
  readonly kind: Open<'created' | 'text' | 'submitted' | 'refused' | 'status' | 'quality' | 'category' | 'deleted'>;
  /** A request, the network, or a sync. */
  readonly cause: Open<'api' | 'network' | 'sync'>;
  /** {field: [old, new]}, or details of the change. */
  readonly details: Readonly<Record<string, unknown>>;
  /** When it happened. */
  readonly at: string;
}

/** A page of templates, newest first. */
export interface TemplateList {
  readonly data: readonly Template[];
  readonly page: PageInfo;
}

/** Name of the variable, if variables have names. */
export type TemplateParameterName = string;

/** Quality rating by the network. */
export type TemplateQuality = 'green' | 'yellow' | 'red' | 'unknown';

/** The network changed the quality rating of a template. */
export interface TemplateQualityChangedEvent extends EventEnvelope {
  readonly type: 'template.quality_changed';
  readonly data: ChangedTemplate;
}

/** Only templates with this status. Deleted templates are listed only when filtered by status. */
export type TemplateStatus =
  | 'draft'
  | 'submitted'
  | 'approved'
  | 'rejected'
  | 'paused'
  | 'disabled'
  | 'in_appeal'
  | 'archived'
  | 'deleted';

/** The review of a template ended, or the template was submitted, paused, disabled or archived. */
export interface TemplateStatusChangedEvent extends EventEnvelope {
  readonly type: 'template.status_changed';
  readonly data: ChangedTemplate;
}

/** The content of a template changed. */
export interface TemplateUpdatedEvent extends EventEnvelope {
  readonly type: 'template.updated';
  readonly data: ChangedTemplate;
}

/** A value for the template. */
export type TemplateValue =
  | TemplateValueText
  | TemplateValueCurrency
  | TemplateValueDateTime
  | TemplateValueImage
  | TemplateValueVideo
  | TemplateValueDocument
  | TemplateValueLocation
  | TemplateValuePayload
  | TemplateValueCouponCode
  | TemplateValueAction
  | TemplateValueProduct
  | TemplateValueLimitedTimeOffer;

/** What a button does. */
export interface TemplateValueAction {
  /** Always action. */
  readonly type: 'action';
  /** For a catalog or a flow. */
  readonly action: Readonly<Record<string, unknown>>;
}

/** A code to copy. */
export interface TemplateValueCouponCode {
  /** Always coupon_code. */
  readonly type: 'coupon_code';
  /** The code. */
  readonly coupon_code: string;
}

/** An amount. */
export interface TemplateValueCurrency {
  /** Always currency. */
  readonly type: 'currency';
  readonly parameter_name?: TemplateParameterName | undefined;
  /** fallback_value, code, amount_1000. */
  readonly currency: {
    /** Text shown. */
    readonly fallback_value: string;
    readonly [further: string]: unknown;
  };
}

/** A time. */
export interface TemplateValueDateTime {
  /** Always date_time. */
  readonly type: 'date_time';
  readonly parameter_name?: TemplateParameterName | undefined;
  /** fallback_value. */
  readonly date_time: {
    /** Text shown. */
    readonly fallback_value: string;
    readonly [further: string]: unknown;
  };
}

/** A document. */
export interface TemplateValueDocument {
  /** Always document. */
  readonly type: 'document';
  readonly document: NestedDocument;
}

/** An image. */
export interface TemplateValueImage {
  /** Always image. */
  readonly type: 'image';
  readonly image: NestedMedia;
}

/** When the offer ends. */
export interface TemplateValueLimitedTimeOffer {
  /** Always limited_time_offer. */
  readonly type: 'limited_time_offer';
  /** expiration_time_ms. */
  readonly limited_time_offer: Readonly<Record<string, unknown>>;
}

/** A place. */
export interface TemplateValueLocation {
  /** Always location. */
  readonly type: 'location';
  readonly location: Location;
}

/** Payload of a quick reply. */
export interface TemplateValuePayload {
  /** Always payload. */
  readonly type: 'payload';
  /** Returned when the button is pressed. */
  readonly payload: string;
}

/** A product. */
export interface TemplateValueProduct {
  /** Always product. */
  readonly type: 'product';
  /** catalog_id, product_retailer_id. */
  readonly product: Readonly<Record<string, unknown>>;
}

/** A text. */
export interface TemplateValueText {
  /** Always text. */
  readonly type: 'text';
  readonly parameter_name?: TemplateParameterName | undefined;
  /** The value. */
  readonly text: string;
}

/** A video. */
export interface TemplateValueVideo {
  /** Always video. */
  readonly type: 'video';
  readonly video: NestedMedia;
}

/** A value required to send the template. */
export interface TemplateVariable {
  /** Name or number of the variable. */
  readonly key: string;
  /** header, body or buttons[0]. */
  readonly where: string;
  /** Type of value. */
  readonly type: Open<'text' | 'image' | 'video' | 'document' | 'location' | 'code'>;
  /** Its sample. */
  readonly example: string | null;
}

/** Something that the network accepts but that may be a mistake. */
export interface TemplateWarning {
  /** Stable code. */
  readonly code: Open<'category_risk' | 'few_words' | 'no_opt_out'>;
  /** Where: components[1].text. */
  readonly path: string;
  /** One sentence. */
  readonly message: string;
}

/** A message to test the rules with, and optionally an unsaved rule. */
export interface TestChatbotRulesRequest {
  /** Values by field name: text, type, button_payload, hours, contact.name, … */
  readonly given: Readonly<Record<string, unknown>>;
  /** Whether the message opens its conversation. Default: false. */
  readonly opened?: boolean | undefined;
  readonly rule?: CreateChatbotRuleRequest | undefined;
}

/** What the rules would decide. */
export interface TestChatbotRulesResponse {
  /** Why no rules were evaluated. Null if they were. */
  readonly ignored: string | null;
  /** Every enabled rule, in evaluation order. */
  readonly verdicts: readonly RuleVerdict[];
  /** Rule that stopped the evaluation. */
  readonly stopped_by: string | null;
  /** Actions that would be executed, in order. None were. */
  readonly actions: readonly ({
    /** Rule of the action. An unsaved rule has a temporary ID. */
    readonly rule_id: string;
    /** Index in the rule's then, from 0. */
    readonly index: number;
    /** The action. */
    readonly action: Readonly<Record<string, unknown>>;
    /** Why it would be withheld. Null if it would be executed. */
    readonly withheld: string | null;
  })[];
}

/** Where to look. */
export interface TestSsoConnectionRequest {
  /** Issuer of the identity provider, an https URL below which its discovery document is. */
  readonly issuer: string;
}

/** Type of the test event. */
export interface TestWebhookEndpointRequest {
  /** Type of the test event. */
  readonly type: EventType;
}

/** A text header. */
export interface TextHeader {
  /** Always text. */
  readonly type: 'text';
  /** Text of the header. */
  readonly text: string;
}

/** An inbound or outbound message, as direction says, or a note, whose type is note. */
export type ThreadItem = OutboundMessage | InboundMessage | Note;

/** A page of messages and notes, newest first. */
export interface ThreadItemList {
  readonly data: readonly ThreadItem[];
  readonly page: PageInfo;
}

/** Validity in seconds, instead of expires_at. */
export type TimeToLive = number;

/** A campaign that left the contact out. */
export interface TimelineCampaignSkip {
  /** Type of the item. */
  readonly type: 'campaign_skip';
  /** ID of the campaign. */
  readonly campaign_id: string;
  /** Name of the campaign. */
  readonly campaign_name: string;
  /** Why the contact was skipped. */
  readonly reason: {
    /** The code, as in the recipients of the campaign. */
    readonly code: string;
    /** The reason in a sentence. */
    readonly message: string;
  };
  /** When the campaign started. */
  readonly at: string;
}

/** A change of consent. */
export interface TimelineConsent {
  /** Type of the item. */
  readonly type: 'consent';
  readonly consent: ConsentEntry;
}

/** A change to a conversation of the contact. */
export interface TimelineConversationChange {
  /** Type of the item. */
  readonly type: 'conversation_change';
  /** ID of the conversation. */
  readonly conversation_id: string;
  readonly change: ConversationChange;
}

/** Something that happened with a contact. */
export type TimelineItem =
  | TimelineMessage
  | TimelineNote
  | TimelineConversationChange
  | TimelineRuleDecision
  | TimelineCampaignSkip
  | TimelineConsent
  | TimelineMerge;

/** A page of items, newest first. */
export interface TimelineItemList {
  readonly data: readonly TimelineItem[];
  readonly page: PageInfo;
}

/** A merge that the contact was part of, on either side. */
export interface TimelineMerge {
  /** Type of the item. */
  readonly type: 'merge';
  readonly merge: ContactMerge;
}

/** A message of either direction. */
export interface TimelineMessage {
  /** Type of the item. */
  readonly type: 'message';
  readonly message: Message;
}

/** A note between agents. */
export interface TimelineNote {
  /** Type of the item. */
  readonly type: 'note';
  readonly note: Note;
}

/** What rules decided, if at least one matched. */
export interface TimelineRuleDecision {
  /** Type of the item. */
  readonly type: 'rule_decision';
  readonly decision: RuleDecision;
}

/** One step of a series. Message figures are null in reports of one agent, team, tag or handler; conversation figures, in reports of one type, template or campaign. */
export interface TimeseriesPoint {
  /** Start of the step. The first step may start before the report. */
  readonly start: string;
  /** Outbound messages accepted in the period. */
  readonly accepted: number | null;
  /** Accepted messages sent so far. */
  readonly sent: number | null;
  /** Accepted messages delivered so far. */
  readonly delivered: number | null;
  /** Accepted messages read so far. */
  readonly read: number | null;
  /** Accepted messages that failed so far. */
  readonly failed: number | null;
  /** Accepted messages answered so far, by a quoted reply or by the next message within three days. */
  readonly replied: number | null;
  /** Inbound messages received in the period. */
  readonly received: number | null;
  /** Conversations opened. */
  readonly opened: number | null;
  /** Times that resolved conversations were reopened. */
  readonly reopened: number | null;
  /** Times that conversations were resolved. */
  readonly resolved: number | null;
  /** Times that conversations were assigned to agents. */
  readonly assigned: number | null;
  /** Replies by people in conversations. */
  readonly replies: number | null;
}

/** IANA time zone, such as Europe/Berlin. Daylight saving time is applied automatically. */
export type Timezone = string;

/** A payment into the wallet. */
export interface TopUp {
  /** ID of the top-up. */
  readonly id: string;
  /** pending: not paid yet. paid: credited to the wallet. expired: the payment page expired. failed: nothing was paid. */
  readonly status: Open<'pending' | 'paid' | 'expired' | 'failed'>;
  /** Requested amount, in minor units. */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Amount paid, in minor units. Null until it is paid. At most `amount` is credited. */
  readonly paid_amount: number | null;
  /** Amount refunded through the gateway and deducted from the wallet, in minor units. */
  readonly refunded_amount: number;
  /** URL of the payment page. Null unless pending. */
  readonly checkout_url: string | null;
  /** Explanation of the outcome, if needed. */
  readonly note: string | null;
  /** When it was started. */
  readonly created_at: string;
  readonly updated_at: UpdatedAt;
}

/** Amount to pay in. */
export interface TopUpWalletRequest {
  /** Amount in minor units of the currency. */
  readonly amount: number;
  /** ISO 4217 code of the wallet's currency. */
  readonly currency: string;
}

/** Everything that happened, in order. */
export interface Trace {
  readonly data: readonly TraceItem[];
  readonly waiting: MessageWaiting | null;
}

/** One step of a message. */
export interface TraceItem {
  /** When it happened. */
  readonly at: string;
  /** Stable name, such as accepted, attempt or retry_scheduled. */
  readonly event: string;
  /** One sentence: what happened and why. */
  readonly detail: string;
  /** Data of the event. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** The account was unlinked and erased. */
export interface UnlinkAccountResponse {
  /** ID of the linked account. */
  readonly id: string;
  /** The account and its access token were erased. */
  readonly status: 'deleted';
  /** Numbers that used its token and are now paused. */
  readonly paused_numbers: readonly PhoneNumberId[];
}

/** What is still unread. */
export interface UnreadNotifications {
  /** Unread notifications of the agent, counted up to 1000. */
  readonly unread: number;
}

/** Omitted fields stay unchanged. */
export interface UpdateAgentRequest {
  /** Name of the agent. */
  readonly name?: string | undefined;
  /** Email address of the agent. */
  readonly email?: string | null | undefined;
  /** Role of the agent. Default: agent. */
  readonly role?: AgentRole | undefined;
  /** An availability set here holds until it is set again. */
  readonly availability?: AgentAvailability | undefined;
  /** Capacity of the agent. */
  readonly capacity?: {
    readonly max_open: MaxOpenConversations;
  } | undefined;
  readonly skills?: AgentSkills | undefined;
  /** Your own ID for the agent; unique. */
  readonly external_id?: string | null | undefined;
}

/** Omitted fields stay unchanged. */
export interface UpdateBusinessHoursRequest {
  /** Name. */
  readonly name?: string | undefined;
  readonly timezone?: Timezone | undefined;
  readonly weekly?: WeeklyHours | undefined;
  readonly holidays?: Holidays | undefined;
  readonly is_default?: IsDefaultHours | undefined;
}

/** Omitted fields stay unchanged. */
export interface UpdateCampaignRequest {
  readonly name?: CampaignTitle | undefined;
  readonly template?: TemplateContent | undefined;
  readonly phone_number_id?: PhoneNumberId | undefined;
  /** When to send once the campaign is started; at most a year ahead. */
  readonly send_at?: string | undefined;
  readonly audience?: AudienceRequest | null | undefined;
  readonly breaker?: BreakerRequest | null | undefined;
}

/** Omitted fields stay unchanged. */
export interface UpdateCannedReplyRequest {
  /** What agents type to insert the text; unique. */
  readonly shortcut?: string | undefined;
  /** Text to insert. `{{contact.name|there}}` is a field of the contact, and `{{?order number}}` is asked for; what follows a bar stands in for a missing value. */
  readonly text?: string | undefined;
  /** Files to send after the text, in order. They do not expire while a canned reply has them. */
  readonly media_ids?: readonly string[] | undefined;
  /** Teams whose members see it, besides those who manage canned replies. Empty: all agents see it. */
  readonly team_ids?: readonly string[] | undefined;
}

/** What is left out stays as it is. */
export interface UpdateChatbotRuleRequest {
  readonly name?: RuleName | undefined;
  /** Whether the rule is enabled (default). It can be enabled only if its tests pass. */
  readonly enabled?: boolean | undefined;
  readonly position?: RulePosition | undefined;
  readonly trigger?: RuleTrigger | undefined;
  readonly when?: RuleCondition | null | undefined;
  /** Actions to execute, in order. */
  readonly then?: readonly RuleAction[] | undefined;
  /** If true, no further rules are evaluated after this one matches. Default: false. */
  readonly stop?: boolean | undefined;
  /** Seconds during which the rule does not match again for the same contact. */
  readonly cooldown_s?: number | null | undefined;
  /** Maximum number of matches. */
  readonly max_runs?: number | null | undefined;
  /** Inactive before this time. */
  readonly active_from?: string | null | undefined;
  /** Inactive from this time on. */
  readonly active_until?: string | null | undefined;
  /** Tests that must pass while the rule is enabled. */
  readonly tests?: readonly RuleTestCase[] | undefined;
}

/** Display name. */
export interface UpdateContactAttributeRequest {
  /** Display name. */
  readonly label: string;
}

/** Omitted fields stay unchanged. */
export interface UpdateContactRequest {
  /** Phone number in international format; variants of a number identify the same contact. */
  readonly phone?: string | undefined;
  /** The network's ID of a person who may show no number, such as US.13491208655302741918. */
  readonly user_id?: string | undefined;
  /** Display name. */
  readonly name?: string | null | undefined;
  /** ID in another system. */
  readonly external_id?: string | null | undefined;
  /** Language, such as pt-BR. */
  readonly language?: string | null | undefined;
  readonly attributes?: ContactAttributeValues | undefined;
  readonly tags?: ContactTags | undefined;
}

/** Tags to add and to remove. */
export interface UpdateContactTagsRequest {
  readonly add?: ContactTags | undefined;
  readonly remove?: ContactTags | undefined;
}

/** The fields to change. Omitted fields stay unchanged. */
export interface UpdateConversationRequest {
  /** New status. */
  readonly status?: ConversationStatus | undefined;
  readonly snoozed_until?: SnoozedUntil | null | undefined;
  readonly assignee_id?: NewAssignee | null | undefined;
  readonly team_id?: NewTeam | null | undefined;
  /** Priority. */
  readonly priority?: ConversationPriority | undefined;
  /** Who answers. */
  readonly handled_by?: ConversationHandler | undefined;
  readonly add_tags?: ConversationTags | undefined;
  /** Tags to remove. */
  readonly remove_tags?: ConversationTags | undefined;
}

/** One change to many conversations. */
export interface UpdateConversationsRequest {
  /** The conversations to change. */
  readonly ids: readonly string[];
  /** The change to make to each of them. */
  readonly change: {
    /** New status. */
    readonly status?: ConversationStatus | undefined;
    readonly snoozed_until?: SnoozedUntil | null | undefined;
    readonly assignee_id?: NewAssignee | null | undefined;
    readonly team_id?: NewTeam | null | undefined;
    /** Priority. */
    readonly priority?: ConversationPriority | undefined;
    /** Who answers. */
    readonly handled_by?: ConversationHandler | undefined;
    readonly add_tags?: ConversationTags | undefined;
    /** Tags to remove. */
    readonly remove_tags?: ConversationTags | undefined;
  };
}

/** The outcomes, in the order of ids. */
export interface UpdateConversationsResponse {
  readonly data: readonly ({
    /** The conversation. */
    readonly id: string;
    /** The status that a single change would have returned. */
    readonly status: number;
    /** unchanged: nothing had to be changed. */
    readonly outcome: Open<'changed' | 'unchanged' | 'refused'>;
    /** Why it was rejected, in one sentence. */
    readonly error?: string;
    /** The stable error code; docs/errors.md describes each one. */
    readonly code?: string;
  })[];
}

/** Omitted fields stay unchanged. */
export interface UpdateFlowRequest {
  /** Name of the flow, unique in the account. Customers do not see it. */
  readonly name?: string | undefined;
  /** What the flow is for. */
  readonly categories?: readonly FlowCategory[] | undefined;
}

/** What changes. Omitted fields stay unchanged. */
export interface UpdateMeRequest {
  /** Name of the person. */
  readonly name?: string | undefined;
  /** Email address that the person signs in with. */
  readonly email?: string | undefined;
  /** JSON of the client, at most 16384 characters. Replaces all preferences. notifications is known to the service: kinds (each with page and desktop), sound and quiet_hours (from, to, time_zone). */
  readonly preferences?: Readonly<Record<string, unknown>> | undefined;
}

/** Omitted fields stay unchanged; a list replaces the list that is there, and an empty one empties it. */
export interface UpdateNumberCommandsRequest {
  /** Texts that customers who have not written yet can tap to send. */
  readonly ice_breakers?: readonly string[] | undefined;
  /** Commands that customers find by typing a slash. */
  readonly commands?: readonly Command[] | undefined;
  /** Whether the network reports that a customer has opened a chat for the first time, as an inbound message of type `unsupported`. */
  readonly welcome_message?: boolean | undefined;
}

/** Omitted fields stay unchanged. */
export interface UpdateNumberProfileRequest {
  /** Line below the name. */
  readonly about?: string | undefined;
  /** Postal address. Null empties it. */
  readonly address?: string | null | undefined;
  /** What the business does. Null empties it. */
  readonly description?: string | null | undefined;
  /** Email address for customers. Null empties it. */
  readonly email?: string | null | undefined;
  /** Websites of the business. They replace all that are there. */
  readonly websites?: readonly string[] | undefined;
  /** Line of business. */
  readonly vertical?: 'other' | 'auto' | 'beauty' | 'apparel' | 'edu' | 'entertain' | 'event_plan' | 'finance' | 'grocery' | 'govt' | 'hotel' | 'health' | 'nonprofit' | 'prof_services' | 'retail' | 'travel' | 'restaurant' | 'alcohol' | 'online_gambling' | 'physical_gambling' | 'otc_drugs' | 'matrimony_service' | undefined;
}

/** Its new text. */
export interface UpdateNumberQrCodeRequest {
  /** Text that the code puts into the chat, for the customer to send. */
  readonly message: string;
}

/** What changes. */
export interface UpdatePasskeyRequest {
  /** What the person calls it. */
  readonly name: string;
}

/** Omitted fields stay unchanged. */
export interface UpdatePhoneNumberRequest {
  /** Display name. */
  readonly name?: string | null | undefined;
  /** Business hours. Null: the tenant's default hours. */
  readonly business_hours_id?: string | null | undefined;
  /** paused holds back its messages; active sends them. */
  readonly status?: PhoneNumberStatus | undefined;
  /** Why it is paused. Allowed only with a pause. */
  readonly pause_reason?: string | undefined;
  /** Messages per second. Null: the installation's default; 0: no limit. */
  readonly rate_limit?: number | null | undefined;
  readonly reopen_policy?: ReopenPolicy | undefined;
  /** Hours during which new_after reopens a resolved conversation. Default: 24. */
  readonly reopen_hours?: number | undefined;
  /** Hours without messages or changes after which an open or pending conversation is resolved. Null: never. */
  readonly auto_resolve_hours?: number | null | undefined;
  /** Whether conversations are resolved even if the customer is waiting for a reply. Default: false. */
  readonly auto_resolve_waiting?: boolean | undefined;
  /** Whether an unassigned conversation is assigned to the agent who replies in it. Default: false. */
  readonly assign_on_reply?: boolean | undefined;
}

/** Omitted kinds stay unchanged. */
export interface UpdateRetentionRequest {
  /** Days that you keep messages of both directions, with what they say and what became of them. Null: as long as the installation. */
  readonly messages_days?: number | null | undefined;
  /** Days that you keep files of customers; counts for files that arrive from now on. Null: as long as the installation. */
  readonly received_media_days?: number | null | undefined;
  /** Days that you keep files that you upload; counts for files that you upload from now on. Null: as long as the installation. */
  readonly uploads_days?: number | null | undefined;
  /** Days that you keep events, for the feed, the stream and redelivery. Null: as long as the installation. */
  readonly events_days?: number | null | undefined;
  /** Days that you keep webhook deliveries with what your endpoints answered. Null: as long as the installation. */
  readonly webhook_deliveries_days?: number | null | undefined;
  /** Days that you keep what chatbot rules saw and decided. Null: as long as the installation. */
  readonly rule_decisions_days?: number | null | undefined;
}

/** Omitted fields stay unchanged. */
export interface UpdateSegmentRequest {
  /** Name. */
  readonly name?: string | undefined;
  readonly when?: ContactCondition | undefined;
}

/** Omitted fields stay unchanged. */
export interface UpdateTeamRequest {
  /** Name of the team. */
  readonly name?: string | undefined;
  readonly members?: TeamMembers | undefined;
  readonly policy?: AssignmentPolicy | undefined;
  readonly sticky?: StickyAssignment | undefined;
  readonly reassign_on_reopen?: ReassignOnReopen | undefined;
  readonly business_hours_id?: TeamHours | null | undefined;
  readonly overflow_team_id?: OverflowTeam | null | undefined;
  readonly required_skills?: RequiredSkills | undefined;
  readonly is_default?: IsDefaultTeam | undefined;
}

/** Omitted fields stay unchanged. */
export interface UpdateTemplateRequest {
  /** Billing category. */
  readonly category?: TemplateCategory | undefined;
  readonly parameter_format?: ParameterFormat | undefined;
  readonly components?: TemplateDefinition | undefined;
  /** Seconds during which a message is worth delivering. Null: the network's default. */
  readonly message_ttl_s?: number | null | undefined;
}

/** Omitted fields stay unchanged. */
export interface UpdateViewRequest {
  /** Name, unique among the views of its owner. */
  readonly name?: string | undefined;
  readonly when?: ConversationCondition | undefined;
  /** last_activity: newest first. waiting_since: only those with a waiting customer, longest wait first. */
  readonly sort?: 'last_activity' | 'waiting_since' | undefined;
  /** true: all agents see it; false: only the agent it belongs to. */
  readonly shared?: boolean | undefined;
  /** Place among the other views, lowest first. Default: behind them. */
  readonly position?: number | undefined;
}

/** Omitted fields stay unchanged. */
export interface UpdateWebhookEndpointRequest {
  /** URL that events are posted to: https, with a public host. */
  readonly url?: string | undefined;
  /** With the format network: value of hub.verify_token when the URL is verified. It is not stored. Default: a random one. */
  readonly verify_token?: string | undefined;
  /** What it is for. */
  readonly description?: string | null | undefined;
  readonly types?: WebhookEventTypes | null | undefined;
  readonly ordering?: WebhookOrdering | undefined;
  /** Whether it receives events. */
  readonly enabled?: boolean | undefined;
}

/** When it was last changed. */
export type UpdatedAt = string;

/** A file to upload. */
export interface UploadMediaRequest {
  /** The bytes, at most 16 MiB (16,777,216), as a file part with a filename. */
  readonly file: Blob;
  /** Declared type. A type detected from the bytes takes precedence. Default: the type of the part. */
  readonly mime_type?: string | undefined;
  /** A sending number of the tenant. One upload serves every number. */
  readonly phone_number_id?: string | undefined;
}

/** Media that was stored. */
export interface UploadedMedia {
  /** ID of the media. */
  readonly media_id: string;
  /** Type detected from the bytes, otherwise the declared type. */
  readonly mime_type: string;
  /** Size in bytes. */
  readonly size: number;
  /** SHA-256 of the bytes, 64 hex digits. */
  readonly sha256: string;
  /** Message types that the network accepts it for; may be empty. */
  readonly sendable_as: readonly Open<'audio' | 'document' | 'image' | 'sticker' | 'video'>[];
  /** When it is deleted. */
  readonly expires_at: string;
}

/** Usage of one calendar month (UTC). */
export interface Usage {
  /** The month. */
  readonly period: {
    /** The calendar month (UTC), as YYYY-MM. */
    readonly month: string;
    /** Start of the month. */
    readonly start: string;
    /** Start of the next month. */
    readonly end: string;
  };
  /** Messages accepted for sending. */
  readonly outbound: number;
  /** Messages received. */
  readonly inbound: number;
  /** Outbound messages by type. */
  readonly by_type: Readonly<Record<string, number>>;
  /** Outbound messages that the network has priced, by its category. */
  readonly by_category: Readonly<Record<string, number>>;
  /** Outbound messages by phone_number_id. */
  readonly by_number: Readonly<Record<string, number>>;
  /** Bytes of media uploaded and received. */
  readonly media_bytes: number;
  /** Conversations opened. */
  readonly conversations: number;
  readonly fair_use: FairUse;
}

/** The month's usage reached a threshold of the plan's fair-use limit: the warning level, or the whole limit. */
export interface UsageThresholdEvent extends EventEnvelope {
  readonly type: 'usage.threshold';
  /** Usage of the monthly fair-use limit. */
  readonly data: {
    /** warning: the plan's warning level. exceeded: the whole limit. */
    readonly threshold: Open<'warning' | 'exceeded'>;
    /** Percentage of the fair-use limit that was reached. */
    readonly percent: number;
    /** Outbound messages of the month at that time. */
    readonly used: number;
    /** Outbound messages per month within fair use. */
    readonly limit: number;
    /** hard: messages beyond the limit are rejected. */
    readonly enforcement: Open<'soft' | 'hard'>;
    /** The calendar month (UTC), such as 2030-01. */
    readonly month: string;
    /** When the next month starts. */
    readonly resets_at: string;
  };
}

/** The canned reply it was written with, which counts as used. One that is gone is ignored. */
export type UsedCannedReply = string;

/** The video. */
export interface VideoContent {
  readonly media_id?: MediaId | undefined;
  readonly link?: MediaLink | undefined;
  /** Text below the media. */
  readonly caption?: string | undefined;
}

/** A video. */
export interface VideoHeader {
  /** Always video. */
  readonly type: 'video';
  readonly video: NestedMedia;
}

/** A named condition about conversations. */
export interface View {
  /** ID of the view. */
  readonly id: string;
  /** Name. */
  readonly name: string;
  readonly when: ConversationCondition;
  /** last_activity: newest first. waiting_since: only those with a waiting customer, longest wait first. */
  readonly sort: Open<'last_activity' | 'waiting_since'>;
  /** true: all agents see it; false: only the agent it belongs to. */
  readonly shared: boolean;
  /** Place among the other views, lowest first. */
  readonly position: number;
  readonly version: ResourceVersion;
  readonly created_at: CreatedAt;
  readonly updated_at: UpdatedAt;
}

/** A call between a customer and the business. */
export interface VoiceCall {
  readonly direction: Open<CallDirection>;
  readonly state: Open<CallState>;
  /** The earliest time that the network reported of the call. */
  readonly started_at: string;
  /** When it was answered. Null: it was not, or the network did not report when. */
  readonly answered_at: string | null;
  /** When it ended. Null: the network has not reported its end. */
  readonly ended_at: string | null;
  /** How long the two spoke, in seconds. Null: they did not, or it has not ended. */
  readonly duration_seconds: number | null;
  /** Why it failed. Null: the network reported no error. */
  readonly error: {
    /** The network's own code. */
    readonly network_code: number | null;
    /** The network's sentence. */
    readonly message: string;
  } | null;
}

/** The tenant's wallet. */
export interface Wallet {
  /** Whether messages are paid from the wallet. If false, it does not block any messages. */
  readonly enabled: boolean;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Sum of held and available, in minor units of the currency. */
  readonly balance: number;
  /** Reserved for messages whose price is not known yet. */
  readonly held: number;
  /** Available for further messages. */
  readonly available: number;
  /** When the balance last changed. Null: never. */
  readonly updated_at: string | null;
}

/** The available balance of the wallet fell below the plan's threshold. */
export interface WalletLowBalanceEvent extends EventEnvelope {
  readonly type: 'wallet.low_balance';
  /** A wallet with a low balance. */
  readonly data: {
    /** ISO 4217 code. */
    readonly currency: string;
    /** Available balance, in minor units. */
    readonly available: number;
    /** The plan's low-balance threshold, in minor units. */
    readonly threshold: number;
  };
}

/** A wallet transaction. */
export interface WalletTransaction {
  /** ID of the transaction. */
  readonly id: string;
  /** hold: reserved when the message is accepted. capture: charged at the network's price. release: returned. */
  readonly kind: Open<'topup' | 'hold' | 'capture' | 'release' | 'adjustment'>;
  /** Amount moved, in minor units, rounded toward 0. Negative if an adjustment deducts it. */
  readonly amount: number;
  /** Exact amount, in millionths of the currency unit. */
  readonly amount_micros: number;
  /** Sum of held and available afterwards, in minor units. */
  readonly balance_after: number;
  /** Exact amount, in millionths of the currency unit. */
  readonly balance_after_micros: number;
  /** Message that it belongs to. */
  readonly message_id: string | null;
  /** Description of the transaction. */
  readonly description: string;
  /** When it was recorded. */
  readonly created_at: string;
}

/** A page of transactions, newest first. */
export interface WalletTransactionList {
  readonly data: readonly WalletTransaction[];
  readonly page: PageInfo;
}

/** One attempt. */
export interface WebhookAttempt {
  /** When it started. */
  readonly at: string;
  /** Duration in milliseconds. */
  readonly duration_ms: number;
  /** HTTP status of the response. Null if there was none. */
  readonly status: number | null;
  /** Null: success. Otherwise status, redirect, timeout, connection, tls, dns, address_refused, secret_unreadable or event_expired. */
  readonly error: string | null;
  /** Description of the error. */
  readonly detail: string | null;
  /** Start of the response, at most 1 KB. */
  readonly response: string | null;
}

/** The delivery of an event to an endpoint. */
export interface WebhookDelivery {
  /** ID of the delivery. */
  readonly id: string;
  /** The endpoint. */
  readonly endpoint_id: string;
  /** ID of the event or of the callback of the network; the webhook-id of every attempt. */
  readonly event_id: string;
  /** Sequence of the event. Null for a test event, and for a callback of the network. */
  readonly sequence: number | null;
  /** Type of the event, or field of the callback of the network. */
  readonly type: string;
  readonly state: Open<WebhookState>;
  /** Attempts of the current schedule. */
  readonly attempts: number;
  /** When the next attempt is due. */
  readonly next_attempt_at: string | null;
  /** Whether it has failed for so long that later events of its conversation are delivered before it. */
  readonly overtaken: boolean;
  /** The last 20 attempts, oldest first. */
  readonly log: readonly WebhookAttempt[];
  /** When it was queued. */
  readonly created_at: string;
  readonly updated_at: UpdatedAt;
}

/** A page of deliveries, newest first. */
export interface WebhookDeliveryList {
  readonly data: readonly WebhookDelivery[];
  readonly page: PageInfo;
}

/** A webhook endpoint, without its secret. */
export interface WebhookEndpoint {
  /** ID of the endpoint. */
  readonly id: string;
  /** URL that events are posted to. */
  readonly url: string;
  /** What it is for. */
  readonly description: string | null;
  readonly format: Open<WebhookFormat>;
  readonly types: WebhookEventTypes | null;
  readonly ordering: Open<WebhookOrdering>;
  /** Whether it receives events. */
  readonly enabled: boolean;
  /** person: disabled by a person. gone: it returned 410. failing: no attempt succeeded for five days. */
  readonly disabled_reason: Open<'person' | 'gone' | 'failing'> | null;
  /** When it was disabled. */
  readonly disabled_at: string | null;
  /** Time of the first failed attempt since the last success. Null if the last attempt succeeded. */
  readonly failing_since: string | null;
  /** Until when the previous secret also signs. */
  readonly old_secret_until: string | null;
  readonly version: ResourceVersion;
  /** When it was created. */
  readonly created_at: string;
  readonly updated_at: UpdatedAt;
}

/** A page of webhook endpoints, newest first. */
export interface WebhookEndpointList {
  readonly data: readonly WebhookEndpoint[];
  readonly page: PageInfo;
}

/** Event types that it receives. Null: all, including future ones, but not audit.recorded, which must be named. Always null with the format network. */
export type WebhookEventTypes = readonly Open<EventType>[];

/** postrider: it receives events, signed according to Standard Webhooks. network: it receives the callbacks of the network about the numbers and accounts of the tenant, in the form of the network and signed like them (X-Hub-Signature-256), instead of events. It never changes. */
export type WebhookFormat = 'postrider' | 'network';

/** none: as fast as the endpoint responds, in any order. conversation: events of one conversation in order; a failing event holds back only its own conversation, for at most 30 minutes. */
export type WebhookOrdering = 'none' | 'conversation';

/** pending: another attempt is due. failed: no further automatic attempts. */
export type WebhookState = 'pending' | 'delivered' | 'failed';

/** Opening hours for each day of the week. Omitted days are closed. */
export interface WeeklyHours {
  readonly mon?: OpeningIntervals | undefined;
  readonly tue?: OpeningIntervals | undefined;
  readonly wed?: OpeningIntervals | undefined;
  readonly thu?: OpeningIntervals | undefined;
  readonly fri?: OpeningIntervals | undefined;
  readonly sat?: OpeningIntervals | undefined;
  readonly sun?: OpeningIntervals | undefined;
}

/** A private note for agents. */
export interface WriteNote {
  /** A private note. */
  readonly type: 'note';
  /** Text of the note. */
  readonly body: string;
  /** Agents who are mentioned. */
  readonly mentions?: readonly string[] | undefined;
}

/** Agent who is writing now. Null: no one. */
export interface WritingLease {
  /** The agent. */
  readonly agent_id: string;
  /** When it ends unless renewed. */
  readonly until: string;
}

/** Query of GET /v1/messages. */
export interface ListMessagesQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
  /** Only messages of this direction. */
  readonly direction?: 'inbound' | 'outbound' | undefined;
  /** Only messages of this sender: a number in any accepted format, or the network's user ID. */
  readonly from?: string | undefined;
  /** Only messages to this recipient: a number in any accepted format, or the network's user ID. */
  readonly to?: string | undefined;
  /** Only messages with this status. delivered excludes messages that were read. */
  readonly status?: MessageStatusFilter | undefined;
  /** Only messages whose delivery is in this state. */
  readonly delivery_state?: DeliveryState | undefined;
  /** Only messages in this campaign. */
  readonly campaign_name?: string | undefined;
  /** Only messages with this reference of yours. */
  readonly client_ref?: string | undefined;
  /** true: only messages that may have arrived twice; false: only the others. */
  readonly possible_duplicate?: boolean | undefined;
  /** Only messages of this type, such as text or image. */
  readonly type?: string | undefined;
  /** The network's ID of the sending number. */
  readonly phone_number_id?: PhoneNumberId | undefined;
  /** Only messages in this conversation. */
  readonly conversation_id?: string | undefined;
  /** Only messages exchanged with this contact, in any conversation or outside of one. */
  readonly contact_id?: string | undefined;
  /** Only messages received or accepted after this time. */
  readonly created_after?: string | undefined;
  /** Only messages received or accepted before this time. */
  readonly created_before?: string | undefined;
}

/** Query of GET /v1/messages/inbound. */
export interface ListInboundMessagesQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
  /** Only messages of this sender: a number in any accepted format, or the network's user ID. */
  readonly from?: string | undefined;
  /** Only messages of this type, such as text or image. */
  readonly type?: string | undefined;
  /** The network's ID of the sending number. */
  readonly phone_number_id?: PhoneNumberId | undefined;
  /** Only messages in this conversation. */
  readonly conversation_id?: string | undefined;
  /** Only messages exchanged with this contact, in any conversation or outside of one. */
  readonly contact_id?: string | undefined;
  /** Only messages received after this time. */
  readonly created_after?: string | undefined;
  /** Only messages received before this time. */
  readonly created_before?: string | undefined;
}

/** Query of GET /v1/messages/outbound. */
export interface ListOutboundMessagesQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
  /** Only messages to this recipient: a number in any accepted format, or the network's user ID. */
  readonly to?: string | undefined;
  /** Only messages with this status. delivered excludes messages that were read. */
  readonly status?: MessageStatusFilter | undefined;
  /** Only messages whose delivery is in this state. */
  readonly delivery_state?: DeliveryState | undefined;
  /** Only messages in this campaign. */
  readonly campaign_name?: string | undefined;
  /** Only messages with this reference of yours. */
  readonly client_ref?: string | undefined;
  /** true: only messages that may have arrived twice; false: only the others. */
  readonly possible_duplicate?: boolean | undefined;
  /** The network's ID of the sending number. */
  readonly phone_number_id?: PhoneNumberId | undefined;
  /** Only messages in this conversation. */
  readonly conversation_id?: string | undefined;
  /** Only messages exchanged with this contact, in any conversation or outside of one. */
  readonly contact_id?: string | undefined;
  /** Only messages accepted after this time. */
  readonly created_after?: string | undefined;
  /** Only messages accepted before this time. */
  readonly created_before?: string | undefined;
}

/** Query of GET /v1/media. */
export interface ListMediaQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
}

/** Query of GET /v1/templates. */
export interface ListTemplatesQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
  /** Only templates with this status. Deleted templates are listed only when filtered by status. */
  readonly status?: TemplateStatus | undefined;
  /** Only templates in this category. */
  readonly category?: TemplateCategory | undefined;
  /** Only templates in this language. */
  readonly language?: string | undefined;
  /** Only templates whose name starts with this string. */
  readonly name?: string | undefined;
  /** Only templates that contain this string in their name or text. */
  readonly q?: string | undefined;
  /** The network's ID of the account. Required if the tenant has several accounts. */
  readonly network_account_id?: string | undefined;
}

/** Query of GET /v1/template-library. */
export interface ListTemplateLibraryQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
  /** Only entries that contain this string, as the network searches. */
  readonly q?: string | undefined;
  /** Only entries with this name, in all languages. */
  readonly name?: string | undefined;
  /** Only entries in this language. */
  readonly language?: string | undefined;
  /** Only entries about this, such as order_management or payments. */
  readonly topic?: string | undefined;
  /** Only entries for this, such as delivery_update. */
  readonly use_case?: string | undefined;
  /** Only entries for this industry, such as e_commerce. */
  readonly industry?: string | undefined;
}

/** Query of GET /v1/flows. */
export interface ListFlowsQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
  /** Only flows of this account. */
  readonly network_account_id?: string | undefined;
}

/** Query of GET /v1/flows/{id}/answers. */
export interface ListFlowAnswersQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
}

/** Query of GET /v1/conversations. */
export interface ListConversationsQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
  /** Only conversations with this status. */
  readonly status?: ConversationStatus | undefined;
  /** Only conversations of this agent. me: the agent in X-Agent-Id; none: unassigned conversations. */
  readonly assignee?: string | undefined;
  /** Only conversations of this team. */
  readonly team?: string | undefined;
  /** The network's ID of the sending number. */
  readonly phone_number_id?: PhoneNumberId | undefined;
  /** Only conversations with this tag. */
  readonly tag?: string | undefined;
  /** Only conversations with this priority. */
  readonly priority?: ConversationPriority | undefined;
  /** true: only conversations with a waiting customer; false: only the others. */
  readonly waiting?: boolean | undefined;
  /** true: only conversations with unread messages; false: only the others. */
  readonly unread?: boolean | undefined;
  /** Only conversations whose contact name or number starts with this string. */
  readonly q?: string | undefined;
  /** Only conversations with this contact. */
  readonly contact_id?: string | undefined;
  /** Only conversations changed at or after this time. */
  readonly updated_since?: string | undefined;
  /** last_activity: newest first. waiting_since: only conversations with a waiting customer, longest wait first. */
  readonly sort?: 'last_activity' | 'waiting_since' | undefined;
}

/** Query of POST /v1/conversations/search. */
export interface SearchConversationsQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
}

/** Query of GET /v1/conversations/{id}/messages. */
export interface ListConversationMessagesQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
  /** Only items after this message or note. */
  readonly after?: string | undefined;
  /** A page with this message or note in its middle. Cannot be combined with after, offset or cursor. */
  readonly around?: string | undefined;
}

/** Query of GET /v1/conversations/{id}/events. */
export interface ListConversationEventsQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
}

/** Query of GET /v1/drafts. */
export interface ListDraftsQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
}

/** Query of GET /v1/conversations/{id}/suggestions. */
export interface ListSuggestionsQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
  /** true: only those that can be taken over now. */
  readonly open?: boolean | undefined;
}

/** Query of GET /v1/search. */
export interface SearchQuery {
  /** Words, "phrases in quotes", and from:, in:, has:, before: and after:. Every text is valid; without one, nothing is found. */
  readonly q?: string | undefined;
  /** Only this kind. Default: all kinds that the key may read. */
  readonly group?: 'messages' | 'notes' | 'contacts' | 'conversations' | undefined;
  /** Maximum hits of each kind. */
  readonly limit?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
}

/** Query of GET /v1/bulk-changes. */
export interface ListBulkChangesQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
  /** true: only those queued or running. */
  readonly open?: boolean | undefined;
}

/** Query of GET /v1/bulk-changes/{id}/items. */
export interface ListBulkChangeItemsQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
  /** Only conversations with this outcome. */
  readonly outcome?: BulkChangeOutcome | undefined;
}

/** Query of GET /v1/{platform}/oauth/callback. */
export interface CompleteLinkQuery {
  /** Authorization code from the dialog. */
  readonly code?: string | undefined;
  /** State that the dialog was opened with. */
  readonly state?: string | undefined;
  /** Error code, if the dialog returned no authorization code. */
  readonly error?: string | undefined;
  /** Description of the error. */
  readonly error_reason?: string | undefined;
}

/** Query of GET /v1/accounts. */
export interface ListAccountsQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
}

/** Query of GET /v1/phone-numbers. */
export interface ListPhoneNumbersQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
  /** Only numbers with this status. */
  readonly status?: PhoneNumberStatus | undefined;
  /** Only numbers of this linked account. */
  readonly account_id?: string | undefined;
}

/** Query of GET /v1/phone-numbers/{id}/qr-codes. */
export interface ListNumberQrCodesQuery {
  /** Also returns a picture of the QR code, in this format. */
  readonly image?: 'png' | 'svg' | undefined;
}

/** Query of GET /v1/phone-numbers/{id}/qr-codes/{code}. */
export interface GetNumberQrCodeQuery {
  /** Also returns a picture of the QR code, in this format. */
  readonly image?: 'png' | 'svg' | undefined;
}

/** Query of GET /v1/phone-numbers/{id}/blocked-users. */
export interface ListNumberBlockedUsersQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** next_cursor of the previous page, with the same filters. */
  readonly cursor?: string | undefined;
}

/** Query of GET /v1/events. */
export interface ListEventsQuery {
  /** Only events after this one: next_cursor of the previous response. Default: all stored events. */
  readonly after?: string | undefined;
  /** Only these types, separated by commas. Default: all but audit.recorded, which must be named and requires the scope audit:read. */
  readonly types?: string | undefined;
  /** Maximum number of events to return. */
  readonly limit?: number | undefined;
  /** Seconds to wait for an event if there is none yet. */
  readonly wait?: number | undefined;
}

/** Query of GET /v1/events/stream. */
export interface StreamEventsQuery {
  /** Start after this event, unless Last-Event-ID is sent. By default, only new events are streamed. */
  readonly after?: string | undefined;
  /** Only these types, separated by commas. Default: all but audit.recorded, which must be named and requires the scope audit:read. */
  readonly types?: string | undefined;
  /** true: also stream who looks at and who writes in conversations, and new notifications. */
  readonly signals?: boolean | undefined;
  /** Closes the stream after this many seconds. By default, it stays open. */
  readonly for?: number | undefined;
}

/** Query of GET /v1/webhook-endpoints. */
export interface ListWebhookEndpointsQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
  /** true: only endpoints that receive events; false: only disabled ones. */
  readonly enabled?: boolean | undefined;
}

/** Query of GET /v1/webhook-endpoints/{id}/deliveries. */
export interface ListWebhookDeliveriesQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
  /** Only deliveries in this state. */
  readonly state?: WebhookState | undefined;
  /** Type of event. */
  readonly type?: EventType | undefined;
  /** Only the delivery of this event. */
  readonly event_id?: string | undefined;
}

/** Query of GET /v1/contacts. */
export interface ListContactsQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
  /** The contact with this number, in any spelling. */
  readonly phone?: string | undefined;
  /** The contact with this user ID of the network. */
  readonly user_id?: string | undefined;
  /** Only contacts with this tag. */
  readonly tag?: string | undefined;
  /** Start of a word of the name, or of the number; accents are ignored. */
  readonly q?: string | undefined;
  /** Only contacts with this status. */
  readonly status?: ContactStatus | undefined;
  /** Only contacts with this marketing consent. */
  readonly consent?: MarketingConsent | undefined;
  /** The contact with this external ID. */
  readonly external_id?: string | undefined;
  /** Only contacts in this segment. */
  readonly segment_id?: string | undefined;
  /** Only contacts created at or after this time. */
  readonly created_after?: string | undefined;
  /** Only contacts created before this time. */
  readonly created_before?: string | undefined;
  /** Only contacts changed at or after this time. */
  readonly updated_since?: string | undefined;
}

/** Query of POST /v1/contacts. */
export interface CreateContactQuery {
  /** What to do if the contact already exists. Default: refuse. */
  readonly on_conflict?: 'refuse' | 'update' | undefined;
}

/** Query of POST /v1/contacts/search. */
export interface SearchContactsQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
}

/** Query of GET /v1/contacts/export. */
export interface ExportContactsQuery {
  /** Output format. Default: as requested by Accept, otherwise ndjson. */
  readonly format?: 'csv' | 'ndjson' | undefined;
  /** The contact with this number, in any spelling. */
  readonly phone?: string | undefined;
  /** The contact with this user ID of the network. */
  readonly user_id?: string | undefined;
  /** Only contacts with this tag. */
  readonly tag?: string | undefined;
  /** Start of a word of the name, or of the number; accents are ignored. */
  readonly q?: string | undefined;
  /** Only contacts with this status. */
  readonly status?: ContactStatus | undefined;
  /** Only contacts with this marketing consent. */
  readonly consent?: MarketingConsent | undefined;
  /** The contact with this external ID. */
  readonly external_id?: string | undefined;
  /** Only contacts in this segment. */
  readonly segment_id?: string | undefined;
  /** Only contacts created at or after this time. */
  readonly created_after?: string | undefined;
  /** Only contacts created before this time. */
  readonly created_before?: string | undefined;
  /** Only contacts changed at or after this time. */
  readonly updated_since?: string | undefined;
}

/** Query of GET /v1/contacts/{id}/messages. */
export interface ListContactMessagesQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
  /** Only messages of this direction. */
  readonly direction?: 'inbound' | 'outbound' | undefined;
  /** Only messages of this type, such as text or image. */
  readonly type?: string | undefined;
  /** Only messages received or accepted after this time. */
  readonly created_after?: string | undefined;
  /** Only messages received or accepted before this time. */
  readonly created_before?: string | undefined;
}

/** Query of GET /v1/contacts/{id}/timeline. */
export interface ListContactTimelineQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
  /** Only items of this type. */
  readonly type?: 'message' | 'note' | 'conversation_change' | 'rule_decision' | 'campaign_skip' | 'consent' | 'merge' | undefined;
}

/** Query of GET /v1/contacts/{id}/merges. */
export interface ListContactMergesQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
}

/** Query of GET /v1/contact-attributes. */
export interface ListContactAttributesQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
}

/** Query of POST /v1/imports. */
export interface CreateImportQuery {
  /** Same as in the JSON body, for use with a file as the body. */
  readonly mode?: ImportMode | undefined;
  /** Same as in the JSON body, for use with a file as the body. */
  readonly match_on?: ImportMatch | undefined;
  /** Same as in the JSON body, for use with a file as the body. */
  readonly dry_run?: boolean | undefined;
}

/** Query of GET /v1/segments. */
export interface ListSegmentsQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
}

/** Query of GET /v1/canned-replies. */
export interface ListCannedRepliesQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
  /** Only shortcuts that start with this string. */
  readonly prefix?: string | undefined;
}

/** Query of GET /v1/agents. */
export interface ListAgentsQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
  /** Only agents with this role. */
  readonly role?: AgentRole | undefined;
  /** Only members of this team. */
  readonly team_id?: string | undefined;
  /** Only the agent with this external ID. */
  readonly external_id?: string | undefined;
}

/** Query of GET /v1/people. */
export interface ListPeopleQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
}

/** Query of GET /v1/teams. */
export interface ListTeamsQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
}

/** Query of GET /v1/business-hours. */
export interface ListBusinessHoursQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
}

/** Query of GET /v1/business-hours/{id}/state. */
export interface GetBusinessHoursStateQuery {
  /** Time to check, from 1970 to 2199. Default: now. */
  readonly at?: string | undefined;
}

/** Query of GET /v1/notifications. */
export interface ListNotificationsQuery {
  /** true: only unread ones; false: only read ones. */
  readonly unread?: boolean | undefined;
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
}

/** Query of GET /v1/chatbot-rules. */
export interface ListChatbotRulesQuery {
  /** true: only enabled rules; false: only disabled rules. */
  readonly enabled?: boolean | undefined;
}

/** Query of GET /v1/chatbot-rules/decisions. */
export interface ListRuleDecisionsQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
  /** Only decisions about this message. */
  readonly message_id?: string | undefined;
  /** Only decisions in this conversation. */
  readonly conversation_id?: string | undefined;
  /** Only decisions in which this rule matched. */
  readonly rule_id?: string | undefined;
}

/** Query of GET /v1/api-keys. */
export interface ListApiKeysQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
  /** Only keys of this mode. */
  readonly mode?: ApiKeyMode | undefined;
}

/** Query of GET /v1/audit-log. */
export interface ListAuditLogQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
  /** Only changes by this kind of actor. */
  readonly actor?: 'key' | 'agent' | 'operator' | 'service' | undefined;
  /** Only changes by this key. */
  readonly key_id?: string | undefined;
  /** Only changes by requests that acted for this agent. */
  readonly agent_id?: string | undefined;
  /** Only changes of this kind. */
  readonly action?: AuditAction | undefined;
  /** Only changes to this key, number or tenant. */
  readonly target_id?: string | undefined;
  /** Only changes after this time. */
  readonly created_after?: string | undefined;
  /** Only changes before this time. */
  readonly created_before?: string | undefined;
}

/** Query of GET /v1/audit-log/export. */
export interface ExportAuditLogQuery {
  /** Only entries after this position in the chain: the `seq` of the last entry that you have. */
  readonly after_seq?: number | undefined;
}

/** Query of GET /v1/campaigns. */
export interface ListCampaignsQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
  /** Only campaigns in this state. */
  readonly status?: CampaignStatus | undefined;
}

/** Query of GET /v1/campaigns/{id}/recipients. */
export interface ListCampaignRecipientsQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
  /** Only recipients with this status. */
  readonly status?: RecipientStatus | undefined;
  /** Only recipients who were skipped, or whose message failed, for the reason with this code. */
  readonly reason?: string | undefined;
}

/** Query of POST /v1/campaigns/{id}/imports. */
export interface CreateCampaignImportQuery {
  /** Same as in the JSON body, for use with a file as the body. */
  readonly dry_run?: boolean | undefined;
}

/** Query of GET /v1/analytics/summary. */
export interface GetAnalyticsSummaryQuery {
  /** Start of the report: a date (midnight in the time zone) or a time. Default: seven days before the end. */
  readonly from?: string | undefined;
  /** End of the report, exclusive: a date or a time. Default: now. */
  readonly to?: string | undefined;
  /** IANA time zone for dates and steps. Default: UTC. */
  readonly timezone?: string | undefined;
  /** The network's ID of the sending number. */
  readonly phone_number_id?: PhoneNumberId | undefined;
  /** Only messages of this type. */
  readonly type?: string | undefined;
  /** Only messages that use the template with this name. */
  readonly template?: string | undefined;
  /** Only messages in this campaign. */
  readonly campaign_name?: string | undefined;
  /** Only activity of this agent. */
  readonly agent_id?: string | undefined;
  /** Only conversations that this team had. */
  readonly team_id?: string | undefined;
  /** Only conversations that had this tag. */
  readonly tag?: string | undefined;
  /** Only conversations with this handler. */
  readonly handled_by?: ConversationHandler | undefined;
}

/** Query of GET /v1/analytics/timeseries. */
export interface GetAnalyticsTimeseriesQuery {
  /** Start of the report: a date (midnight in the time zone) or a time. Default: seven days before the end. */
  readonly from?: string | undefined;
  /** End of the report, exclusive: a date or a time. Default: now. */
  readonly to?: string | undefined;
  /** IANA time zone for dates and steps. Default: UTC. */
  readonly timezone?: string | undefined;
  /** The network's ID of the sending number. */
  readonly phone_number_id?: PhoneNumberId | undefined;
  /** Only messages of this type. */
  readonly type?: string | undefined;
  /** Only messages that use the template with this name. */
  readonly template?: string | undefined;
  /** Only messages in this campaign. */
  readonly campaign_name?: string | undefined;
  /** Only activity of this agent. */
  readonly agent_id?: string | undefined;
  /** Only conversations that this team had. */
  readonly team_id?: string | undefined;
  /** Only conversations that had this tag. */
  readonly tag?: string | undefined;
  /** Only conversations with this handler. */
  readonly handled_by?: ConversationHandler | undefined;
  /** Length of a step in the time zone. Default: day. */
  readonly interval?: 'hour' | 'day' | 'week' | 'month' | undefined;
}

/** Query of GET /v1/analytics/funnel. */
export interface GetAnalyticsFunnelQuery {
  /** Start of the report: a date (midnight in the time zone) or a time. Default: seven days before the end. */
  readonly from?: string | undefined;
  /** End of the report, exclusive: a date or a time. Default: now. */
  readonly to?: string | undefined;
  /** IANA time zone for dates and steps. Default: UTC. */
  readonly timezone?: string | undefined;
  /** What to group rows by. Default: a single row. */
  readonly by?: 'template' | 'campaign_name' | 'phone_number_id' | 'type' | 'category' | undefined;
}

/** Query of GET /v1/analytics/errors. */
export interface GetAnalyticsErrorsQuery {
  /** Start of the report: a date (midnight in the time zone) or a time. Default: seven days before the end. */
  readonly from?: string | undefined;
  /** End of the report, exclusive: a date or a time. Default: now. */
  readonly to?: string | undefined;
  /** IANA time zone for dates and steps. Default: UTC. */
  readonly timezone?: string | undefined;
}

/** Query of GET /v1/analytics/heatmap. */
export interface GetAnalyticsHeatmapQuery {
  /** Start of the report: a date (midnight in the time zone) or a time. Default: seven days before the end. */
  readonly from?: string | undefined;
  /** End of the report, exclusive: a date or a time. Default: now. */
  readonly to?: string | undefined;
  /** IANA time zone for dates and steps. Default: UTC. */
  readonly timezone?: string | undefined;
  /** The network's ID of the sending number. */
  readonly phone_number_id?: PhoneNumberId | undefined;
  /** Only messages of this type. */
  readonly type?: string | undefined;
  /** Only messages that use the template with this name. */
  readonly template?: string | undefined;
  /** Only messages in this campaign. */
  readonly campaign_name?: string | undefined;
}

/** Query of GET /v1/analytics/response-times. */
export interface GetAnalyticsResponseTimesQuery {
  /** Start of the report: a date (midnight in the time zone) or a time. Default: seven days before the end. */
  readonly from?: string | undefined;
  /** End of the report, exclusive: a date or a time. Default: now. */
  readonly to?: string | undefined;
  /** IANA time zone for dates and steps. Default: UTC. */
  readonly timezone?: string | undefined;
  /** The network's ID of the sending number. */
  readonly phone_number_id?: PhoneNumberId | undefined;
  /** Only activity of this agent. */
  readonly agent_id?: string | undefined;
  /** Only conversations that this team had. */
  readonly team_id?: string | undefined;
  /** Only conversations that had this tag. */
  readonly tag?: string | undefined;
  /** Only conversations with this handler. */
  readonly handled_by?: ConversationHandler | undefined;
  /** What to group rows by. Default: a single row. */
  readonly by?: 'phone_number_id' | 'agent_id' | 'team_id' | 'tag' | 'handled_by' | undefined;
}

/** Query of GET /v1/analytics/agents. */
export interface GetAnalyticsAgentsQuery {
  /** Start of the report: a date (midnight in the time zone) or a time. Default: seven days before the end. */
  readonly from?: string | undefined;
  /** End of the report, exclusive: a date or a time. Default: now. */
  readonly to?: string | undefined;
  /** IANA time zone for dates and steps. Default: UTC. */
  readonly timezone?: string | undefined;
}

/** Query of GET /v1/analytics/authors. */
export interface GetAnalyticsAuthorsQuery {
  /** Start of the report: a date (midnight in the time zone) or a time. Default: seven days before the end. */
  readonly from?: string | undefined;
  /** End of the report, exclusive: a date or a time. Default: now. */
  readonly to?: string | undefined;
  /** IANA time zone for dates and steps. Default: UTC. */
  readonly timezone?: string | undefined;
}

/** Query of GET /v1/analytics/network/messages. */
export interface GetNetworkMessageAnalyticsQuery {
  /** Start of the report: a date (midnight in UTC) or a time. Default: seven days before the end. */
  readonly from?: string | undefined;
  /** End of the report, exclusive: a date or a time. Default: now. */
  readonly to?: string | undefined;
  /** The network's ID of the account. Required if the tenant has several accounts. */
  readonly network_account_id?: string | undefined;
  /** The network's ID of the sending number. */
  readonly phone_number_id?: PhoneNumberId | undefined;
  /** Length of a step, in UTC. Default: day. */
  readonly interval?: NetworkInterval | undefined;
}

/** Query of GET /v1/analytics/network/pricing. */
export interface GetNetworkPricingAnalyticsQuery {
  /** Start of the report: a date (midnight in UTC) or a time. Default: seven days before the end. */
  readonly from?: string | undefined;
  /** End of the report, exclusive: a date or a time. Default: now. */
  readonly to?: string | undefined;
  /** The network's ID of the account. Required if the tenant has several accounts. */
  readonly network_account_id?: string | undefined;
  /** The network's ID of the sending number. */
  readonly phone_number_id?: PhoneNumberId | undefined;
  /** Length of a step, in UTC. Default: day. */
  readonly interval?: NetworkInterval | undefined;
  /** What to group rows by. Default: category. */
  readonly by?: 'category' | 'type' | 'country' | 'phone_number_id' | 'tier' | undefined;
}

/** Query of GET /v1/analytics/network/conversations. */
export interface GetNetworkConversationAnalyticsQuery {
  /** Start of the report: a date (midnight in UTC) or a time. Default: seven days before the end. */
  readonly from?: string | undefined;
  /** End of the report, exclusive: a date or a time. Default: now. */
  readonly to?: string | undefined;
  /** The network's ID of the account. Required if the tenant has several accounts. */
  readonly network_account_id?: string | undefined;
  /** The network's ID of the sending number. */
  readonly phone_number_id?: PhoneNumberId | undefined;
  /** Length of a step, in UTC. Default: day. */
  readonly interval?: NetworkInterval | undefined;
  /** What to group rows by. Default: category. */
  readonly by?: 'category' | 'direction' | 'type' | 'country' | 'phone_number_id' | undefined;
}

/** Query of GET /v1/analytics/network/templates. */
export interface GetNetworkTemplateAnalyticsQuery {
  /** Start of the report: a date (midnight in UTC) or a time. Default: seven days before the end. */
  readonly from?: string | undefined;
  /** End of the report, exclusive: a date or a time. Default: now. */
  readonly to?: string | undefined;
  /** The network's ID of the account. Required if the tenant has several accounts. */
  readonly network_account_id?: string | undefined;
  /** Only messages that use the template with this name. */
  readonly template?: string | undefined;
  /** Length of a step, in UTC. Always day. */
  readonly interval?: 'day' | undefined;
}

/** Query of GET /v1/usage. */
export interface GetUsageQuery {
  /** A calendar month (UTC) as YYYY-MM. Default: the current month. */
  readonly month?: string | undefined;
}

/** Query of GET /v1/wallet/transactions. */
export interface ListWalletTransactionsQuery {
  /** Maximum number of items to return. */
  readonly limit?: number | undefined;
  /** Items to skip (default 0). Cannot be combined with cursor. */
  readonly offset?: number | undefined;
  /** next_cursor of the previous page, with the same filters. Equally fast on every page. */
  readonly cursor?: string | undefined;
}
