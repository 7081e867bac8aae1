-- Files that are sent after the text of a canned reply, in order.
alter table canned_replies add column media_ids uuid[] not null default '{}';
-- The teams whose members see it; none: everybody sees it.
alter table canned_replies add column team_ids uuid[] not null default '{}';
