--! stepwise
-- Messages go to user ids as to numbers: whoever is blocked or has opted out is not written to by either.
insert into suppressions (tenant_id, phone_key, blocked, opted_out, change_seq)
select c.tenant_id, i.value, c.status = 'blocked', c.marketing = 'denied', coalesce(h.last_seq, 0)
from contacts c
join contact_identities i on i.tenant_id = c.tenant_id and i.contact_id = c.contact_id and i.kind = 'user_id'
left join suppression_heads h on h.tenant_id = c.tenant_id
where (c.status = 'blocked' or c.marketing = 'denied') and c.merged_into is null and c.erased_ms is null
on conflict (tenant_id, phone_key) do nothing;
