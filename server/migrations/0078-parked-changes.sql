-- Edits and deletions that came before the message that they are about. They are applied when it is stored.
create table parked_changes (
  tenant_id uuid not null,
  -- The network's id of the message that is changed.
  network_message_id text collate "C" not null,
  -- The network's id of the change itself.
  change_id text collate "C" not null,
  -- Who changed it, digits or a user id.
  sender text not null,
  -- A ContentChange.
  change jsonb not null,
  parked_ms bigint not null,
  constraint parked_changes_pkey primary key (tenant_id, network_message_id, change_id)
);
-- Those that came lately may have missed their message by moments.
create index parked_changes_age on parked_changes (parked_ms);
