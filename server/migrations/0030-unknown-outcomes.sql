--! breaking
-- How many further copies of a message a tenant allows while nobody knows whether the network has it.
alter table tenants add column unknown_resends smallint not null default 1;
alter table tenants add constraint tenants_unknown_resends_check check (unknown_resends between 0 and 2) not valid;
alter table tenants validate constraint tenants_unknown_resends_check;
update tenants set unknown_resends = 0 where on_unknown = 'fail';
alter table tenants drop column on_unknown;

-- How many such copies were decided on since the message was accepted, or last requeued.
alter table send_queue add column resends smallint not null default 0;

-- When the newest callback came that held a status of this number, exact to some seconds. A number of which none comes in
-- since a send says nothing about that send.
create table number_statuses (
  tenant_id uuid not null,
  phone_number_id text collate "C" not null,
  status_ms bigint not null,
  primary key (tenant_id, phone_number_id)
);

-- When a callback was last refused for its signature, exact to some seconds: one row, of the whole service.
create table callback_refusals (
  only_row boolean primary key default true check (only_row),
  refused_ms bigint not null
);

-- Since when this dispatcher leaves the network alone because it does not answer itself, and what came in its place.
alter table dispatchers add column outage_ms bigint;
alter table dispatchers add column outage_reason text;
