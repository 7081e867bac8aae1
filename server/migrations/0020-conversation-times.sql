-- What time alone brings about: conversations that end because nothing happens, and windows that are about to close.

-- Hours without anything happening after which a conversation is resolved. Null: never.
alter table phone_numbers add column resolve_idle_hours integer;
alter table phone_numbers add constraint phone_numbers_resolve_idle_hours_check check (resolve_idle_hours between 1 and 8760);
-- Whether it is also resolved while the customer waits for an answer.
alter table phone_numbers add column resolve_idle_waiting boolean not null default false;
create index phone_numbers_resolve_idle on phone_numbers (tenant_id, phone_number_id) where resolve_idle_hours is not null;

alter table conversations
  -- The end of the window of which it was told that it comes near. Another end is another window.
  add column window_told_ms bigint;

-- What has been quiet for longest, by number, those who wait apart: they usually stay, and must not be looked at again and again.
create index conversations_idle on conversations (
  tenant_id, phone_number_id, (waiting_since_ms is not null), (greatest(last_message_ms, updated_ms)), conversation_id)
  where status in ('open', 'pending');
-- Windows that end next and of which nobody was told yet.
create index conversations_window_closing on conversations (window_expires_ms, tenant_id, conversation_id)
  where status <> 'resolved' and window_told_ms is distinct from window_expires_ms;

-- Retention of decisions of assignment: entries are in the order of their ids, over all tenants.
create index assignment_log_age on assignment_log (entry_id);

-- Filters of the list that walked the whole inbox.
create index conversations_priority on conversations (tenant_id, priority, last_message_ms, conversation_id) where priority <> 'normal';
create index conversations_updated on conversations (tenant_id, updated_ms);
