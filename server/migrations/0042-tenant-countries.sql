-- Countries (ISO 3166, two letters) whose numbers the tenant may write to. Empty: any.
alter table tenants add column allowed_countries text[] not null default '{}';
