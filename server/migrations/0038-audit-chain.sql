-- The agent that a request acted for, and the chain of hashes over each tenant's audit log.

-- Null: the request acted for no agent, or there was none.
alter table audit_log add column actor_agent_id uuid;

-- Entries that the chain does not hold yet: written with the entry, removed by the transaction that seals it.
create table audit_unsealed (
  tenant_id uuid not null,
  entry_id uuid not null,
  primary key (tenant_id, entry_id)
);
insert into audit_unsealed (tenant_id, entry_id) select tenant_id, entry_id from audit_log;

-- One row per entry, in the order of sealing. The hash covers the entry and the hash before it, so that no entry can be
-- changed, removed or added later without breaking every hash that follows.
create table audit_seals (
  tenant_id uuid not null,
  seq bigint not null check (seq > 0),
  entry_id uuid not null,
  -- SHA-256 in hexadecimal.
  hash text collate "C" not null check (length(hash) = 64),
  sealed_ms bigint not null,
  primary key (tenant_id, seq)
);
create unique index audit_seals_entry on audit_seals (tenant_id, entry_id);

-- The end of each chain; locked while entries are added to it.
create table audit_heads (
  tenant_id uuid primary key,
  seq bigint not null,
  hash text collate "C" not null check (length(hash) = 64)
);
