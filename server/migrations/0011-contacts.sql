-- Contacts as people keep them: what they are called, what is known of them, whether they may be written to.

-- One person, one contact: spellings of the same number have one key (core/phone-key.ts). What exists is brought to it;
-- where both spellings have a contact already, both stay, and a merge is a person's decision.
update contact_identities i set value = '55' || substr(value, 3, 2) || '9' || substr(value, 5)
where kind = 'phone' and value ~ '^55[1-9][1-9][6-9][0-9]{7}$' and not exists (
  select 1 from contact_identities o
  where o.tenant_id = i.tenant_id and o.kind = 'phone' and o.value = '55' || substr(i.value, 3, 2) || '9' || substr(i.value, 5));
update contact_identities i set value = '52' || substr(value, 4)
where kind = 'phone' and value ~ '^521[0-9]{10}$' and not exists (
  select 1 from contact_identities o
  where o.tenant_id = i.tenant_id and o.kind = 'phone' and o.value = '52' || substr(i.value, 4));
update contact_identities i set value = '54' || substr(value, 4)
where kind = 'phone' and value ~ '^549[0-9]{10}$' and not exists (
  select 1 from contact_identities o
  where o.tenant_id = i.tenant_id and o.kind = 'phone' and o.value = '54' || substr(i.value, 4));
create index contact_identities_contact on contact_identities (tenant_id, contact_id);

alter table contacts add column external_id text collate "C";
alter table contacts add column language text;
-- ISO 3166, of the phone number.
alter table contacts add column country text;
alter table contacts add column status text not null default 'active';
alter table contacts add constraint contacts_status_check check (status in ('active', 'blocked'));
alter table contacts add column attributes jsonb not null default '{}';
alter table contacts add column tags text[] not null default '{}';
alter table contacts add column marketing text not null default 'unknown';
alter table contacts add constraint contacts_marketing_check check (marketing in ('granted', 'denied', 'unknown'));
alter table contacts add column marketing_source text;
alter table contacts add column marketing_ms bigint;
-- The texts that conditions compare, folded (core/fold.ts): {"name": {"whole": …, "words": …}, …}.
alter table contacts add column folded jsonb not null default '{}';
-- The contact that took this one in; such a row is kept for the way back and shown nowhere.
alter table contacts add column merged_into uuid;
-- When everything that tells who it is was erased; the row is kept for its messages and shown nowhere.
alter table contacts add column erased_ms bigint;
alter table contacts add column version integer not null default 1;
create unique index contacts_external_id on contacts (tenant_id, external_id) where external_id is not null;
create index contacts_updated on contacts (tenant_id, updated_ms);

-- What contacts are found by: words of their names and their numbers (`w:`), and tags (`t:`), all folded. Compared by
-- bytes, so that a beginning is a span of the key.
create table contact_terms (
  tenant_id uuid not null,
  term text collate "C" not null,
  contact_id uuid not null,
  primary key (tenant_id, term, contact_id)
);
create index contact_terms_contact on contact_terms (tenant_id, contact_id);

-- Every grant and every refusal, with its proof. Rows are only added.
create table contact_consents (
  tenant_id uuid not null,
  entry_id uuid not null,
  contact_id uuid not null,
  marketing text not null check (marketing in ('granted', 'denied', 'unknown')),
  -- Where it comes from: `message`, `api`, `import`, or what the caller says.
  source text not null,
  -- The words that were agreed to or written.
  wording text,
  -- The inbound message that proves it.
  message_id uuid,
  recorded_ms bigint not null,
  primary key (tenant_id, entry_id)
);
create index contact_consents_contact on contact_consents (tenant_id, contact_id, entry_id);

create table contact_attributes (
  tenant_id uuid not null,
  key text collate "C" not null,
  attribute_id uuid not null,
  type text not null check (type in ('text', 'number', 'boolean', 'date', 'list')),
  label text not null,
  version integer not null default 1,
  created_ms bigint not null,
  primary key (tenant_id, attribute_id)
);
create unique index contact_attributes_key on contact_attributes (tenant_id, key);

-- Numbers that are not written to. Processes that accept messages keep the list of a tenant in memory and ask for what
-- changed since: a row that no longer counts stays, with both marks off.
create table suppressions (
  tenant_id uuid not null,
  phone_key text collate "C" not null,
  -- Nothing is sent.
  blocked boolean not null,
  -- No marketing is sent.
  opted_out boolean not null,
  -- The number of the latest change, see suppression_heads.
  change_seq bigint not null,
  primary key (tenant_id, phone_key)
);
create index suppressions_changes on suppressions (tenant_id, change_seq);

-- Taken by the transaction that changes suppressions of a tenant until it commits: numbers are seen in their order.
create table suppression_heads (
  tenant_id uuid primary key,
  last_seq bigint not null
);

-- A condition with a name.
create table segments (
  tenant_id uuid not null,
  segment_id uuid not null,
  name text not null,
  condition jsonb not null,
  -- How many contacts matched when it was last counted.
  contact_count bigint,
  evaluated_ms bigint,
  version integer not null default 1,
  created_ms bigint not null,
  updated_ms bigint not null,
  primary key (tenant_id, segment_id)
);

-- Texts that agents insert by their shortcut.
create table canned_replies (
  tenant_id uuid not null,
  reply_id uuid not null,
  shortcut text collate "C" not null,
  body text not null,
  version integer not null default 1,
  created_ms bigint not null,
  updated_ms bigint not null,
  primary key (tenant_id, reply_id)
);
create unique index canned_replies_shortcut on canned_replies (tenant_id, shortcut);

-- A file of contacts that is brought in, a portion per transaction: the counts and the place in the file commit with it.
create table imports (
  tenant_id uuid not null,
  import_id uuid not null,
  -- The uploaded file.
  media_id uuid not null,
  format text not null check (format in ('csv', 'ndjson')),
  mode text not null check (mode in ('create', 'update', 'upsert')),
  match_on text not null check (match_on in ('phone', 'external_id')),
  -- Column of the file -> field of a contact; null: as the columns are called.
  mapping jsonb,
  dry_run boolean not null,
  status text not null check (status in ('queued', 'running', 'completed', 'failed')),
  -- Rows of the file that are done; known as the total once it is completed.
  total integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  skipped integer not null default 0,
  failed integer not null default 0,
  invalid integer not null default 0,
  duplicate_in_file integer not null default 0,
  -- Why the file as a whole could not be read to its end.
  error text,
  -- Nobody else works on it until then.
  lease_until_ms bigint not null default 0,
  created_ms bigint not null,
  updated_ms bigint not null,
  finished_ms bigint,
  primary key (tenant_id, import_id),
  check (total = created + updated + unchanged + skipped + failed + invalid + duplicate_in_file),
  check ((finished_ms is not null) = (status in ('completed', 'failed')))
);
create index imports_due on imports (lease_until_ms) where finished_ms is null;

-- Rows of a file that did not become contacts, with the reason.
create table import_errors (
  tenant_id uuid not null,
  import_id uuid not null,
  -- Counted from 1, without the header.
  row_number integer not null,
  outcome text not null check (outcome in ('skipped', 'failed', 'invalid', 'duplicate_in_file')),
  reason text not null,
  primary key (tenant_id, import_id, row_number)
);
