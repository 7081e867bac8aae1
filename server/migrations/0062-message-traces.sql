-- The trace that a message belongs to, and the step of it in which the message was accepted, as W3C "traceparent". Null: traces were off.
alter table outbound_messages add column trace_parent text collate "C";
