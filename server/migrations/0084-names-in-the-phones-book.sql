-- What the contact is called in the book of the business's phone, by the latest report; null: no report named it.
-- As long as `name` is the same, or there is none, a later report changes `name` as well.
alter table contacts add column book_name text;
-- When the phone's book said so last, by the network's clock.
alter table contacts add column book_ms bigint;
