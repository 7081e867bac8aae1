-- What tenants owe for and what they may use: plans, subscriptions and usage.

-- ---- System table: not a tenant's. ----

-- Plans are data: the operator makes and changes them.
create table plans (
  plan_id text collate "C" primary key,
  name text not null,
  -- Per interval, in minor units of the currency (cents).
  price_minor_units bigint not null check (price_minor_units >= 0),
  -- ISO 4217.
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  billing_interval text not null check (billing_interval in ('month', 'year')),
  -- Outbound messages of one calendar month (UTC) that are fair use. Null: no limit.
  fair_use_messages bigint check (fair_use_messages >= 0),
  -- soft: usage beyond it is shown. hard: messages beyond it are refused.
  fair_use_enforcement text not null default 'soft' check (fair_use_enforcement in ('soft', 'hard')),
  -- From this share on the usage is shown as a warning.
  fair_use_warning_percent smallint not null default 80 check (fair_use_warning_percent between 1 and 100),
  -- Bytes of media that a tenant may keep. Null: no limit.
  media_bytes bigint check (media_bytes >= 0),
  -- How long after a missed payment messages are still taken.
  grace_days smallint not null default 7 check (grace_days between 0 and 365),
  -- The plan of every tenant that has no subscription row. True or null, so that at most one row has it.
  is_default boolean check (is_default),
  created_ms bigint not null
);
create unique index plans_default on plans (is_default);

-- Soft, so that nothing refuses a message before an operator says so.
insert into plans (plan_id, name, price_minor_units, currency, billing_interval, fair_use_messages, is_default, created_ms)
values ('standard', 'Standard', 0, 'EUR', 'month', 100000, true, 0);

-- ---- Tables of a tenant ----

-- At most one per tenant. A tenant without a row is active on the default plan, in periods of calendar months.
create table subscriptions (
  tenant_id uuid primary key,
  plan_id text collate "C" not null,
  status text not null check (status in ('trialing', 'active', 'past_due', 'paused', 'canceled')),
  -- Periods are counted from here in steps of the plan's interval.
  anchor_ms bigint not null,
  -- Until then a trial lasts. After it a trialing subscription counts as active.
  trial_ends_ms bigint,
  -- From then on the subscription counts as canceled.
  cancel_at_ms bigint,
  -- When the payment was missed. The plan's grace counts from here.
  past_due_since_ms bigint,
  updated_ms bigint not null,
  check ((status = 'past_due') = (past_due_since_ms is not null)),
  check (status <> 'trialing' or trial_ends_ms is not null)
);

-- Usage, written in the statement or transaction that stores the fact. A month is added up when it is read. No hot row:
-- writers that meet use different slots.
create table usage_counters (
  tenant_id uuid not null,
  -- Days since 1970 in UTC, of the fact itself: when the message was created, the conversation opened.
  day integer not null,
  -- outbound, inbound: messages. category: messages with a price of the network. conversation: opened ones. media: bytes.
  fact text collate "C" not null check (fact in ('outbound', 'inbound', 'category', 'conversation', 'media')),
  -- The number it went over. Empty where there is none.
  phone_number_id text collate "C" not null,
  -- Type of the message, or category of the price. Empty where there is none.
  name text collate "C" not null,
  slot smallint not null check (slot between 0 and 15),
  amount bigint not null,
  primary key (tenant_id, day, fact, phone_number_id, name, slot)
) with (fillfactor = 50);
