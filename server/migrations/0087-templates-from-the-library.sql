-- The entry of the network's library that a template was taken from and still reads like: its name, and where its buttons lead.
-- Null: its text is the tenant's own.
alter table templates add column library jsonb;
