--! stepwise
-- What workers leave out: a few rows at most.
create index concurrently if not exists tenants_inactive on tenants (tenant_id) where state <> 'active';
