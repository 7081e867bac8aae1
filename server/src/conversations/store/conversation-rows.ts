import type { Conversation, LastMessage } from '#conversations/domain/conversation';

/** A row of `conversations`; migrations/ says what each column means. */
export interface ConversationRow extends Omit<Conversation, 'windowEmittedMs' | 'lastMessage'> {
  readonly windowToldMs: number | null;
  readonly lastMessageId: LastMessage['messageId'] | null;
  readonly lastMessageInbound: boolean | null;
  readonly lastMessageType: string | null;
  readonly lastMessagePreview: string | null;
}

/** One literal: a page of 200 made of spread parts took several times as long, and left as much more to collect. */
export function toConversation(row: ConversationRow): Conversation {
  return {
    tenantId: row.tenantId,
    conversationId: row.conversationId,
    number: row.number,
    contactId: row.contactId,
    phoneNumberId: row.phoneNumberId,
    status: row.status,
    assigneeId: row.assigneeId,
    teamId: row.teamId,
    priority: row.priority,
    tags: row.tags,
    handledBy: row.handledBy,
    unreadCount: row.unreadCount,
    waitingSinceMs: row.waitingSinceMs,
    firstResponseMs: row.firstResponseMs,
    lastMessageMs: row.lastMessageMs,
    lastInboundMs: row.lastInboundMs,
    lastOutboundMs: row.lastOutboundMs,
    phoneAnsweredMs: row.phoneAnsweredMs,
    windowExpiresMs: row.windowExpiresMs,
    windowEmittedMs: row.windowToldMs,
    referralMs: row.referralMs,
    freeEntryUntilMs: row.freeEntryUntilMs,
    snoozedUntilMs: row.snoozedUntilMs,
    leaseAgentId: row.leaseAgentId,
    leaseUntilMs: row.leaseUntilMs,
    lastMessage: lastMessageOf(row),
    version: row.version,
    openedMs: row.openedMs,
    resolvedMs: row.resolvedMs,
    reopened: row.reopened,
    createdMs: row.createdMs,
    updatedMs: row.updatedMs,
  };
}

function lastMessageOf(row: ConversationRow): Conversation['lastMessage'] {
  if (row.lastMessageId === null) return null;
  return {
    messageId: row.lastMessageId,
    inbound: row.lastMessageInbound === true,
    type: row.lastMessageType ?? '',
    preview: row.lastMessagePreview,
  };
}

declare module '#database/schema' {
  interface Schema {
    conversations: ConversationRow;
  }
}
