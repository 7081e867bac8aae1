-- Answers that a program or a rule proposes to the agents of a conversation.
create table conversation_suggestions (
  tenant_id uuid not null,
  suggestion_id uuid not null,
  conversation_id uuid not null,
  body text not null,
  -- Who proposes it: a key, a rule or an agent.
  author_kind text not null,
  author_id text,
  status text not null check (status in ('open', 'taken', 'discarded')),
  -- The agent who took it over or threw it away, and when.
  decided_by uuid,
  decided_ms bigint,
  created_ms bigint not null,
  -- One that is open is offered until then; a month later the row is removed.
  expires_ms bigint not null,
  primary key (tenant_id, suggestion_id),
  check ((status = 'open') = (decided_ms is null))
);
create index conversation_suggestions_of on conversation_suggestions (tenant_id, conversation_id, suggestion_id);
create index conversation_suggestions_expired on conversation_suggestions (expires_ms);
