--! stepwise
-- Lists what an agent has not sent, in the order of the conversations.
create index concurrently if not exists conversation_drafts_listed on conversation_drafts (tenant_id, agent_id, conversation_id);
drop index concurrently if exists conversation_drafts_agent;
