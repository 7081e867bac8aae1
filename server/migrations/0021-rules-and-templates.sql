-- Places of chatbot rules count from 1 without gaps.
update chatbot_rules r set place = t.place
from (
  select tenant_id, rule_id, row_number() over (partition by tenant_id order by place, rule_id) as place from chatbot_rules
) t
where r.tenant_id = t.tenant_id and r.rule_id = t.rule_id and r.place <> t.place;

-- A tenant may have what cannot leave outside the 24-hour window replaced by a template.
alter table tenants drop constraint tenants_window_policy_check;
alter table tenants add constraint tenants_window_policy_check check (window_policy in ('network', 'refuse', 'template'));
-- The template, which takes no values: its name and its language.
alter table tenants add column fallback_template text;
alter table tenants add column fallback_language text;
alter table tenants add constraint tenants_fallback_check check (
  (fallback_template is null) = (fallback_language is null) and (window_policy <> 'template' or fallback_template is not null)
);
