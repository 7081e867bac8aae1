-- What the customer wrote at first and after each edit, oldest first (MessageVersion); null: it was never edited.
alter table inbound_messages add column versions jsonb;
-- When the customer deleted it, by the network's clock; null: it is not deleted. Its content is gone then.
alter table inbound_messages add column deleted_ms bigint;
