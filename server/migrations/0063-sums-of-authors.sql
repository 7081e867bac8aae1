--! stepwise
-- Messages are also counted by who had them sent: `author` (kind and id) and `author_kind`.
alter table analytics_messages drop constraint if exists analytics_messages_dimension_check;
alter table analytics_messages add constraint analytics_messages_dimension_check check (dimension in ('all', 'number', 'type', 'template', 'campaign', 'category', 'error', 'author', 'author_kind')) not valid;
alter table analytics_messages validate constraint analytics_messages_dimension_check;
alter table analytics_message_days drop constraint if exists analytics_message_days_dimension_check;
alter table analytics_message_days add constraint analytics_message_days_dimension_check check (dimension in ('all', 'number', 'type', 'template', 'campaign', 'category', 'error', 'author', 'author_kind')) not valid;
alter table analytics_message_days validate constraint analytics_message_days_dimension_check;
