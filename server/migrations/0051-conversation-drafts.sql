-- What an agent has written in a conversation and not sent.
create table conversation_drafts (
  tenant_id uuid not null,
  conversation_id uuid not null,
  agent_id uuid not null,
  body text not null,
  media_ids uuid[] not null default '{}',
  created_ms bigint not null,
  updated_ms bigint not null,
  primary key (tenant_id, conversation_id, agent_id)
);
create index conversation_drafts_agent on conversation_drafts (tenant_id, agent_id);
