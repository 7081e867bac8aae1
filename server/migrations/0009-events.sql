-- What happened, for each tenant in one order without gaps.
--
-- A transaction that has something to tell takes the next numbers of its tenant in `event_heads` as its last statement,
-- so numbers are given in the order of commits: a reader that has seen number n has seen all before it, and none of them
-- can appear later. Events that were committed together are one row, a page: a batch of 500 messages costs one insert.

create table event_heads (
  tenant_id uuid primary key,
  -- The number of the newest event.
  last_seq bigint not null
) with (fillfactor = 50);

-- Read once or twice and soon gone: compressing costs more than it saves, and begins only at 8 kB.
create table event_pages (
  tenant_id uuid not null,
  last_seq bigint not null,
  first_seq bigint not null,
  recorded_ms bigint not null,
  -- The types that stand on it, each once: a reader of other types skips the page.
  types text[] not null,
  -- JSON array of {type, data}, one per number. Null on a page of accepted messages.
  body text,
  -- Messages that were accepted together, one per number: what a `message.queued` tells never changes, and is read from
  -- the message.
  message_ids uuid[],
  primary key (tenant_id, last_seq),
  check ((body is null) <> (message_ids is null)),
  check (first_seq between 1 and last_seq)
) with (toast_tuple_target = 8160);
create index event_pages_recorded on event_pages (recorded_ms);

-- What the latest change of a message was the first to tell, as bits: 1 sent, 2 delivered, 4 read, 8 failed. Set by each
-- update from the row as it was, so that of two that meet only one tells.
alter table outbound_messages add column news smallint not null default 0;
