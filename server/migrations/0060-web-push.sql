-- Browsers that agents are notified in while no page is open (Web Push). Without its session, a browser gets nothing.
create table push_subscriptions (
  tenant_id uuid not null,
  subscription_id uuid not null,
  session_id uuid not null,
  agent_id uuid not null,
  user_id uuid not null,
  -- Address at the push service of the browser's maker, and its SHA-256 in hexadecimal.
  endpoint text not null,
  endpoint_hash text collate "C" not null,
  -- What pushes are encrypted for, in base64url: the browser's public key, and a secret that proves that a push is for it.
  p256dh text not null,
  auth text not null,
  created_ms bigint not null,
  -- When the push service last took a push; null: never.
  last_pushed_ms bigint,
  primary key (tenant_id, subscription_id)
);
create unique index push_subscriptions_session on push_subscriptions (tenant_id, session_id);
create index push_subscriptions_agent on push_subscriptions (tenant_id, agent_id);
create index push_subscriptions_endpoint on push_subscriptions (endpoint_hash);

-- Notifications that wait to be pushed, once for each browser.
create table push_queue (
  tenant_id uuid not null,
  notification_id uuid not null,
  subscription_id uuid not null,
  agent_id uuid not null,
  due_ms bigint not null,
  attempts smallint not null default 0,
  created_ms bigint not null,
  primary key (tenant_id, notification_id, subscription_id)
);
create index push_queue_due on push_queue (due_ms);
create index push_queue_agent on push_queue (tenant_id, agent_id);
create index push_queue_subscription on push_queue (tenant_id, subscription_id);
