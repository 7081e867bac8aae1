-- How often a canned reply was filled for a customer, and when it last was; null: never.
alter table canned_replies add column use_count bigint not null default 0;
alter table canned_replies add column last_used_ms bigint;
