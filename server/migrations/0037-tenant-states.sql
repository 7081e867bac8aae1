-- active; suspended: the operator stopped it; deleting: it is being removed, and never comes back.
alter table tenants add column state text default 'active'::text not null;
alter table tenants add constraint tenants_state_check check (state in ('active', 'suspended', 'deleting')) not valid;
alter table tenants validate constraint tenants_state_check;
-- What the operator said when it suspended the tenant: its callers read it.
alter table tenants add column state_reason text;
-- When the state last changed.
alter table tenants add column state_ms bigint;
-- What stays of a tenant that was deleted.
create table deleted_tenants (
  tenant_id uuid not null primary key,
  started_ms bigint not null,
  -- Null: rows are still being removed.
  finished_ms bigint,
  -- Rows removed so far, by table.
  removed jsonb default '{}'::jsonb not null
);
