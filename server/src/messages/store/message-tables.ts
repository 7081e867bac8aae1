import type { JsonObject } from '#core/json';
import type { InboundMessage, NewMessage, OutboundMessage, TraceEntry } from '#messages/domain/message';

export interface OutboundTable
  extends Omit<NewMessage, 'content' | 'to' | 'priority' | 'author' | 'traceParent'>,
    Omit<OutboundMessage['delivery'], 'state' | 'nextAttemptMs'>,
    Pick<OutboundMessage, 'contactId' | 'conversationId' | 'updatedMs' | 'versions' | 'deletedMs'> {
  readonly type: string;
  readonly toPhone: string;
  readonly content: JsonObject;
  readonly priority: number;
  readonly authorKind: number | null;
  readonly authorId: string | null;
  readonly status: 'queued' | 'sent' | 'failed';
  readonly sentLearnedMs: number | null;
  readonly deliveredLearnedMs: number | null;
  readonly readLearnedMs: number | null;
  readonly failedLearnedMs: number | null;
  readonly requeuedAfter: number;
  readonly history: readonly TraceEntry[] | null;
}

export interface InboundTable extends Omit<InboundMessage, 'from' | 'to' | 'media'> {
  readonly sender: string;
  readonly fromPhone: string | null;
}

declare module '#database/schema' {
  interface Schema {
    outbound_messages: OutboundTable;
    inbound_messages: InboundTable;
  }
}
