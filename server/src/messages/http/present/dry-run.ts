import type { JsonObject } from '#core/json';
import type { DryRun, Remark } from '#messages/actions/dry-run';

/** What a dry run found. @param currency of the price list */
export function presentDryRun(
  { blockers, warnings, category, costMicros, etaS }: DryRun,
  currency: string,
): JsonObject {
  return {
    would_send: blockers.length === 0,
    blockers: blockers.map(presentRemark),
    warnings: warnings.map(presentRemark),
    category,
    estimated_cost: costMicros === null ? null : { amount_micros: costMicros, currency },
    eta_s: etaS,
  };
}

function presentRemark({ code, message }: Remark): JsonObject {
  return { code, message };
}
