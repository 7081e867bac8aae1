-- Campaigns: one template to many recipients, each at most once.

create table campaigns (
  tenant_id uuid not null,
  campaign_id uuid not null,
  -- Also the campaign_name of its messages.
  name text collate "C" not null,
  status text not null default 'draft'
    check (status in ('draft', 'scheduled', 'running', 'paused', 'completed', 'canceled')),
  phone_number_id text collate "C",
  template jsonb not null,
  send_at_ms bigint,
  -- Why it is paused; null when it is not.
  pause_reason text,
  -- Recipients in all, and what became of them; the rest waits.
  total integer not null default 0,
  accepted integer not null default 0,
  skipped integer not null default 0,
  -- Recipients before this place were taken already.
  next_place integer not null default 0,
  -- When the next step is due; null when there is none. Whoever moves it ahead has the campaign until then.
  due_ms bigint,
  version integer not null default 1,
  created_ms bigint not null,
  updated_ms bigint not null,
  started_ms bigint,
  finished_ms bigint,
  primary key (tenant_id, campaign_id),
  check ((status = 'paused') = (pause_reason is not null)),
  check (accepted + skipped <= total)
);
create index campaigns_due on campaigns (due_ms) where due_ms is not null;

create table campaign_recipients (
  tenant_id uuid not null,
  campaign_id uuid not null,
  place integer not null,
  phone text collate "C" not null,
  -- Texts for the template's placeholders, by name.
  variables jsonb,
  -- taken: the id of its message is decided, so that a repetition after a crash makes the same message.
  status text not null default 'waiting' check (status in ('waiting', 'taken', 'accepted', 'skipped')),
  message_id uuid,
  -- Why it was skipped: {code, message}.
  reason jsonb,
  primary key (tenant_id, campaign_id, place),
  check ((status in ('taken', 'accepted')) = (message_id is not null)),
  check ((status = 'skipped') = (reason is not null))
);
create unique index campaign_recipients_phone on campaign_recipients (tenant_id, campaign_id, phone);
create index campaign_recipients_status on campaign_recipients (tenant_id, campaign_id, status, place);
