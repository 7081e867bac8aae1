import type { JsonObject } from '#core/json';
import type { DeliveryError, TraceEntry } from '#messages/domain/message';

interface OutboundTable {
  tenant_id: string;
  message_id: string;
  type: string;
  to_phone: string;
  phone_number_id: string;
  content: JsonObject;
  campaign_name: string | null;
  client_ref: string | null;
  reply_to: string | null;
  resend_of: string | null;
  priority: number;
  send_at_ms: number | null;
  expires_ms: number;
  created_ms: number;
  updated_ms: number;
  status: 'queued' | 'sent' | 'failed';
  attempts: number;
  network_message_id: string | null;
  accepted_ms: number | null;
  sent_ms: number | null;
  sent_learned_ms: number | null;
  delivered_ms: number | null;
  delivered_learned_ms: number | null;
  read_ms: number | null;
  read_learned_ms: number | null;
  failed_ms: number | null;
  failed_learned_ms: number | null;
  pricing: { category: string | null; billable: boolean | null; model: string | null } | null;
  error: DeliveryError | null;
  possible_duplicate: boolean;
  requeued_after: number;
  contact_id: string | null;
  conversation_id: string | null;
  history: readonly TraceEntry[] | null;
}

interface InboundTable {
  tenant_id: string;
  message_id: string;
  network_message_id: string;
  phone_number_id: string;
  sender: string;
  from_phone: string | null;
  from_user_id: string | null;
  profile_name: string | null;
  type: string;
  body: string | null;
  content: JsonObject;
  reply_to: string | null;
  contact_id: string;
  conversation_id: string;
  network_ms: number;
  created_ms: number;
}

declare module '#database/schema' {
  interface Schema {
    outbound_messages: OutboundTable;
    inbound_messages: InboundTable;
  }
}
