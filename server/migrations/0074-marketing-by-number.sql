-- Customers tell the network to stop marketing from one business number, and to resume it: [{phoneNumberId, marketing, atMs}], of each number the latest word.
alter table contacts add column number_consents jsonb not null default '[]';
-- The sending number that a change of consent is about; null: all.
alter table contact_consents add column phone_number_id text;
-- Sending numbers that the person takes no marketing from.
alter table suppressions add column stopped_numbers text[] not null default '{}';
