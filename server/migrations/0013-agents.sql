-- Who answers: agents and their teams, when the business is open, and who got which conversation.

create table business_hours (
  tenant_id uuid not null,
  hours_id uuid not null,
  name text not null,
  -- A name of the IANA database.
  timezone text not null,
  -- By weekday, a list of intervals: {"mon": [["09:00", "17:00"]], …}.
  weekly jsonb not null,
  -- Dates with intervals of their own: [{"date": "2026-12-25", "name": "Christmas", "intervals": []}].
  holidays jsonb not null,
  -- What holds for teams and numbers that name no hours. At most one per tenant, and true or null.
  is_default boolean check (is_default),
  version integer not null default 1,
  created_ms bigint not null,
  updated_ms bigint not null,
  primary key (tenant_id, hours_id)
);
create unique index business_hours_default on business_hours (tenant_id) where is_default;

create table agents (
  tenant_id uuid not null,
  agent_id uuid not null,
  name text not null,
  email text,
  role text not null check (role in ('owner', 'admin', 'agent')),
  -- What the agent last said. It counts as offline once presence_until_ms has passed.
  availability text not null default 'offline' check (availability in ('online', 'away', 'offline')),
  -- Until when the last sign of life holds. Null: set by hand, holds until it is set again.
  presence_until_ms bigint,
  -- Conversations at once that assignment gives at most.
  max_open integer not null check (max_open between 0 and 10000),
  -- Conversations of the agent that are open or pending. Written with each change of one.
  open_count integer not null default 0 check (open_count >= 0),
  skills text[] not null default '{}',
  -- The caller's own name of the agent.
  external_id text collate "C",
  version integer not null default 1,
  created_ms bigint not null,
  updated_ms bigint not null,
  primary key (tenant_id, agent_id)
) with (fillfactor = 70);
create unique index agents_external on agents (tenant_id, external_id) where external_id is not null;
create index agents_presence on agents (presence_until_ms) where availability <> 'offline' and presence_until_ms is not null;
create index agents_online on agents (tenant_id, agent_id) where availability = 'online';

create table teams (
  tenant_id uuid not null,
  team_id uuid not null,
  name text not null,
  -- manual: people assign. The others: by turns, or to whom the smallest share of the capacity is taken.
  policy text not null check (policy in ('manual', 'round_robin', 'least_loaded')),
  -- Whether a customer gets the agent of the last conversation, when that one is eligible.
  sticky boolean not null default true,
  -- What happens to a conversation that opens again and still has its agent.
  reassign_on_reopen text not null default 'offline' check (reassign_on_reopen in ('offline', 'always', 'never')),
  -- Null: the default hours of the tenant.
  hours_id uuid,
  -- Whose members help when nobody here has room.
  overflow_team_id uuid,
  required_skills text[] not null default '{}',
  -- Takes conversations that have no team. At most one per tenant, and true or null.
  is_default boolean check (is_default),
  version integer not null default 1,
  created_ms bigint not null,
  updated_ms bigint not null,
  primary key (tenant_id, team_id),
  check (overflow_team_id <> team_id)
);
create unique index teams_default on teams (tenant_id) where is_default;

create table team_members (
  tenant_id uuid not null,
  team_id uuid not null,
  agent_id uuid not null,
  -- Grows with each conversation that the team gave: whose is lowest is next.
  turn bigint not null default 0,
  primary key (tenant_id, team_id, agent_id)
);
create index team_members_agent on team_members (tenant_id, agent_id);

-- What assignment decided, and why. Only added to.
create table assignment_log (
  tenant_id uuid not null,
  conversation_id uuid not null,
  entry_id uuid not null,
  at_ms bigint not null,
  -- assigned, unassigned or kept.
  outcome text not null check (outcome in ('assigned', 'unassigned', 'kept')),
  team_id uuid,
  agent_id uuid,
  -- What decided: sticky, round_robin, least_loaded; or why an agent was taken away or kept.
  because text not null,
  -- Who was not chosen, each with a reason.
  skipped jsonb not null,
  primary key (tenant_id, conversation_id, entry_id)
);

-- Conversations that opened again with their agent: whether it stays is still to be decided.
create table assignment_reviews (
  tenant_id uuid not null,
  conversation_id uuid not null,
  asked_ms bigint not null,
  primary key (tenant_id, conversation_id)
);

-- The queue: what waits for an agent, in its order. A row is in it exactly while it waits, so nothing can be forgotten.
create index conversations_queue on conversations (
  tenant_id, (coalesce(team_id, '00000000-0000-0000-0000-000000000000'::uuid)),
  (case priority when 'urgent' then 0 when 'high' then 1 when 'normal' then 2 else 3 end),
  (coalesce(waiting_since_ms, opened_ms)), conversation_id)
  where status = 'open' and assignee_id is null and handled_by <> 'bot';

-- The hours of the number: what tells whether a message came outside them. Null: the default hours of the tenant.
alter table phone_numbers add column hours_id uuid;
-- The agent that the key acts for.
alter table api_keys add column agent_id uuid;
