-- Who had the message sent: 1 an agent, 2 a chatbot rule, 3 a campaign, 4 an API key, by their ids. Null: from before this was kept.
alter table outbound_messages add column author_kind smallint;
alter table outbound_messages add column author_id uuid;
