--! stepwise
-- Messages are found again by the reference of the caller. Those without one are not in the index.
create index concurrently if not exists outbound_messages_client_ref
  on outbound_messages (tenant_id, client_ref, message_id) where client_ref is not null;
