--! stepwise
-- Finds messages of a contact that belong to no conversation.
create index concurrently if not exists inbound_messages_loose on inbound_messages (tenant_id, contact_id, message_id) where conversation_id is null;
