import type { ContactId, RuleId, TenantId } from '#core/ids';
import { plainArray } from '#database/arrays';
import { statement, type Transaction } from '#database/database';
import { firstRow } from '#database/rows';
import type { ReplyBudget, RuleHistory } from '#rules/domain/decide';

const LOCK_BUDGET = statement('rule_budget_lock')`
insert into rule_budgets (tenant_id, contact_id, started_ms, replies) values ($1, $2, 0, 0)
on conflict (tenant_id, contact_id) do update set replies = rule_budgets.replies
returning started_ms, replies, paused_until_ms`;
const LAST_RUNS = statement('rule_runs_list')`
select rule_id, last_run_ms from rule_runs where tenant_id = $1 and contact_id = $2`;
const LOCK_LIMITED = statement('rule_runs_limited')`
select rule_id, runs from chatbot_rules where tenant_id = $1 and enabled and max_runs is not null
order by rule_id for update`;

/**
 * What rules did for a contact before. It is held until the transaction ends, so that the messages of a contact are judged
 * one after the other.
 * @param limited whether a rule of the set has max_runs: those are held as well
 */
export async function lockRuleHistory(
  tx: Transaction,
  contact: { readonly tenantId: TenantId; readonly contactId: ContactId; readonly limited: boolean },
): Promise<RuleHistory> {
  const key = [contact.tenantId, contact.contactId];
  const budget = await firstRow(tx.run<ReplyBudget>(LOCK_BUDGET, key));
  const last = await tx.run<{ ruleId: RuleId; lastRunMs: number }>(LAST_RUNS, key);
  const limited = contact.limited
    ? (await tx.run<{ ruleId: RuleId; runs: number }>(LOCK_LIMITED, [contact.tenantId])).rows
    : [];
  return {
    lastRunMs: new Map(last.rows.map(({ ruleId, lastRunMs }) => [ruleId, lastRunMs])),
    runs: new Map(limited.map(({ ruleId, runs }) => [ruleId, runs])),
    budget: budget ?? { startedMs: 0, replies: 0, pausedUntilMs: null },
  };
}

const SAVE_BUDGET = statement('rule_budget_save')`
update rule_budgets set started_ms = $3, replies = $4, paused_until_ms = $5 where tenant_id = $1 and contact_id = $2`;

export async function saveBudget(
  tx: Transaction,
  contact: { readonly tenantId: TenantId; readonly contactId: ContactId },
  budget: ReplyBudget,
): Promise<void> {
  const { startedMs, replies, pausedUntilMs } = budget;
  await tx.run(SAVE_BUDGET, [contact.tenantId, contact.contactId, startedMs, replies, pausedUntilMs]);
}

const NOTE_RUNS = statement('rule_runs_note')`
insert into rule_runs (tenant_id, contact_id, rule_id, last_run_ms)
select $1, $2, t.rule_id, $4 from unnest($3::uuid[]) as t (rule_id)
on conflict (tenant_id, contact_id, rule_id) do update set last_run_ms = excluded.last_run_ms`;
const COUNT_RUNS = statement('rule_runs_count')`
update chatbot_rules set runs = runs + 1 where tenant_id = $1 and rule_id = any($2::uuid[])`;

export interface NotedRuns {
  readonly tenantId: TenantId;
  readonly contactId: ContactId;
  /** Rules that matched and cool down. */
  readonly cooling: readonly RuleId[];
  /** Rules that matched and have max_runs; `lockRuleHistory` holds them. */
  readonly limited: readonly RuleId[];
  readonly nowMs: number;
}

/** Notes which rules matched, as far as later decisions depend on it. */
export async function noteRuns(
  tx: Transaction,
  { tenantId, contactId, cooling, limited, nowMs }: NotedRuns,
): Promise<void> {
  if (cooling.length > 0) await tx.run(NOTE_RUNS, [tenantId, contactId, plainArray(cooling), nowMs]);
  if (limited.length > 0) await tx.run(COUNT_RUNS, [tenantId, plainArray(limited)]);
}
