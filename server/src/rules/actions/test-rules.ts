import type { AttributeTypes } from '#contacts/domain/contact-attribute';
import { findAttributeTypes } from '#contacts/store/contact-attributes';
import { ApiProblem, type FaultDetail } from '#core/errors';
import type { RuleId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { SqlRunner } from '#database/database';
import { compileRules, givenFaults, ruleFaults } from '#rules/domain/check-rule';
import { type Decision, decide, NO_HISTORY } from '#rules/domain/decide';
import { factsFromGiven, whyAutomated } from '#rules/domain/facts';
import { placedAmong } from '#rules/domain/order';
import type { ChatbotRule, RuleDraft } from '#rules/domain/rule';
import { ruleFields } from '#rules/domain/rule-fields';
import { listRules } from '#rules/store/chatbot-rules';
import type { Runtime } from '#runtime/runtime';

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
  const attributes = await findAttributeTypes(db, tenantId);
  requireNone(givenFaults(given, 'body.given', attributes));
  const saved = await listRules(db, tenantId);
  const rules =
    draft === null ? saved : placedAmong(saved, draftRule(rt, { tenantId, draft, attributes }), draft.position);
  const values = { type: 'text', ...factsFromGiven(given, ruleFields(attributes)) };
  const automated = whyAutomated({ type: String(values.type), isFromOwnNumber: false });
  const moment = { nowMs: rt.clock.now(), silenceOf: null, opened, automated, values };
  const enabled = rules.filter((rule) => rule.enabled);
  return decide(compileRules(enabled, 0, attributes), moment, NO_HISTORY);
}

/** A draft as the rule that it would be, under an id that nothing has. @throws ApiProblem validation_failed with its places in `body.rule` */
export function draftRule(
  rt: Runtime,
  input: Pick<TestRules, 'tenantId'> & { readonly draft: PlacedDraft; readonly attributes: AttributeTypes },
): ChatbotRule {
  const { tenantId, draft, attributes } = input;
  const faults = ruleFaults(draft, attributes);
  requireNone(faults.map((fault) => ({ ...fault, path: fault.path.replace(/^body/, 'body.rule') })));
  const identity = { tenantId, ruleId: rt.newId<RuleId>(), runs: 0, version: 0, createdMs: 0, updatedMs: 0 };
  return { ...draft, ...identity, enabled: true, position: 0 };
}

function requireNone(faults: readonly FaultDetail[]): void {
  const [first] = faults;
  if (first !== undefined) throw new ApiProblem('validation_failed', { sentence: first.message, details: faults });
}
