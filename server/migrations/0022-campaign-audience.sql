-- Campaigns whose recipients are chosen by a condition or come from a file, that know what became of each message, and
-- that pause themselves when too many of them fail.

-- The segment that it is for; null: none, or a condition of its own.
alter table campaigns add column segment_id uuid;
-- The condition about contacts; of a segment as it was when the campaign was told to start.
alter table campaigns add column audience jsonb;
-- Whether members of the audience are still to be taken in.
alter table campaigns add column audience_pending boolean not null default false;
-- Contacts made until this moment are judged, and times of the condition count from it.
alter table campaigns add column audience_ms bigint;
-- Contacts up to this one are judged.
alter table campaigns add column audience_cursor uuid;
-- Members without a phone number, and those beyond the limit of a campaign.
alter table campaigns add column left_out integer not null default 0;
-- Recipients whose message left, and whose message failed.
alter table campaigns add column sent integer not null default 0;
alter table campaigns add column failed integer not null default 0;
-- Number of the last event of the tenant that outcomes were read from.
alter table campaigns add column event_seq bigint not null default 0;
-- Pauses itself when more than this share of the last breaker_of outcomes are bad; null: never.
alter table campaigns add column breaker_percent smallint default 50;
alter table campaigns add constraint campaigns_breaker_percent_check check (breaker_percent between 1 and 100);
alter table campaigns add column breaker_of smallint not null default 200;
alter table campaigns add constraint campaigns_breaker_of_check check (breaker_of between 20 and 1000);
-- The last outcomes, newest last: o good, x bad.
alter table campaigns add column recent text not null default '';
alter table campaigns drop constraint campaigns_status_check;
alter table campaigns add constraint campaigns_status_check
  check (status in ('draft', 'scheduled', 'preparing', 'running', 'paused', 'completed', 'canceled'));
alter table campaigns add constraint campaigns_settled_check check (sent >= 0 and failed >= 0 and sent + failed <= accepted);
-- Campaigns that were accepted whole before outcomes were known have them all as sent.
update campaigns set sent = accepted where status in ('completed', 'canceled');

-- sent and failed: what became of the message. A waiting recipient may have the id of a message that was certainly not
-- accepted: it gets that id again, so that whoever comes late with it makes no second message.
alter table campaign_recipients drop constraint campaign_recipients_status_check;
alter table campaign_recipients drop constraint campaign_recipients_check;
alter table campaign_recipients drop constraint campaign_recipients_check1;
update campaign_recipients r set status = 'sent' from campaigns c
where c.tenant_id = r.tenant_id and c.campaign_id = r.campaign_id and c.status in ('completed', 'canceled')
  and r.status = 'accepted';
alter table campaign_recipients add constraint campaign_recipients_status_check
  check (status in ('waiting', 'taken', 'accepted', 'sent', 'failed', 'skipped'));
alter table campaign_recipients add constraint campaign_recipients_message_check
  check (status in ('waiting', 'skipped') or message_id is not null);
alter table campaign_recipients add constraint campaign_recipients_reason_check
  check ((status in ('failed', 'skipped')) = (reason is not null));
create index campaign_recipients_reason on campaign_recipients (tenant_id, campaign_id, (reason ->> 'code'), place)
  where reason is not null;

-- Files of recipients that are brought into a draft.
create table campaign_imports (
  tenant_id uuid not null,
  import_id uuid not null,
  campaign_id uuid not null,
  -- The uploaded file.
  media_id uuid not null,
  format text not null check (format in ('csv', 'ndjson')),
  -- Column of the file -> to, or the name of a variable; null: as the columns are called.
  mapping jsonb,
  dry_run boolean not null,
  status text not null check (status in ('queued', 'running', 'completed', 'failed')),
  -- Rows of the file that are done.
  total integer not null default 0,
  added integer not null default 0,
  -- An earlier row has the number, or the campaign had it before.
  duplicates integer not null default 0,
  invalid integer not null default 0,
  -- Why the file as a whole was not brought in to its end.
  error text,
  -- Nobody else works on it until then.
  lease_until_ms bigint not null default 0,
  created_ms bigint not null,
  updated_ms bigint not null,
  finished_ms bigint,
  primary key (tenant_id, import_id),
  check (total = added + duplicates + invalid),
  check ((finished_ms is not null) = (status in ('completed', 'failed')))
);
create index campaign_imports_due on campaign_imports (lease_until_ms) where finished_ms is null;
create index campaign_imports_campaign on campaign_imports (tenant_id, campaign_id, import_id);

-- Rows of a file that did not become recipients, with the reason.
create table campaign_import_errors (
  tenant_id uuid not null,
  import_id uuid not null,
  -- Counted from 1, without the header.
  row_number integer not null,
  outcome text not null check (outcome in ('duplicate', 'invalid')),
  reason text not null,
  primary key (tenant_id, import_id, row_number)
);
