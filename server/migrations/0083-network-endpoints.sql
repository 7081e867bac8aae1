-- What an endpoint is posted: events, or the callbacks of the network as it sent them.
alter table webhook_endpoints add column format text not null default 'postrider';
alter table webhook_endpoints add constraint webhook_endpoints_format_check check (format in ('postrider', 'network')) not valid;
alter table webhook_endpoints validate constraint webhook_endpoints_format_check;
