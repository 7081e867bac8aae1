-- The wallet: prices, balances, and the ledger behind them. Amounts are micros: millionths of the currency unit.

-- ---- System table: not a tenant's. ----

-- What a message costs, by the network's category. Never changed: a new price begins at its time.
create table wallet_prices (
  category text collate "C" not null,
  -- Leading digits of the recipient, such as 49. Empty: everywhere else.
  region text collate "C" not null check (region ~ '^[0-9]{0,6}$'),
  effective_from_ms bigint not null,
  unit_price_micros bigint not null check (unit_price_micros >= 0),
  primary key (category, region, effective_from_ms)
);

insert into wallet_prices (category, region, effective_from_ms, unit_price_micros)
values ('marketing', '', 0, 0), ('utility', '', 0, 0), ('authentication', '', 0, 0), ('service', '', 0, 0);

-- ---- Tables of a tenant ----

-- The balances that the ledger adds up to. Locked before anything is booked, so that nobody overdraws.
create table wallets (
  tenant_id uuid primary key,
  available_micros bigint not null check (available_micros >= 0),
  held_micros bigint not null check (held_micros >= 0),
  updated_ms bigint not null
);

-- The ledger: append-only. One row takes from one account and gives to another, so that it adds up to zero whenever it
-- is looked at.
create table wallet_transfers (
  tenant_id uuid not null,
  transfer_id uuid not null,
  kind text not null check (kind in ('topup', 'hold', 'capture', 'release', 'adjustment')),
  from_account text not null check (from_account in ('cash', 'available', 'held', 'revenue')),
  to_account text not null check (to_account in ('cash', 'available', 'held', 'revenue')),
  amount_micros bigint not null check (amount_micros > 0),
  -- available and held together, after this transfer.
  balance_after_micros bigint not null,
  message_id uuid,
  description text not null,
  created_ms bigint not null,
  primary key (tenant_id, transfer_id),
  check (from_account <> to_account)
);

-- What is held for messages whose price the network has not told yet. A row goes when it is captured or released.
create table wallet_holds (
  tenant_id uuid not null,
  message_id uuid not null,
  amount_micros bigint not null check (amount_micros > 0),
  primary key (tenant_id, message_id)
);
