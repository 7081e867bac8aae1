-- Named conditions about conversations: of one agent, or of all.
create table conversation_views (
  tenant_id uuid not null,
  view_id uuid not null,
  name text not null,
  -- As it was written; checked when it was stored, and again when it is used.
  condition jsonb not null,
  sort text not null default 'last_activity' check (sort in ('last_activity', 'waiting_since')),
  -- Whose it is; null: all agents see it.
  agent_id uuid,
  -- Where it stands among the others; equal ones stand in the order in which they were made.
  position integer not null,
  version integer not null default 1,
  created_ms bigint not null,
  updated_ms bigint not null,
  primary key (tenant_id, view_id)
);
-- A name stands for one view of an agent, or of all. It is also the list of the views of an agent.
create unique index conversation_views_name
  on conversation_views (tenant_id, coalesce(agent_id, '00000000-0000-0000-0000-000000000000'::uuid), lower(name));
