-- A database that was restored from a backup, or a replica that was behind, no longer has all that was done: messages that it calls
-- queued may have been sent. Each time that this is noticed a new history begins. One row per history, the last one counts.
create table database_histories (
  history_id integer primary key,
  -- The server, the database in it and this table in that: another one when a dump was restored.
  server text not null,
  -- The timeline of the server's log: another one when a replica was promoted or a backup was recovered.
  timeline text not null,
  began_ms bigint not null,
  reason text not null check (reason in ('first', 'other_server', 'other_timeline', 'went_back', 'operator')),
  -- Messages that wait since, because they may have been sent.
  held integer not null default 0,
  -- When the history before it was last known to go on: what happened after that may be missing.
  lost_since_ms bigint,
  -- Counted up by every process every few seconds: one that remembers a higher count knows that the database went back.
  mark bigint not null default 0,
  marked_ms bigint not null,
  -- Whether commits waited for a replica when the last mark was made.
  synchronous boolean not null default false
);
