-- Contacts that turned out to be one person: what was merged, and all that is needed to take it apart again.

create table contact_merges (
  tenant_id uuid not null,
  merge_id uuid not null,
  -- The contact that goes on, and the one that is part of it.
  survivor_id uuid not null,
  merged_id uuid not null,
  -- Counts the merges of a survivor from 1: they are undone from the last one back.
  place integer not null check (place >= 1),
  actor_kind text not null check (actor_kind in ('agent', 'key', 'rule', 'system')),
  actor_id text,
  merged_ms bigint not null,
  undone_ms bigint,
  -- What undoing needs (core/contact-merge.ts); json, since it is compared as it was written. Null once it is undone.
  state json,
  primary key (tenant_id, merge_id),
  check ((undone_ms is null) = (state is not null))
);
-- A contact is part of one other at most.
create unique index contact_merges_current on contact_merges (tenant_id, merged_id) where undone_ms is null;
create index contact_merges_survivor on contact_merges (tenant_id, survivor_id, merge_id);
create index contact_merges_merged on contact_merges (tenant_id, merged_id, merge_id);
-- What is part of a contact.
create index contacts_merged_into on contacts (tenant_id, merged_into) where merged_into is not null;

-- Lists of the few that are not written to, and of those who said something about marketing, among the many.
create index contacts_blocked on contacts (tenant_id, contact_id) where status = 'blocked';
create index contacts_marketing on contacts (tenant_id, marketing, contact_id) where marketing <> 'unknown';
