-- When the tenant was told that nothing gets through to an endpoint; null: it was not, or something got through since.
alter table webhook_lanes add column failing_told_ms bigint;
