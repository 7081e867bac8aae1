import type {
  Conversation,
  ConversationPriority,
  ConversationStatus,
  HandledBy,
} from '#conversations/domain/conversation';
import type { AgentId, ContactId, ConversationId, MessageId, PhoneNumberId, TeamId, TenantId } from '#core/ids';

/** A row of `conversations`; migrations/ says what each column means. */
export interface ConversationRow {
  readonly tenant_id: string;
  readonly conversation_id: string;
  readonly number: number | null;
  readonly contact_id: string;
  readonly phone_number_id: string;
  readonly status: string;
  readonly assignee_id: string | null;
  readonly team_id: string | null;
  readonly priority: string;
  readonly tags: readonly string[];
  readonly handled_by: string;
  readonly unread_count: number;
  readonly waiting_since_ms: number | null;
  readonly first_response_ms: number | null;
  readonly last_message_ms: number;
  readonly last_inbound_ms: number | null;
  readonly last_outbound_ms: number | null;
  readonly window_expires_ms: number | null;
  readonly window_told_ms: number | null;
  readonly referral_ms: number | null;
  readonly free_entry_until_ms: number | null;
  readonly snoozed_until_ms: number | null;
  readonly lease_agent_id: string | null;
  readonly lease_until_ms: number | null;
  readonly last_message_id: string | null;
  readonly last_message_inbound: boolean | null;
  readonly last_message_type: string | null;
  readonly last_message_preview: string | null;
  readonly version: number;
  readonly opened_ms: number;
  readonly resolved_ms: number | null;
  readonly reopened: number;
  readonly created_ms: number;
  readonly updated_ms: number;
}

/** One literal: a page of 200 made of spread parts took several times as long, and left as much more to collect. */
export function toConversation(row: ConversationRow): Conversation {
  return {
    tenantId: row.tenant_id as TenantId,
    conversationId: row.conversation_id as ConversationId,
    number: row.number,
    contactId: row.contact_id as ContactId,
    phoneNumberId: row.phone_number_id as PhoneNumberId,
    status: row.status as ConversationStatus,
    assigneeId: row.assignee_id as AgentId | null,
    teamId: row.team_id as TeamId | null,
    priority: row.priority as ConversationPriority,
    tags: row.tags,
    handledBy: row.handled_by as HandledBy,
    unreadCount: row.unread_count,
    waitingSinceMs: row.waiting_since_ms,
    firstResponseMs: row.first_response_ms,
    lastMessageMs: row.last_message_ms,
    lastInboundMs: row.last_inbound_ms,
    lastOutboundMs: row.last_outbound_ms,
    windowExpiresMs: row.window_expires_ms,
    windowEmittedMs: row.window_told_ms,
    referralMs: row.referral_ms,
    freeEntryUntilMs: row.free_entry_until_ms,
    snoozedUntilMs: row.snoozed_until_ms,
    leaseAgentId: row.lease_agent_id as AgentId | null,
    leaseUntilMs: row.lease_until_ms,
    lastMessage: lastMessageOf(row),
    version: row.version,
    openedMs: row.opened_ms,
    resolvedMs: row.resolved_ms,
    reopened: row.reopened,
    createdMs: row.created_ms,
    updatedMs: row.updated_ms,
  };
}

function lastMessageOf(row: ConversationRow): Conversation['lastMessage'] {
  if (row.last_message_id === null) return null;
  return {
    messageId: row.last_message_id as MessageId,
    inbound: row.last_message_inbound === true,
    type: row.last_message_type ?? '',
    preview: row.last_message_preview,
  };
}

declare module '#database/schema' {
  interface Schema {
    conversations: ConversationRow;
  }
}
