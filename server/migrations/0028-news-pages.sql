-- What became of messages is not stored a second time. A page that a batch of answers or statuses tells names the messages
-- and what was new of each; what an event says besides is read from the message, where it never changes.
-- One per number, as its message: 1 sent, 2 delivered, 4 read, 8 failed; with it what was known then: 16 its price,
-- 32 that it had failed, 64 its conversation, 128 its contact. Null on other pages.
alter table event_pages add column news smallint[];
-- When that was, by the network's clock; one per number.
alter table event_pages add column at_ms bigint[];
-- Why messages failed, by their ids: a message that is queued again may fail again, of something else.
alter table event_pages add column errors jsonb;
-- What the page comes to for reports: without it each event would be read again, with its message.
alter table event_pages add column sums json;
alter table event_pages add constraint event_pages_check2
  check ((news is null) = (at_ms is null) and (news is null) = (sums is null) and (news is null or message_ids is not null));
