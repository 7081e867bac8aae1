-- Erasures of contacts that are not finished: everything but events is erased by the request itself.
create table contact_erasures (
  tenant_id uuid not null,
  contact_id uuid not null,
  -- What an event of the person contains: its ids, and its numbers in every spelling. The row goes when the work is done.
  needles text[] not null,
  -- Events up to this number are done.
  done_seq bigint default 0 not null,
  started_ms bigint not null,
  primary key (tenant_id, contact_id)
);
