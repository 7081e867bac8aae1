-- Since when a number or user id has been the contact's, by the network's clock; null: not known.
alter table contact_identities add column since_ms bigint;
-- When the contact gave it up for another one; null: it did not.
alter table contact_identities add column left_ms bigint;
