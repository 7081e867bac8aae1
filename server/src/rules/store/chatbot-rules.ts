import type { RuleId, TenantId } from '#core/ids';
import { plainArray } from '#database/arrays';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import { firstRow } from '#database/rows';
import type { ChatbotRule } from '#rules/domain/rule';

const COLUMNS = `tenant_id, rule_id, name, enabled, place as position, trigger, condition as "when", actions, cases, stop,
  cooldown_s, max_runs, active_from_ms, active_until_ms, runs, version, created_ms, updated_ms`;

const LOCK_SET = statement('rule_set_lock')`
insert into rule_sets (tenant_id, version, enabled, silences) values ($1, 1, 0, '{}'::jsonb)
on conflict (tenant_id) do update set version = rule_sets.version + 1`;

/** Takes the rules of a tenant for a change: other changes wait, and what was compiled of them becomes stale. */
export async function lockRuleSet(tx: Transaction, tenantId: TenantId): Promise<void> {
  await tx.run(LOCK_SET, [tenantId]);
}

const COUNT_SET = statement('rule_set_count')`
update rule_sets s set enabled = c.enabled, silences = c.silences
from (
  select count(*) as enabled,
    coalesce(jsonb_object_agg(rule_id, trigger) filter (where trigger->>'on' = 'no_reply'), '{}'::jsonb) as silences
  from chatbot_rules where tenant_id = $1 and enabled
) c where s.tenant_id = $1`;

/** Notes what ingest needs to know of the rules; the last step of a change. */
export async function countRuleSet(tx: Transaction, tenantId: TenantId): Promise<void> {
  await tx.run(COUNT_SET, [tenantId]);
}

const SET_VERSION = statement('rule_set_version')`select version from rule_sets where tenant_id = $1`;

/** Version of the rules of a tenant; 0 when there never was one. */
export async function ruleSetVersion(db: SqlRunner, tenantId: TenantId): Promise<number> {
  const { rows } = await db.run<{ version: number }>(SET_VERSION, [tenantId]);
  return rows[0]?.version ?? 0;
}

const LIST_RULES = statement('chatbot_rules_list')`
select ${COLUMNS} from chatbot_rules where tenant_id = $1 order by place, rule_id`;
const LIST_ENABLED = statement('chatbot_rules_enabled')`
select ${COLUMNS} from chatbot_rules where tenant_id = $1 and enabled order by place, rule_id`;
const FIND_RULE = statement(
  'chatbot_rule_find',
)`select ${COLUMNS} from chatbot_rules where tenant_id = $1 and rule_id = $2`;

/** All rules of a tenant in the order of judging; a tenant has at most MAX_RULES. */
export async function listRules(db: SqlRunner, tenantId: TenantId): Promise<readonly ChatbotRule[]> {
  return (await db.run<ChatbotRule>(LIST_RULES, [tenantId])).rows;
}

/** Those that are switched on. */
export async function listEnabledRules(db: SqlRunner, tenantId: TenantId): Promise<readonly ChatbotRule[]> {
  return (await db.run<ChatbotRule>(LIST_ENABLED, [tenantId])).rows;
}

/** One rule; null when there is none, or it is another tenant's. */
export async function findRule(db: SqlRunner, tenantId: TenantId, ruleId: string): Promise<ChatbotRule | null> {
  return firstRow(db.run<ChatbotRule>(FIND_RULE, [tenantId, ruleId]));
}

const INSERT_RULE = statement('chatbot_rule_insert')`
insert into chatbot_rules (tenant_id, rule_id, name, enabled, place, trigger, condition, actions, cases, stop, cooldown_s,
  max_runs, active_from_ms, active_until_ms, runs, version, created_ms, updated_ms)
values ($1, $2, $3, $4, $5, $6::jsonb, $7::jsonb, $8::jsonb, $9::jsonb, $10, $11, $12, $13, $14, $15, $16, $17, $18)`;
const UPDATE_RULE = statement('chatbot_rule_update')`
update chatbot_rules set name = $3, enabled = $4, place = $5, trigger = $6::jsonb, condition = $7::jsonb,
  actions = $8::jsonb, cases = $9::jsonb, stop = $10, cooldown_s = $11, max_runs = $12, active_from_ms = $13,
  active_until_ms = $14, runs = $15, version = $16, created_ms = $17, updated_ms = $18
where tenant_id = $1 and rule_id = $2`;

function parametersOf(rule: ChatbotRule): readonly unknown[] {
  return [
    rule.tenantId,
    rule.ruleId,
    rule.name,
    rule.enabled,
    rule.position,
    JSON.stringify(rule.trigger),
    rule.when === null ? null : JSON.stringify(rule.when),
    JSON.stringify(rule.actions),
    JSON.stringify(rule.cases),
    rule.stop,
    rule.cooldownS,
    rule.maxRuns,
    rule.activeFromMs,
    rule.activeUntilMs,
    rule.runs,
    rule.version,
    rule.createdMs,
    rule.updatedMs,
  ];
}

export async function insertRule(tx: Transaction, rule: ChatbotRule): Promise<void> {
  await tx.run(INSERT_RULE, parametersOf(rule));
}

/** Writes all of a rule; the caller holds the set. */
export async function updateRule(tx: Transaction, rule: ChatbotRule): Promise<void> {
  await tx.run(UPDATE_RULE, parametersOf(rule));
}

const PLACE_RULES = statement('chatbot_rules_place')`
update chatbot_rules r set place = t.place, version = r.version + 1, updated_ms = $4
from unnest($2::uuid[], $3::integer[]) as t (rule_id, place)
where r.tenant_id = $1 and r.rule_id = t.rule_id and r.place <> t.place`;

/** Gives rules their places; those that move have a new version. */
export async function placeRules(
  tx: Transaction,
  tenantId: TenantId,
  rules: readonly Pick<ChatbotRule, 'ruleId' | 'position'>[],
  nowMs: number,
): Promise<void> {
  const ids = rules.map(({ ruleId }) => ruleId);
  const places = rules.map(({ position }) => position);
  await tx.run(PLACE_RULES, [tenantId, plainArray(ids), plainArray(places), nowMs]);
}

const REMOVE_RULE = statement('chatbot_rule_remove')`
with timers as (delete from rule_timers where tenant_id = $1 and rule_id = $2),
  runs as (delete from rule_runs where tenant_id = $1 and rule_id = $2)
delete from chatbot_rules where tenant_id = $1 and rule_id = $2`;

/** Removes a rule with what it waits for; its decisions stay. */
export async function removeRule(tx: Transaction, tenantId: TenantId, ruleId: RuleId): Promise<void> {
  await tx.run(REMOVE_RULE, [tenantId, ruleId]);
}
