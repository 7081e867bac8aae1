-- What agents are told of. Only ids: texts are where they were written.
create table notifications (
  tenant_id uuid not null,
  notification_id uuid not null,
  agent_id uuid not null,
  kind text not null,
  conversation_id uuid,
  message_id uuid,
  note_id uuid,
  -- Who did it; null: nobody in particular.
  actor_kind text,
  actor_id uuid,
  -- Number of the event that it follows from.
  event_seq bigint not null,
  created_ms bigint not null,
  read_ms bigint,
  primary key (tenant_id, notification_id)
);
create unique index notifications_once on notifications (tenant_id, agent_id, event_seq, kind);
create index notifications_list on notifications (tenant_id, agent_id, notification_id);
create index notifications_unread on notifications (tenant_id, agent_id, notification_id) where read_ms is null;
create index notifications_conversation on notifications (tenant_id, conversation_id);
create index notifications_age on notifications (created_ms);

-- Up to which event a tenant's notifications were made.
create table notification_cursors (
  tenant_id uuid not null primary key,
  last_seq bigint not null
);
-- Nobody is told of what happened before.
insert into notification_cursors (tenant_id, last_seq) select tenant_id, last_seq from event_heads;
