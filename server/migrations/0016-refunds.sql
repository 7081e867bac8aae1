-- Money that goes back: refunds at the payment gateway, and messages that are sent after their hold was given back.

-- When a status or the operator brought a message back that seemed to have failed. With an amount of 0 its hold had been
-- given back by then: what the message costs is taken from what is available.
alter table wallet_holds add column revived_ms bigint;
alter table wallet_holds drop constraint wallet_holds_amount_micros_check;
alter table wallet_holds add constraint wallet_holds_amount
  check (amount_micros > 0 or (amount_micros = 0 and revived_ms is not null));

-- The newest line of the ledger: lines are read in the order of their ids, so a line is written under an id of before only
-- when that is higher.
alter table wallets add column last_transfer_id uuid;

-- In minor units, all refunds of a payment together: what the gateway told, and what was taken from the wallet for it.
-- They differ until the payment is credited, and while not so much is available.
alter table wallet_topups add column refund_told bigint not null default 0;
alter table wallet_topups add constraint wallet_topups_refund_told_check check (refund_told >= 0);
alter table wallet_topups add column refund_taken bigint not null default 0;
alter table wallet_topups add constraint wallet_topups_refund_taken check (refund_taken between 0 and refund_told);
create index wallet_topups_refunds_owed on wallet_topups (tenant_id, topup_id)
  where status = 'paid' and refund_taken < least(refund_told, paid_amount);
