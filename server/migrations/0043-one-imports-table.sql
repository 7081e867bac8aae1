--! breaking
-- Imports of contacts and imports of campaign recipients become one table. An import that is half done goes on behind its last
-- portion. A portion that a process brings in meanwhile is either stored before this, or not at all.
-- The order is that in which programs look for due work: another one would be a deadlock with them.
lock table imports, import_errors, campaign_imports, campaign_import_errors in access exclusive mode;

-- What the rows of the file are: contacts, or recipients of a draft campaign.
alter table imports add column kind text not null default 'contacts';
alter table imports add constraint imports_kind_check check (kind in ('contacts', 'recipients')) not valid;
alter table imports validate constraint imports_kind_check;
-- The draft that gets the recipients.
alter table imports add column campaign_id uuid;
-- Rows that became recipients, and rows whose number an earlier row has or the campaign had before.
alter table imports add column added integer not null default 0;
alter table imports add column duplicate integer not null default 0;
-- Programs that still run would take an import of recipients for one of contacts: they ask for the old name, and get none.
alter table imports rename column lease_until_ms to leased_until_ms;

alter table imports alter column mode drop not null;
alter table imports alter column match_on drop not null;
alter table imports add constraint imports_kind_fields check (
  (kind = 'contacts') = (mode is not null) and (kind = 'contacts') = (match_on is not null)
  and (kind = 'recipients') = (campaign_id is not null)) not valid;
alter table imports drop constraint imports_check;
alter table imports add constraint imports_total check (
  total = created + updated + unchanged + skipped + failed + invalid + duplicate_in_file + added + duplicate) not valid;
alter table import_errors drop constraint import_errors_outcome_check;
alter table import_errors add constraint import_errors_outcome_check check (
  outcome in ('skipped', 'failed', 'invalid', 'duplicate_in_file', 'duplicate')) not valid;

insert into imports (
  tenant_id, import_id, kind, campaign_id, media_id, format, mapping, dry_run, status, total, added, duplicate, invalid, error,
  leased_until_ms, created_ms, updated_ms, finished_ms)
select tenant_id, import_id, 'recipients', campaign_id, media_id, format, mapping, dry_run, status, total, added, duplicates, invalid,
  error, lease_until_ms, created_ms, updated_ms, finished_ms
from campaign_imports;
insert into import_errors (tenant_id, import_id, row_number, outcome, reason)
select tenant_id, import_id, row_number, outcome, reason from campaign_import_errors;
drop table campaign_import_errors;
drop table campaign_imports;

alter table imports validate constraint imports_kind_fields;
alter table imports validate constraint imports_total;
alter table import_errors validate constraint import_errors_outcome_check;
