import { ApiProblem, type FaultDetail } from '#core/errors';
import type { RuleId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { compileRules, ruleFaults } from '#core/rules/check-rule';
import { type Decision, decide, NO_HISTORY } from '#core/rules/decide';
import { factsFromJson, whyAutomated } from '#core/rules/facts';
import { type ChatbotRule, MAX_RULES, type RuleDraft } from '#core/rules/rule';
import { ruleFieldNames, ruleFields } from '#core/rules/rule-fields';
import type { Runtime } from '#runtime/runtime';
import { listEnabledRules } from '#storage/chatbot-rules';
import type { SqlRunner } from '#storage/database';

/** A rule that is not saved, with its place; null: behind all others. */
export type PlacedDraft = RuleDraft & { readonly position: number | null };

export interface TestRules {
  readonly tenantId: TenantId;
  /** Values by the names of fields. */
  readonly given: JsonObject;
  readonly opened: boolean;
  readonly draft: PlacedDraft | null;
}

/**
 * What rules would decide about a message, for a contact that they never answered before. Nothing is stored.
 * @throws ApiProblem validation_failed for a value of no field, or a draft that is not valid
 */
export async function testRules(
  rt: Runtime,
  db: SqlRunner,
  { tenantId, given, opened, draft }: TestRules,
): Promise<Decision> {
  demandFields(given);
  const saved = await listEnabledRules(db, tenantId);
  const rules = draft === null ? saved : [...saved, draftRule(rt, tenantId, draft)];
  const values = { type: 'text', ...factsFromJson(given) };
  const automated = whyAutomated({ type: String(values.type), isFromOwnNumber: false });
  const moment = { nowMs: rt.clock.now(), silenceOf: null, opened, automated, values };
  return decide(compileRules(rules, 0), moment, NO_HISTORY);
}

/** A draft as the rule that it would be, under an id that nothing has. @throws ApiProblem validation_failed with its places in `body.rule` */
export function draftRule(rt: Runtime, tenantId: TenantId, draft: PlacedDraft): ChatbotRule {
  demandNone(ruleFaults(draft).map((fault) => ({ ...fault, path: fault.path.replace(/^body/, 'body.rule') })));
  const identity = { tenantId, ruleId: rt.newId<RuleId>(), runs: 0, version: 0, createdMs: 0, updatedMs: 0 };
  return { ...draft, ...identity, enabled: true, position: draft.position ?? LAST };
}

/** Behind every place that can be asked for. */
const LAST = 1_000_000 + MAX_RULES;

function demandFields(given: JsonObject): void {
  const unknown = Object.keys(given).filter((field) => ruleFields(field) === undefined);
  const message = `There is no such field; fields are ${ruleFieldNames.join(', ')}.`;
  demandNone(unknown.map((field) => ({ path: `body.given.${field}`, message })));
}

function demandNone(faults: readonly FaultDetail[]): void {
  const [first] = faults;
  if (first !== undefined) throw new ApiProblem('validation_failed', { sentence: first.message, details: faults });
}
