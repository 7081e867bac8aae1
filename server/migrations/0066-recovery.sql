-- Whether a person has proved that their email address is theirs: a link in a mail to it was opened while they were signed in.
-- When that was; null: not yet, or the address was changed since.
alter table users add column email_confirmed_ms bigint;
-- The SHA-256 of the token in the latest such mail, and until when it counts; null: no mail was sent to the present address.
alter table users add column email_token_hash text collate "C";
alter table users add column email_token_expires_ms bigint;

-- Whether the link was mailed to somebody who had forgotten their password: with it, every other session of the person ends.
alter table sign_in_links add column recovers boolean not null default false;
