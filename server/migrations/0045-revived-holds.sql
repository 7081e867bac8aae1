--! stepwise
-- Holds whose lines have ids of their own: found by their messages when these are brought back. The others have the ids of their messages.
create index concurrently if not exists wallet_transfers_held on wallet_transfers (tenant_id, message_id)
  where kind = 'hold' and transfer_id <> message_id;
