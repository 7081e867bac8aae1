-- Resending a failed message makes a new one that names the first.

alter table outbound_messages add column resend_of uuid;
