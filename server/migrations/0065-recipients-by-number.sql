--! stepwise
-- Finds the campaigns that skipped a number, for the timeline of a contact.
create index concurrently if not exists campaign_recipients_skipped on campaign_recipients (tenant_id, phone) where status = 'skipped';
