--! stepwise
-- What workers leave out: a tenant at most, as a rule.
create index concurrently if not exists tenants_fenced on tenants (tenant_id) where fence is not null;
