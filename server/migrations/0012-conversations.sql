-- Conversations as an inbox needs them: who has one, what waits, what was said last; its history, notes and counts.

-- What people call it: counts a tenant's conversations from 1. Null only inside the transaction that opens it.
alter table conversations add column number bigint;
alter table conversations add column assignee_id uuid;
alter table conversations add column team_id uuid;
alter table conversations add column priority text not null default 'normal';
alter table conversations add constraint conversations_priority_check check (priority in ('low', 'normal', 'high', 'urgent'));
alter table conversations add column tags text[] not null default '{}';
-- Who answers: a chatbot, a person, or nobody yet.
alter table conversations add column handled_by text not null default 'none';
alter table conversations add constraint conversations_handled_by_check check (handled_by in ('bot', 'agent', 'none'));
-- Since when the customer waits: the first inbound message that no agent has answered. Null: nobody waits.
alter table conversations add column waiting_since_ms bigint;
-- When an agent first answered.
alter table conversations add column first_response_ms bigint;
alter table conversations add column last_outbound_ms bigint;
-- When a snoozed conversation wakes. Null: when the customer writes.
alter table conversations add column snoozed_until_ms bigint;
-- The latest inbound message that came from an advertisement, and until when messages are free because it was answered.
alter table conversations add column referral_ms bigint;
alter table conversations add column free_entry_until_ms bigint;
-- Who writes an answer at the moment, and until when that counts. A lease of the past is none.
alter table conversations add column lease_agent_id uuid;
alter table conversations add column lease_until_ms bigint;
-- The newest message, as a list shows it. Ids are in the order of time.
alter table conversations add column last_message_id uuid;
alter table conversations add column last_message_inbound boolean;
alter table conversations add column last_message_type text;
-- At most 120 characters of its text.
alter table conversations add column last_message_preview text;
-- Grows with each recorded change. Messages leave it alone.
alter table conversations add column version integer not null default 1;
alter table conversations add column opened_ms bigint not null default 0;
alter table conversations add column resolved_ms bigint;
alter table conversations add column reopened integer not null default 0;
-- Whether what was sent to the customer before it was opened is still to be made part of it.
alter table conversations add column links_due boolean not null default true;
alter table conversations add constraint conversations_resolved check ((status = 'resolved') = (resolved_ms is not null));
alter table conversations add constraint conversations_snoozed check (status = 'snoozed' or snoozed_until_ms is null);
alter table conversations add constraint conversations_lease check ((lease_agent_id is null) = (lease_until_ms is null));

update conversations c set opened_ms = c.created_ms, number = n.number, waiting_since_ms = c.last_inbound_ms
from (
  select tenant_id, conversation_id, row_number() over (partition by tenant_id order by created_ms, conversation_id) as number
  from conversations
) n
where n.tenant_id = c.tenant_id and n.conversation_id = c.conversation_id;

-- Every list of the API is a walk of one of these.
drop index conversations_recent;
create index conversations_status on conversations (tenant_id, status, last_message_ms, conversation_id);
create index conversations_activity on conversations (tenant_id, last_message_ms, conversation_id);
create index conversations_assignee on conversations (tenant_id, assignee_id, status, last_message_ms, conversation_id) where assignee_id is not null;
create index conversations_unassigned on conversations (tenant_id, status, last_message_ms, conversation_id) where assignee_id is null;
create index conversations_team on conversations (tenant_id, team_id, status, last_message_ms, conversation_id) where team_id is not null;
create index conversations_phone_number on conversations (tenant_id, phone_number_id, last_message_ms, conversation_id);
create index conversations_waiting on conversations (tenant_id, waiting_since_ms, conversation_id) where waiting_since_ms is not null;
create index conversations_unread on conversations (tenant_id, last_message_ms, conversation_id) where unread_count > 0;
create unique index conversations_number on conversations (tenant_id, number);
create index conversations_links_due on conversations (tenant_id, conversation_id) where links_due;
create index conversations_wake on conversations (snoozed_until_ms) where snoozed_until_ms is not null;
-- Conversations by tag. Most have none, and cost nothing here.
create index conversations_tags on conversations using gin (tags) where tags <> '{}';
-- A search by the beginning of a contact's name or number.
create index contacts_name_begins on contacts (tenant_id, lower(coalesce(name, profile_name)) text_pattern_ops);
create index contacts_phone_begins on contacts (tenant_id, phone text_pattern_ops);

-- The highest number that a conversation of a tenant has.
create table conversation_numbers (
  tenant_id uuid primary key,
  last_number bigint not null
);
insert into conversation_numbers (tenant_id, last_number)
select tenant_id, count(*) from conversations group by tenant_id;

-- What was changed about a conversation, by whom and why. Rows are added and never changed.
create table conversation_events (
  tenant_id uuid not null,
  conversation_id uuid not null,
  event_id uuid not null,
  at_ms bigint not null,
  actor_kind text not null check (actor_kind in ('agent', 'key', 'rule', 'system')),
  actor_id text,
  -- A short slug: api, inbound, snooze_over, rule, assignment.
  cause text not null,
  -- {field: [old, new]} in the names and spellings of the API.
  changes jsonb not null,
  primary key (tenant_id, conversation_id, event_id)
);

-- What agents write to each other; the customer never sees it.
create table conversation_notes (
  tenant_id uuid not null,
  conversation_id uuid not null,
  note_id uuid not null,
  body text not null,
  -- Agents who are called.
  mentions uuid[] not null default '{}',
  author_kind text not null check (author_kind in ('agent', 'key', 'rule', 'system')),
  author_id text,
  created_ms bigint not null,
  primary key (tenant_id, conversation_id, note_id)
);

-- How many conversations there are of each kind, as differences: each change adds rows, so writers never wait for each
-- other. The sum is the count. Maintenance adds old rows up.
create table conversation_counts (
  tenant_id uuid not null,
  entry_id uuid not null,
  status text not null,
  assignee_id uuid,
  team_id uuid,
  is_waiting boolean not null,
  amount bigint not null,
  primary key (tenant_id, entry_id)
);
insert into conversation_counts (tenant_id, entry_id, status, assignee_id, team_id, is_waiting, amount)
select tenant_id, gen_random_uuid(), status, assignee_id, team_id, waiting_since_ms is not null, count(*)
from conversations group by tenant_id, status, assignee_id, team_id, waiting_since_ms is not null;

-- What a message of a customer whose conversation is resolved does: opens that one again, opens a new one, or opens
-- a new one when it was resolved at least reopen_hours ago.
alter table phone_numbers add column reopen_policy text not null default 'new_after';
alter table phone_numbers add constraint phone_numbers_reopen_policy_check
  check (reopen_policy in ('reopen_last', 'new_after', 'always_new'));
alter table phone_numbers add column reopen_hours integer not null default 24;
alter table phone_numbers add constraint phone_numbers_reopen_hours_check check (reopen_hours between 1 and 8760);

-- The advertisement that brought the customer, as the network told it.
alter table inbound_messages add column referral jsonb;
