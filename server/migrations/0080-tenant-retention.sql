-- Days that data of the tenant is kept, by kind, where that is less than the installation keeps it: {"events": 7}.
alter table tenants add column retention jsonb not null default '{}';
