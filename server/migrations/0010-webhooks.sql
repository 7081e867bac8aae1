-- Webhook endpoints of tenants: where their events are posted, how far each endpoint has come, and every delivery.

create table webhook_endpoints (
  tenant_id uuid not null,
  endpoint_id uuid not null,
  url text not null,
  description text,
  -- Types of events that it gets. Null: all, also those that are added later.
  types text[],
  -- Why it gets nothing: person (somebody switched it off), gone (it answered 410), failing (it failed for days).
  disabled_reason text check (disabled_reason in ('person', 'gone', 'failing')),
  disabled_ms bigint,
  -- conversation: events of one conversation one after the other.
  ordering text not null check (ordering in ('none', 'conversation')),
  -- The secret that signs, encrypted, and which key opens it.
  secret_sealed text not null,
  secret_key_id text not null,
  -- The secret before, which signs as well until its time is over.
  old_secret_sealed text,
  old_secret_key_id text,
  old_secret_until_ms bigint,
  version integer not null default 1,
  created_ms bigint not null,
  updated_ms bigint not null,
  primary key (tenant_id, endpoint_id),
  check ((disabled_reason is null) = (disabled_ms is null)),
  check ((old_secret_sealed is null) = (old_secret_until_ms is null))
);

-- What moves with the deliveries of an endpoint, apart from what people edit.
create table webhook_lanes (
  tenant_id uuid not null,
  endpoint_id uuid not null,
  -- The notifier that delivers; each change of owner raises the epoch.
  owner_id uuid,
  epoch bigint not null default 0,
  -- Number of the newest event that was taken: it has a delivery, or its type is not wanted.
  taken_seq bigint not null,
  -- When the first attempt failed after the last that succeeded. Null: the last one succeeded, or there was none.
  failing_since_ms bigint,
  primary key (tenant_id, endpoint_id)
) with (fillfactor = 50);
create index webhook_lanes_owner on webhook_lanes (owner_id);

-- Processes that deliver, watched as dispatchers are.
create table notifiers (
  notifier_id uuid primary key,
  beat bigint not null,
  started_ms bigint not null
);

-- An event on its way to an endpoint, and what became of it.
create table webhook_deliveries (
  tenant_id uuid not null,
  delivery_id uuid not null,
  endpoint_id uuid not null,
  -- The webhook-id: the same in each attempt.
  event_id uuid not null,
  -- Number of the event. Null: an example that somebody asked for, which stands in `body`.
  sequence bigint,
  type text not null,
  body text,
  state text not null check (state in ('pending', 'delivered', 'failed')),
  -- Attempts of the present schedule; sending again by hand starts a new one.
  attempts integer not null default 0,
  -- When the next attempt is due.
  due_ms bigint,
  -- What it must not overtake: deliveries with the same key leave in the order of their numbers. Null: nothing.
  order_key text collate "C",
  -- Until when a failure holds back what comes behind it. Null: there was none yet.
  blocks_until_ms bigint,
  -- Whether what comes behind it may be delivered first: it failed for too long to hold it back.
  overtaken boolean not null default false,
  -- The attempts, oldest first: {atMs, durationMs, status, error, detail, response}.
  log jsonb not null default '[]',
  created_ms bigint not null,
  updated_ms bigint not null,
  primary key (tenant_id, delivery_id),
  check ((state = 'pending') = (due_ms is not null)),
  check ((sequence is null) = (body is not null))
);
-- An event is enqueued once for an endpoint.
create unique index webhook_deliveries_once on webhook_deliveries (tenant_id, endpoint_id, event_id);
create index webhook_deliveries_due on webhook_deliveries (tenant_id, endpoint_id, due_ms) where state = 'pending';
create index webhook_deliveries_order on webhook_deliveries (tenant_id, endpoint_id, order_key, sequence)
  where state = 'pending' and order_key is not null;
create index webhook_deliveries_list on webhook_deliveries (tenant_id, endpoint_id, delivery_id);
create index webhook_deliveries_created on webhook_deliveries (created_ms);
