-- Whether only the history of the number reported the message: it was written before the API was used.
alter table inbound_messages add column is_past boolean not null default false;
-- The same of messages of the business.
alter table outbound_messages add column is_past boolean not null default false;
