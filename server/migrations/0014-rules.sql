-- Chatbot rules: what tenants wrote, what waits to be judged, what was decided, and the answers that are to leave.

create table chatbot_rules (
  tenant_id uuid not null,
  rule_id uuid not null,
  name text not null,
  enabled boolean not null,
  -- Place in the order of judging, from 1. Rules with the same place stand in the order of their ids.
  place integer not null check (place >= 1),
  -- The four in the API's spelling. No condition: always.
  trigger jsonb not null,
  condition jsonb,
  actions jsonb not null,
  cases jsonb not null,
  -- Whether nothing behind it is judged once it has matched.
  stop boolean not null,
  cooldown_s integer check (cooldown_s > 0),
  max_runs integer check (max_runs > 0),
  active_from_ms bigint,
  active_until_ms bigint,
  -- Matches, counted where max_runs is set.
  runs integer not null default 0,
  version integer not null default 1,
  created_ms bigint not null,
  updated_ms bigint not null,
  primary key (tenant_id, rule_id)
);

-- One row per tenant that ever had a rule. Whoever changes rules takes it first, and so one after the other.
create table rule_sets (
  tenant_id uuid primary key,
  -- Grows with each change: what was compiled of an older version is stale.
  version bigint not null,
  -- Rules that are switched on. Without any no message is queued.
  enabled integer not null,
  -- The silences that switched-on rules wait for: {rule_id: {for_s, who}}.
  silences jsonb not null
);

-- Messages of customers that no rule has seen yet, put here by the transaction that stores them.
create table rule_queue (
  tenant_id uuid not null,
  message_id uuid not null,
  contact_id uuid not null,
  -- Whether the message opened its conversation.
  opened boolean not null,
  attempts smallint not null default 0,
  -- Whoever judges it moves this ahead, as a lease.
  due_ms bigint not null,
  primary key (tenant_id, message_id)
) with (fillfactor = 70);
create index rule_queue_due on rule_queue (due_ms);

-- Silences that rules wait for: at most one per rule and conversation.
create table rule_timers (
  tenant_id uuid not null,
  conversation_id uuid not null,
  rule_id uuid not null,
  -- The decision that it leads to has this id.
  timer_id uuid not null,
  contact_id uuid not null,
  -- The message that it counts from.
  message_id uuid not null,
  started_ms bigint not null,
  due_ms bigint not null,
  primary key (tenant_id, conversation_id, rule_id)
) with (fillfactor = 70);
create index rule_timers_due on rule_timers (due_ms);

-- What was decided: one row per message that was judged, and one per silence that came true.
create table rule_decisions (
  tenant_id uuid not null,
  -- Of the message, or of the timer.
  decision_id uuid not null,
  -- The message that was judged, or that a silence counted from.
  message_id uuid not null,
  contact_id uuid not null,
  conversation_id uuid not null,
  -- The rule whose silence came true. Null: a message was judged.
  silence_of uuid,
  set_version bigint not null,
  opened boolean not null,
  -- Why nothing was judged. Null: it was.
  ignored text,
  -- What conditions could ask about, beside the text of the message: backtests judge by the same values.
  facts jsonb not null,
  -- Every rule with its outcome and its comparisons.
  verdicts jsonb not null,
  -- What was done, in order, with what became of it. Replies have rows of their own.
  actions jsonb not null,
  matched_rules uuid[] not null,
  stopped_by uuid,
  decided_ms bigint not null,
  primary key (tenant_id, decision_id)
);
create index rule_decisions_decided on rule_decisions (decided_ms);
create index rule_decisions_conversation on rule_decisions (tenant_id, conversation_id, decision_id);

-- Answers of rules, written with their decision and sent after its commit. The idempotency key of the send is made of the
-- primary key: a repetition sends nothing.
create table rule_replies (
  tenant_id uuid not null,
  decision_id uuid not null,
  rule_id uuid not null,
  -- Place of the action in its rule.
  action smallint not null,
  -- Place among the replies of the decision.
  place smallint not null,
  -- The recipient, the number it leaves from, and the send in the API's spelling.
  to_phone text not null,
  phone_number_id text not null,
  content jsonb not null,
  -- pending, sent: the message is accepted. failed: it never will be.
  state text not null default 'pending' check (state in ('pending', 'sent', 'failed')),
  message_id uuid,
  -- {code, message} of a failure.
  error jsonb,
  attempts smallint not null default 0,
  -- Null once it is settled.
  due_ms bigint,
  created_ms bigint not null,
  primary key (tenant_id, decision_id, rule_id, action),
  check ((state = 'pending') = (due_ms is not null)),
  check (state <> 'sent' or message_id is not null)
);
create index rule_replies_due on rule_replies (due_ms) where due_ms is not null;
-- Whether a message is an answer of a rule.
create index rule_replies_message on rule_replies (tenant_id, message_id) where message_id is not null;

-- When rules with a cooldown last matched for a contact.
create table rule_runs (
  tenant_id uuid not null,
  contact_id uuid not null,
  rule_id uuid not null,
  last_run_ms bigint not null,
  primary key (tenant_id, contact_id, rule_id)
) with (fillfactor = 70);

-- Automatic replies to a contact within the span that started_ms begins. Judging takes the row first, so that the
-- messages of one contact are judged one after the other.
create table rule_budgets (
  tenant_id uuid not null,
  contact_id uuid not null,
  started_ms bigint not null,
  replies integer not null,
  -- Until then nothing is answered.
  paused_until_ms bigint,
  primary key (tenant_id, contact_id)
) with (fillfactor = 70);
