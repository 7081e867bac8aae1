-- Money that comes in through the payment gateway (top-ups, and subscriptions that are paid there), and prices that are
-- set for the past.

-- A payment into a wallet, from the request to its end.
create table wallet_topups (
  tenant_id uuid not null,
  topup_id uuid not null,
  -- What was asked for, in minor units of the currency (cents).
  amount bigint not null check (amount > 0),
  -- ISO 4217: the wallet's currency when it was asked for.
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  status text not null check (status in ('pending', 'paid', 'expired', 'failed')),
  -- The gateway's id of the checkout, and the page to pay on. Null until the gateway has answered.
  session_id text collate "C",
  checkout_url text,
  -- What was paid and credited, in minor units, and the line of the ledger that credits it.
  paid_amount bigint check (paid_amount > 0),
  transfer_id uuid,
  -- Why it ended as it did, where that is not plain.
  note text,
  -- When the gateway is asked what has become of it, in case its events got lost. Null: there is nothing to ask.
  ask_ms bigint,
  asked integer not null default 0,
  created_ms bigint not null,
  updated_ms bigint not null,
  primary key (tenant_id, topup_id),
  check ((status = 'paid') = (paid_amount is not null)),
  check ((status = 'paid') = (transfer_id is not null)),
  check (status = 'pending' or ask_ms is null)
);
create index wallet_topups_ask on wallet_topups (ask_ms) where ask_ms is not null;

-- The gateway's subscription that pays for this one. Null: the operator moves it by hand.
alter table subscriptions add column gateway_id text collate "C";
-- The status in the last of its events that counted, and when the gateway made that event.
alter table subscriptions add column gateway_status text collate "C";
alter table subscriptions add column gateway_event_ms bigint;
create index subscriptions_gateway on subscriptions (gateway_id) where gateway_id is not null;

-- When messages of the past are to be charged by a price that began before it was set. Null: there are none left.
alter table wallet_prices add column rerate_ms bigint;
-- What was paid for a message. Without the holds: accepting a message writes nothing here.
create index wallet_transfers_paid on wallet_transfers (tenant_id, message_id) where kind in ('capture', 'adjustment');
