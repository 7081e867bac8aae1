-- One change to many conversations, made in the background.
create table bulk_changes (
  tenant_id uuid not null,
  bulk_change_id uuid not null,
  -- What to change in each conversation; null: it undoes another bulk change.
  change jsonb,
  -- The bulk change that this one undoes.
  undoes uuid,
  -- The bulk change that undoes this one.
  undone_by uuid,
  status text not null check (status in ('queued', 'running', 'completed', 'canceled')),
  -- Who asked for it: the histories of the conversations name the same.
  actor_kind text not null,
  actor_id text,
  -- The conversations, and how many of them have which outcome; the rest is waiting.
  total integer not null,
  changed integer not null default 0,
  unchanged integer not null default 0,
  refused integer not null default 0,
  -- Until when a process works on it. Afterwards another one may take it; the longest over comes first.
  leased_until_ms bigint not null,
  created_ms bigint not null,
  updated_ms bigint not null,
  finished_ms bigint,
  primary key (tenant_id, bulk_change_id),
  check ((change is null) = (undoes is not null)),
  check (changed + unchanged + refused <= total)
);
-- What workers look for.
create index bulk_changes_due on bulk_changes (leased_until_ms) where finished_ms is null;
-- What is removed by age.
create index bulk_changes_finished on bulk_changes (finished_ms) where finished_ms is not null;

-- The conversations of bulk changes, and what became of each.
create table bulk_change_items (
  tenant_id uuid not null,
  bulk_change_id uuid not null,
  -- In the order in which they are changed. An undo has the places of what it undoes.
  place integer not null,
  conversation_id uuid not null,
  outcome text not null default 'waiting' check (outcome in ('waiting', 'changed', 'unchanged', 'refused')),
  -- Of one that was refused: the code and the sentence of the refusal.
  code text,
  reason text,
  -- Of one that was changed: the fields that differ, as they were and as the change left them.
  before jsonb,
  after jsonb,
  primary key (tenant_id, bulk_change_id, place)
);
-- What an erasure looks for.
create index bulk_change_items_conversation on bulk_change_items (tenant_id, conversation_id);
