/** What the live store holds: the parts of the API's answers and events that its decisions depend on. */

/** Times of the API, in RFC 3339 and UTC: they sort as text. */
export type Time = string;

export interface Actor {
  readonly kind: 'agent' | 'key' | 'rule' | 'system';
  readonly id: string | null;
}

export type ConversationStatus = 'open' | 'pending' | 'snoozed' | 'resolved';
export type Priority = 'low' | 'normal' | 'high' | 'urgent';

export interface ConversationContact {
  readonly id: string;
  readonly name: string | null;
  readonly phone: string | null;
}

export interface LastMessage {
  readonly id: string;
  readonly direction: 'inbound' | 'outbound';
  readonly type: string;
  readonly preview: string | null;
  readonly at: Time;
}

/** A conversation as its events carry it; only what is read from a list or by its id has the contact. */
export interface ConversationState {
  readonly id: string;
  readonly number: number;
  readonly contact_id: string;
  readonly phone_number_id: string;
  readonly status: ConversationStatus;
  readonly assignee_id: string | null;
  readonly team_id: string | null;
  readonly priority: Priority;
  readonly tags: readonly string[];
  readonly handled_by: 'bot' | 'agent' | 'none';
  readonly unread_count: number;
  readonly waiting_since: Time | null;
  readonly snoozed_until: Time | null;
  readonly window: {
    readonly state: 'open' | 'closed';
    readonly expires_at: Time | null;
    readonly free_until: Time | null;
    readonly allowed: readonly string[];
  };
  readonly lease: { readonly agent_id: string; readonly until: Time } | null;
  readonly last_message: LastMessage | null;
  readonly last_inbound_at: Time | null;
  readonly created_at: Time;
  readonly updated_at: Time;
  /** Grows with each recorded change, but not with messages. */
  readonly version: number;
}

export interface Conversation extends ConversationState {
  readonly contact?: ConversationContact;
}

export interface DeliveryError {
  readonly code: string;
  readonly message: string;
  readonly retryable?: boolean;
}

export interface Delivery {
  readonly state: 'pending' | 'accepted' | 'sent' | 'delivered' | 'read' | 'failed' | 'unknown';
  readonly next_attempt_at?: Time | null;
  readonly sent_at?: Time | null;
  readonly delivered_at?: Time | null;
  readonly read_at?: Time | null;
  readonly failed_at?: Time | null;
  readonly error?: DeliveryError | null;
}

/** Who wrote an outbound message, where the service says so. */
export interface Author {
  readonly kind: string;
  readonly id: string | null;
  readonly name?: string | null;
}

export interface OutboundItem {
  readonly id: string;
  readonly direction: 'outbound';
  readonly status: 'queued' | 'sending' | 'sent' | 'failed';
  readonly type: string;
  readonly body?: string;
  readonly template?: { readonly name: string; readonly language: string; readonly variables?: unknown };
  readonly media?: {
    readonly media_id: string | null;
    readonly link: string | null;
    readonly caption: string | null;
    readonly filename: string | null;
  };
  readonly location?: { readonly latitude: number; readonly longitude: number; readonly name?: string | null };
  readonly reaction?: { readonly message_id: string; readonly emoji: string };
  readonly interactive?: unknown;
  readonly client_ref: string | null;
  readonly reply_to: string | null;
  readonly conversation_id: string | null;
  readonly send_at?: Time | null;
  readonly created_at: Time;
  readonly delivery: Delivery;
  readonly author?: Author | null;
}

export interface InboundItem {
  readonly id: string;
  readonly direction: 'inbound';
  readonly type: string;
  readonly from: string | null;
  readonly profile_name: string | null;
  readonly body: string | null;
  readonly media: {
    readonly status: 'pending' | 'ready' | 'failed';
    readonly media_id: string | null;
    readonly mime_type: string | null;
    readonly size: number | null;
    readonly filename: string | null;
  } | null;
  readonly reply_to: string | null;
  readonly conversation_id: string | null;
  readonly network_timestamp: Time;
  readonly received_at: Time;
  readonly created_at: Time;
  readonly reaction?: { readonly message_id?: string; readonly emoji?: string };
  readonly location?: { readonly latitude: number; readonly longitude: number; readonly name?: string | null };
}

export interface NoteItem {
  readonly id: string;
  readonly conversation_id: string;
  readonly type: 'note';
  readonly body: string;
  readonly mentions: readonly string[];
  readonly author: Actor;
  readonly created_at: Time;
}

/** What a thread shows. Ids are ordered by time: they order the thread. */
export type ThreadItem = OutboundItem | InboundItem | NoteItem;

/** An event of the numbered feed. Types that the store does not know change nothing. */
export interface LiveEvent {
  readonly id: string;
  readonly sequence: number;
  readonly type: string;
  readonly timestamp: Time;
  readonly data: unknown;
}

export const isNote = (item: ThreadItem): item is NoteItem => item.type === 'note' && !('direction' in item);
export const isOutbound = (item: ThreadItem): item is OutboundItem =>
  'direction' in item && item.direction === 'outbound';
export const isInbound = (item: ThreadItem): item is InboundItem => 'direction' in item && item.direction === 'inbound';
