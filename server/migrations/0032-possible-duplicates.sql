--! stepwise
-- Messages that may have arrived twice are few, and people ask for them.
create index concurrently if not exists outbound_messages_possible_duplicate
  on outbound_messages (tenant_id, message_id) where possible_duplicate;
