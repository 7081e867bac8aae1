-- A message changes four times. With 60 % of a page left free, a fifth of these versions had to go to another page and into every index again; with 70 % next
-- to none does, and table and indexes are smaller for it.
alter table outbound_messages set (fillfactor = 30);
