-- The latest message that the business wrote in the conversation with the app on its phone, by the network's clock.
alter table conversations add column phone_answered_ms bigint;
