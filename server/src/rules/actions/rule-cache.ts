import { findAttributeTypes } from '#contacts/store/contact-attributes';
import type { TenantId } from '#core/ids';
import type { SqlRunner } from '#database/database';
import { compileRules } from '#rules/domain/check-rule';
import type { RuleSet } from '#rules/domain/rule';
import { listEnabledRules, ruleSetVersion } from '#rules/store/chatbot-rules';

/** The rules of tenants, compiled once per version. */
export interface RuleCache {
  /** What is asked of the database is only the version: the answer is never stale. */
  of(db: SqlRunner, tenantId: TenantId): Promise<RuleSet>;
}

/** Sets in memory; beyond it the oldest is compiled again when it is needed. */
const MAX_SETS = 1_000;

export function makeRuleCache(): RuleCache {
  const known = new Map<TenantId, RuleSet>();
  return {
    of: async (db, tenantId) => {
      const version = await ruleSetVersion(db, tenantId);
      const before = known.get(tenantId);
      if (before?.version === version) return before;
      // A rule asks only for attributes that were defined before it: what is defined later changes no set.
      const rules = await listEnabledRules(db, tenantId);
      const set = compileRules(rules, version, await findAttributeTypes(db, tenantId));
      known.delete(tenantId);
      known.set(tenantId, set);
      if (known.size > MAX_SETS) known.delete(known.keys().next().value as TenantId);
      return set;
    },
  };
}
