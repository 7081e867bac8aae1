-- Which customers are to be blocked at the network, for each sending number that they have written to. A row that is wanted and settled
-- stands for a block at the network, or for a refusal; one that is not wanted goes once the network was told.
create table network_blocks (
  tenant_id uuid not null,
  -- As in contact_identities: the key of a number, or a user id.
  address text not null,
  phone_number_id text collate "C" not null,
  -- As the network is told it.
  recipient text not null,
  -- Whether the customer is to be blocked: the latest word, whatever the network was told before.
  is_wanted boolean not null,
  -- Counts the changes of is_wanted, so that an answer is known to be about the latest.
  revision integer not null default 1,
  -- When the network is told next; null: it was told, and answered for good.
  due_ms bigint,
  -- Until when a process is telling it; null: none is.
  leased_until_ms bigint,
  attempts smallint not null default 0,
  -- Of the network's last refusal; a reason without a code is about our own way to it.
  network_code integer,
  reason text,
  -- When is_wanted changed, or when the network answered for good.
  changed_ms bigint not null,
  constraint network_blocks_pkey primary key (tenant_id, address, phone_number_id)
) with (fillfactor = 85);
create index network_blocks_due on network_blocks (due_ms) where due_ms is not null;
