-- Where keys may be used from, and which sending numbers they reach.
-- Addresses and networks (CIDR) that the key may be used from. Empty: any.
alter table api_keys add column allowed_ips text[] not null default '{}';
-- The sending numbers that the key is limited to. Empty: all of the tenant.
alter table api_keys add column phone_number_ids text[] not null default '{}';
-- Addresses and networks (CIDR) that keys of the tenant may be used from, whatever a key itself allows. Empty: any.
alter table tenants add column allowed_ips text[] not null default '{}';
