-- How far the audit log of each tenant has been forwarded to the operator's log server.

-- The last place of the chain that the log server took; 0: none.
alter table audit_heads add column forwarded_seq bigint not null default 0;
-- Until when a process holds the chain to forward it; of one that is held by none, when it was last forwarded.
alter table audit_heads add column forwarding_until_ms bigint not null default 0;
