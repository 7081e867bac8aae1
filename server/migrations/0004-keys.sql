-- API keys with a rate of their own, the audit log, and the processes that share out the rates.

-- Requests per second; null: the configured default; 0: no limit.
alter table api_keys add column rate_per_second integer;
alter table api_keys add constraint api_keys_rate_per_second_check check (rate_per_second >= 0);

-- Who changed what, written in the transaction of the change. Rows are only ever inserted: no statement of the
-- service updates or deletes one, and nothing secret stands in it.
create table audit_log (
  tenant_id uuid not null,
  entry_id uuid not null,
  created_ms bigint not null,
  -- key: a request with an API key. operator: a command of the operator. service: the service by itself.
  actor text collate "C" not null check (actor in ('key', 'operator', 'service')),
  actor_key_id uuid,
  -- Noun and verb in the past, such as key.revoked.
  action text collate "C" not null,
  target_id text collate "C" not null,
  -- What is worth knowing of the change, by name.
  details jsonb not null,
  -- X-Request-Id of the request, and the address that it came from.
  request_id text,
  address text,
  primary key (tenant_id, entry_id),
  check ((actor = 'key') = (actor_key_id is not null))
);
create index audit_log_target on audit_log (tenant_id, target_id, entry_id);

-- One row per live process of the API. Others watch `beat`: it stands still when the process is gone.
create table api_processes (
  process_id uuid primary key,
  beat bigint not null
);
