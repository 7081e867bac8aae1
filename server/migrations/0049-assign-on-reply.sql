-- Whether an agent who answers in a conversation that nobody has gets it.
alter table phone_numbers add column assign_on_reply boolean not null default false;
