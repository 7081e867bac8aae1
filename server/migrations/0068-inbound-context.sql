-- What the message refers to (MessageContext): the quoted message, a mark of forwarding, a product, an error that came with it; null: nothing.
alter table inbound_messages add column context jsonb;
-- The network's id of the group that it was written in; null: it was written to the business alone.
alter table inbound_messages add column group_id text collate "C";
-- Whether the customer said something to the business: only that opens the 24-hour window, waits, is unread and starts rules.
-- A notice of the network, a removed reaction and what is said in a group do not.
alter table inbound_messages add column opens_window boolean not null default true;
-- Null: it belongs to no conversation, as what is said in a group, or a notice about somebody who never wrote.
alter table inbound_messages alter column conversation_id drop not null;
