--! stepwise
-- A person is one agent of a tenant at most, and is found in all of theirs.
create unique index concurrently if not exists agents_user on agents (tenant_id, user_id) where user_id is not null;
create index concurrently if not exists agents_of_user on agents (user_id) where user_id is not null;
