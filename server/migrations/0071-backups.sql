-- Backups that were completed, so that it is noticed when there are none any more. One row per backup.
create table backups (
  backup_id text collate "C" primary key,
  -- As the operator named it.
  location text not null,
  -- Everything that was committed before this is in the backup.
  started_ms bigint not null,
  finished_ms bigint not null,
  row_count bigint not null,
  -- Of the compressed rows, without media.
  size bigint not null
);
