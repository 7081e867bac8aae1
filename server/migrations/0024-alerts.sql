-- What tenants are told of once: how much of their fair use is gone, and a wallet that runs low.

-- Of each month the thresholds that were told: warning (the plan's share), exceeded (all of it). Those of earlier months but
-- the last are removed.
create table usage_alerts (
  tenant_id uuid not null,
  -- First day of the month, in days since 1970 (UTC), as in usage_counters.
  month_day integer not null,
  threshold text not null check (threshold in ('warning', 'exceeded')),
  told_ms bigint not null,
  primary key (tenant_id, month_day, threshold)
);

-- Below this much a tenant is told that its wallet is low, in millionths of the currency. Null: it is not told.
alter table plans add column low_balance_micros bigint;
alter table plans add constraint plans_low_balance_micros_check check (low_balance_micros > 0);

-- Wallets whose tenants were told; the row goes when there is enough again.
create table wallet_alerts (
  tenant_id uuid not null,
  told_ms bigint not null,
  primary key (tenant_id)
);
