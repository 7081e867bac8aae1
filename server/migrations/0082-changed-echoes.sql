-- What a message from the phone said at first and after each edit, oldest first; null: it was never edited.
alter table outbound_messages add column versions jsonb;
-- When a message from the phone was deleted, by the network's clock; null: it is not deleted.
alter table outbound_messages add column deleted_ms bigint;
