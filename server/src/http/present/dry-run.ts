import type { JsonObject } from '#core/json';
import type { DryRun, Remark } from '#operations/dry-run';

/** What a dry run found. No price is known here, so that the cost is null. */
export function presentDryRun({ blockers, warnings, category, etaS }: DryRun): JsonObject {
  return {
    would_send: blockers.length === 0,
    blockers: blockers.map(presentRemark),
    warnings: warnings.map(presentRemark),
    category,
    estimated_cost: null,
    eta_s: etaS,
  };
}

function presentRemark({ code, message }: Remark): JsonObject {
  return { code, message };
}
