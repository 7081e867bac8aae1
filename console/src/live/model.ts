/** What the live store holds: the parts of the API's answers and events that its decisions depend on. */
import type * as Sdk from '@postrider/sdk';
import type { Known } from './known.ts';

/** Times of the API, in RFC 3339 and UTC: they sort as text. */
export type Time = string;

export type Actor = Known<Sdk.Actor>;
export type ConversationStatus = Sdk.ConversationStatus;
export type Priority = Sdk.ConversationPriority;
export type ConversationContact = Sdk.ConversationContact;
export type LastMessage = Known<Sdk.LastMessage>;

type HeldOfConversation =
  | ('id' | 'number' | 'contact_id' | 'phone_number_id' | 'status' | 'assignee_id' | 'team_id' | 'priority' | 'tags')
  | ('handled_by' | 'unread_count' | 'waiting_since' | 'snoozed_until' | 'window' | 'lease' | 'last_message')
  | ('last_inbound_at' | 'created_at' | 'updated_at' | 'version');

/** A conversation as its events carry it; only what is read from a list or by its id has the contact. */
export type ConversationState = Known<Pick<Sdk.ConversationState, HeldOfConversation>>;
export type Conversation = ConversationState & Partial<Pick<Sdk.Conversation, 'contact'>>;

/** Events say the most important of it alone. */
export type DeliveryError = Pick<Sdk.DeliveryError, 'code' | 'message'> & Partial<Sdk.DeliveryError>;
type DeliveryTime = 'next_attempt_at' | 'sent_at' | 'delivered_at' | 'read_at' | 'failed_at';
export type Delivery = Known<Pick<Sdk.Delivery, 'state'>> &
  Partial<Pick<Sdk.Delivery, DeliveryTime>> & { readonly error?: DeliveryError | null };

type SaysOfOutbound =
  | 'body'
  | 'template'
  | 'location'
  | 'reaction'
  | 'interactive'
  | 'author'
  | 'send_at'
  | 'edits'
  | 'deleted_at';
type HeldOfOutbound = 'id' | 'status' | 'type' | 'client_ref' | 'reply_to' | 'conversation_id' | 'created_at';

export type OutboundItem = Known<Pick<Sdk.OutboundMessage, 'direction' | HeldOfOutbound>> &
  Partial<Pick<Sdk.OutboundMessage, SaysOfOutbound | 'media'>> & { readonly delivery: Delivery };

type HeldOfInbound =
  | ('id' | 'direction' | 'type' | 'from' | 'profile_name' | 'body' | 'reply_to' | 'conversation_id')
  | ('network_timestamp' | 'received_at' | 'created_at');
type SaysOfInbound =
  | ('summary' | 'opens_window' | 'edits' | 'deleted_at')
  | ('quoted' | 'forwarded' | 'referral' | 'referred_product' | 'flow_response');
type HeldOfCall = 'direction' | 'state' | 'duration_seconds';
type HeldOfMedia = 'status' | 'media_id' | 'mime_type' | 'size' | 'filename';

export type InboundItem = Pick<Sdk.InboundMessage, HeldOfInbound> & {
  readonly media: Known<Pick<Sdk.InboundMedia, HeldOfMedia>> | null;
  /** As the network reports them; the document leaves what is in them open. */
  readonly reaction?: Partial<Sdk.MessageReaction>;
  readonly location?: Pick<Sdk.MessageLocation, 'latitude' | 'longitude'> & Partial<Sdk.MessageLocation>;
  /** Of a call; that of an erased contact has none. */
  readonly call?: Known<Pick<Sdk.VoiceCall, HeldOfCall>>;
} & Partial<Pick<Sdk.InboundMessage, SaysOfInbound>>;

export type NoteItem = Known<Sdk.Note>;

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
/** Who called does not show in the direction: calls are all inbound. */
export const isCall = (item: ThreadItem): item is InboundItem => isInbound(item) && item.type === 'call';
/** Deleted by its author: the customer, or the business on its phone. */
export const isDeleted = (item: ThreadItem): boolean => 'deleted_at' in item && typeof item.deleted_at === 'string';
