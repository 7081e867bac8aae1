--! stepwise
-- What is searched: the words of messages, notes, contacts and conversations, beside the tables that hold their texts. A worker follows
-- the events of each tenant and keeps it up to date; it can be emptied and is filled again.
create table if not exists search_documents (
  tenant_id uuid not null,
  -- 1: message, 2: note, 3: contact, 4: conversation.
  kind smallint not null,
  -- Of the message, the note, the contact or the conversation.
  subject_id uuid not null,
  -- The span of ids that it is in, see search_portions.
  portion integer not null,
  -- Its folded words with their places, and facts such as its direction. Each begins with its tenant, kind and portion, so that one
  -- index serves all tenants and a common word of one portion is a short list.
  words tsvector not null,
  primary key (tenant_id, kind, subject_id)
);
create index concurrently if not exists search_documents_words on search_documents
  using gin (words) with (fastupdate = on, gin_pending_list_limit = 256);
-- Spans of ids that follow each other without overlapping. A search looks through them one after the other, newest first.
create table if not exists search_portions (
  tenant_id uuid not null,
  kind smallint not null,
  portion integer not null,
  -- The smallest and the largest id in it.
  first_id uuid not null,
  last_id uuid not null,
  -- How many it took in: when it is full, the next one begins.
  documents integer not null,
  primary key (tenant_id, kind, portion)
);
create unique index concurrently if not exists search_portions_first on search_portions (tenant_id, kind, first_id);
-- How far the worker has come with each tenant.
create table if not exists search_cursors (
  tenant_id uuid primary key,
  -- Number of the last event that is in the index.
  last_seq bigint not null,
  -- What was there before the first event that it followed is taken in newest first: the kind it is at, null once everything is in.
  backfill_kind smallint,
  -- What has ids below this one is still to come; null: everything of the kind.
  backfill_before uuid
);
create index concurrently if not exists search_cursors_unfilled on search_cursors (tenant_id) where backfill_kind is not null;
-- Notes in the order in which they were written.
create unique index concurrently if not exists conversation_notes_id on conversation_notes (tenant_id, note_id);
