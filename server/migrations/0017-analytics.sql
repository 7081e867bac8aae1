-- What tenants' reports read: sums by quarters of an hour (the finest step of any time zone's offset), made from the events
-- in their order. The cursor moves in the transaction that adds to the sums, so each event counts exactly once.

create table analytics_cursors (
  tenant_id uuid primary key,
  -- Number of the last event that is in the sums.
  last_seq bigint not null,
  -- When the newest event of the sums was recorded.
  as_of_ms bigint not null
);

-- Messages, counted once for each dimension: a report of all, of one number or of one campaign walks one range of the key.
-- Outbound messages count in the quarter in which they were accepted, whatever happens to them later.
create table analytics_messages (
  tenant_id uuid not null,
  dimension text collate "C" not null
    check (dimension in ('all', 'number', 'type', 'template', 'campaign', 'category', 'error')),
  key text collate "C" not null,
  -- Since 1970, UTC.
  quarter integer not null,
  accepted bigint not null default 0,
  sent bigint not null default 0,
  delivered bigint not null default 0,
  read bigint not null default 0,
  failed bigint not null default 0,
  replied bigint not null default 0,
  received bigint not null default 0,
  primary key (tenant_id, dimension, key, quarter)
) with (fillfactor = 80);

-- When the customer answered it: set by the first inbound message that quotes it, or that comes to the same number within three
-- days while it is the newest message to that customer.
alter table outbound_messages add column replied_ms bigint;
-- Breakdowns: all keys of a dimension within a time.
create index analytics_messages_time on analytics_messages (tenant_id, dimension, quarter);
