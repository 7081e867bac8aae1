-- Templates: what a tenant may send outside of conversations, per account of the network, with their review and history.

create table templates (
  tenant_id uuid not null,
  template_id uuid not null,
  -- The account of the network that it belongs to, and its id there. Null: never handed in.
  network_account_id text not null,
  network_template_id text,
  name text not null,
  language text not null,
  category text not null check (category in ('authentication', 'marketing', 'utility')),
  -- What it was before the network changed it, and what the network has announced that it will be.
  previous_category text,
  correct_category text,
  status text not null check (status in ('draft', 'submitted', 'approved', 'rejected', 'paused', 'disabled', 'in_appeal', 'archived', 'deleted')),
  -- Why it is rejected, paused or disabled, in the words of the network.
  reason text,
  quality text not null check (quality in ('green', 'yellow', 'red', 'unknown')),
  parameter_format text not null check (parameter_format in ('positional', 'named')),
  -- A json array in the form of the network, types in upper case.
  components jsonb not null,
  -- Seconds for which a message is worth delivering. Null: as long as the network likes.
  message_ttl_s integer,
  -- Grows with each change of what it says.
  version integer not null,
  -- The version that the network has, and since when.
  submitted_version integer,
  submitted_ms bigint,
  -- What may be sent, {category, parameter_format, components, message_ttl_s}: the text approved last. Null: nothing.
  live jsonb,
  -- When it was last read from the network.
  synced_ms bigint,
  -- The time of the last news of the network of each kind, {status, quality, category, components}.
  told_ms jsonb not null default '{}',
  deleted_ms bigint,
  created_ms bigint not null,
  updated_ms bigint not null,
  primary key (tenant_id, template_id),
  check ((status = 'deleted') = (deleted_ms is not null))
);
create unique index templates_names on templates (tenant_id, network_account_id, name, language) where deleted_ms is null;
-- The news of the network names account and template, not the tenant.
create index templates_network on templates (network_account_id, name, language) where deleted_ms is null;

-- One row per version of what a template says.
create table template_versions (
  tenant_id uuid not null,
  template_id uuid not null,
  version integer not null,
  category text not null,
  parameter_format text not null,
  components jsonb not null,
  message_ttl_s integer,
  created_ms bigint not null,
  -- When it was handed in as an edit of an approved template: the network limits those. Null: it was not.
  edit_ms bigint,
  primary key (tenant_id, template_id, version)
);

-- What happened to a template, oldest first by entry_id.
create table template_history (
  tenant_id uuid not null,
  template_id uuid not null,
  entry_id uuid not null,
  kind text not null,
  -- Who changed it: a request (api), a callback (network), or reading the list of the network (sync).
  cause text not null check (cause in ('api', 'network', 'sync')),
  details jsonb not null,
  at_ms bigint not null,
  primary key (tenant_id, template_id, entry_id)
);

-- The accounts of the network whose templates were read, and how the last reading ended.
create table template_accounts (
  tenant_id uuid not null,
  network_account_id text not null,
  -- When the list was last read to its end. Null: never, so that an unknown name may exist at the network.
  synced_ms bigint,
  tried_ms bigint not null,
  -- One sentence. Null: the last reading went well.
  error text,
  primary key (tenant_id, network_account_id)
);

-- Grows with each change of the templates of a tenant, so that whoever remembers them reads them again only then.
create table template_books (
  tenant_id uuid primary key,
  revision bigint not null
);
