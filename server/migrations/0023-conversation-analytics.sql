-- What reports tell of conversations: sums by quarters of an hour, and durations as histograms, made from the events in their
-- order by the step that adds up messages, in the same transaction as its cursor.

-- Conversations, counted once for each dimension (by tag: once for each of its tags), where it happened.
create table analytics_conversations (
  tenant_id uuid not null,
  dimension text collate "C" not null check (dimension in ('all', 'number', 'agent', 'team', 'tag', 'handled_by')),
  key text collate "C" not null,
  -- Since 1970, UTC.
  quarter integer not null,
  opened bigint not null default 0,
  reopened bigint not null default 0,
  resolved bigint not null default 0,
  -- How often one was given to an agent.
  assigned bigint not null default 0,
  -- Answers of persons.
  replies bigint not null default 0,
  primary key (tenant_id, dimension, key, quarter)
) with (fillfactor = 80);
-- Breakdowns: all keys of a dimension within a time.
create index analytics_conversations_time on analytics_conversations (tenant_id, dimension, quarter);

-- How long customers waited and conversations took. Each histogram is a JSON list of buckets and their counts by turns:
-- [bucket, count, bucket, count, ...], which core/duration-histogram.ts describes. Histograms add up, so that the quantiles of any
-- time can be told. Each duration stands in one row of each span: a long time is read from few rows of long spans and the quarters at its
-- edges.
create table analytics_durations (
  tenant_id uuid not null,
  dimension text collate "C" not null check (dimension in ('all', 'number', 'agent', 'team', 'tag', 'handled_by')),
  key text collate "C" not null,
  -- Length in quarters of an hour.
  span smallint not null check (span in (1, 96, 1536)),
  -- Where it begins, in quarters since 1970, UTC: a multiple of the span.
  quarter integer not null,
  -- Each also as time in which the business was open.
  first_response text not null default '[]',
  first_response_business text not null default '[]',
  reply text not null default '[]',
  reply_business text not null default '[]',
  resolution text not null default '[]',
  resolution_business text not null default '[]',
  primary key (tenant_id, dimension, key, span, quarter)
) with (fillfactor = 80);
create index analytics_durations_time on analytics_durations (tenant_id, dimension, span, quarter);

-- The same sums by days of UTC, each written with those of its quarters: a report of 90 days reads 89 of them and the quarters at its
-- edges instead of 8,640 rows for every key. quarter is the first one of the day, a multiple of 96.
create table analytics_message_days (
  tenant_id uuid not null,
  dimension text collate "C" not null
    check (dimension in ('all', 'number', 'type', 'template', 'campaign', 'category', 'error')),
  key text collate "C" not null,
  quarter integer not null check (quarter % 96 = 0),
  accepted bigint not null default 0,
  sent bigint not null default 0,
  delivered bigint not null default 0,
  read bigint not null default 0,
  failed bigint not null default 0,
  replied bigint not null default 0,
  received bigint not null default 0,
  primary key (tenant_id, dimension, key, quarter)
) with (fillfactor = 80);
create index analytics_message_days_time on analytics_message_days (tenant_id, dimension, quarter);

insert into analytics_message_days (
  tenant_id, dimension, key, quarter, accepted, sent, delivered, read, failed, replied, received)
select tenant_id, dimension, key, quarter / 96 * 96, sum(accepted), sum(sent), sum(delivered), sum(read), sum(failed), sum(replied),
  sum(received)
from analytics_messages
group by 1, 2, 3, 4;

create table analytics_conversation_days (
  tenant_id uuid not null,
  dimension text collate "C" not null check (dimension in ('all', 'number', 'agent', 'team', 'tag', 'handled_by')),
  key text collate "C" not null,
  quarter integer not null check (quarter % 96 = 0),
  opened bigint not null default 0,
  reopened bigint not null default 0,
  resolved bigint not null default 0,
  assigned bigint not null default 0,
  replies bigint not null default 0,
  primary key (tenant_id, dimension, key, quarter)
) with (fillfactor = 80);
create index analytics_conversation_days_time on analytics_conversation_days (tenant_id, dimension, quarter);
