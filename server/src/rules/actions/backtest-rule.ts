import { findAttributeTypes } from '#contacts/store/contact-attributes';
import { ApiProblem } from '#core/errors';
import type { ContactId, RuleId, TenantId } from '#core/ids';
import { idFloor } from '#core/ids';
import type { Database } from '#database/database';
import { compileRules, leavesOf } from '#rules/domain/check-rule';
import { decide, NO_BUDGET, type ReplyBudget, type RuleHistory } from '#rules/domain/decide';
import { factsFromJson, factsOf, momentOf } from '#rules/domain/facts';
import { placedAmong } from '#rules/domain/order';
import type { ChatbotRule, RuleSet } from '#rules/domain/rule';
import { listRules } from '#rules/store/chatbot-rules';
import { listPastMessages, type PastMessage } from '#rules/store/rule-facts';
import type { Runtime } from '#runtime/runtime';
import { draftRule, type PlacedDraft } from './test-rules.ts';

/** Messages that one backtest evaluates: a second or two of this process. */
const MAX_MESSAGES = 10_000;
const PAGE = 500;
const MAX_SAMPLES = 20;
const DAY_MS = 24 * 60 * 60 * 1000;

export interface BacktestRule {
  readonly tenantId: TenantId;
  readonly draft: PlacedDraft;
  /** The saved rule that the draft replaces. */
  readonly replaces: string | null;
  readonly days: number;
}

export interface BacktestReport {
  readonly messages: number;
  /** Messages evaluated by the values that were stored with their decision. */
  readonly exact: number;
  readonly matched: number;
  readonly gained: number;
  readonly lost: number;
  readonly complete: boolean;
  readonly samples: readonly PastMessage['message'][];
}

/**
 * Evaluates past messages with a draft among the rules that are on, oldest first, with cooldowns and budgets as they
 * would have been. Nothing is done.
 * @throws ApiProblem validation_failed for a draft that is not valid, or replaces of no rule that is on
 */
export async function backtestRule(
  rt: Runtime,
  db: Database,
  { tenantId, draft, replaces, days }: BacktestRule,
): Promise<BacktestReport> {
  const attributes = await findAttributeTypes(db, tenantId);
  const saved = await listRules(db, tenantId);
  const replaced = replaces === null ? null : requireReplaced(saved, replaces);
  const others = saved.filter(({ ruleId }) => ruleId !== replaced?.ruleId);
  const position = draft.position ?? replaced?.position ?? null;
  const compiled = draftRule(rt, { tenantId, draft, attributes });
  const rule = replaced === null ? compiled : { ...compiled, ruleId: replaced.ruleId };
  const on = placedAmong(others, rule, position).filter(({ enabled }) => enabled);
  const set = compileRules(on, 0, attributes);
  const replay = new Replay(set, rule);
  const nowMs = rt.clock.now();
  const beforeId = idFloor(nowMs + 1);
  let afterId: string = idFloor(nowMs - days * DAY_MS);
  let page: readonly PastMessage[] = [];
  do {
    page = await listPastMessages(db, { tenantId, afterId, beforeId, limit: PAGE });
    for (const past of page) replay.evaluate(past);
    afterId = page.at(-1)?.message.messageId ?? afterId;
    // Others have their turn between two pages.
    await new Promise<void>((resolve) => setImmediate(resolve));
  } while (page.length === PAGE && replay.messages < MAX_MESSAGES);
  return replay.report(page.length < PAGE);
}

function requireReplaced(saved: readonly ChatbotRule[], ruleId: string): ChatbotRule {
  const found = saved.find((rule) => rule.enabled && rule.ruleId === ruleId);
  if (found !== undefined) return found;
  const message = 'replaces does not name a rule of this tenant that is on.';
  throw new ApiProblem('validation_failed', { sentence: message, details: [{ path: 'body.replaces', message }] });
}

/** Evaluates one message after the other, and remembers of each contact what the next evaluation depends on. */
class Replay {
  readonly #set: RuleSet;
  readonly #rule: ChatbotRule;
  /** What the rule asks, beside the words of the message. */
  readonly #asked: readonly string[];
  readonly #lastRuns = new Map<ContactId, Map<RuleId, number>>();
  readonly #budgets = new Map<ContactId, ReplyBudget>();
  readonly #runs = new Map<RuleId, number>();
  readonly #samples: PastMessage['message'][] = [];
  messages = 0;
  #exact = 0;
  #matched = 0;
  #gained = 0;
  #lost = 0;

  constructor(set: RuleSet, rule: ChatbotRule) {
    this.#set = set;
    this.#rule = rule;
    const own = set.rules.find(({ rule: one }) => one.ruleId === rule.ruleId)?.condition ?? null;
    this.#asked = leavesOf(own).flatMap(({ field }) => (field === 'text' ? [] : [field]));
    for (const { rule: one } of set.rules) this.#runs.set(one.ruleId, 0);
  }

  evaluate({ message, decided }: PastMessage): void {
    // What was not kept, since no rule asked for it then, is what is known today.
    const today = factsOf(message, null, this.#set.attributes);
    const facts = decided === null ? today : { ...today, ...factsFromJson(decided.facts) };
    const at = { nowMs: message.createdMs, opened: decided?.opened ?? false, silenceOf: null };
    const decision = decide(this.#set, momentOf(message, facts, at), this.#historyOf(message.contactId));
    const matched = decision.verdicts.filter(({ outcome }) => outcome === 'matched').map(({ ruleId }) => ruleId);
    this.#remember(message.contactId, matched, { nowMs: message.createdMs, budget: decision.budget });
    this.#count({ message, decided }, matched.includes(this.#rule.ruleId));
  }

  report(complete: boolean): BacktestReport {
    const counts = { exact: this.#exact, matched: this.#matched, gained: this.#gained, lost: this.#lost };
    return { messages: this.messages, ...counts, complete, samples: this.#samples };
  }

  #count({ message, decided }: PastMessage, isMatched: boolean): void {
    const wasMatched = decided?.matchedRules.includes(this.#rule.ruleId) ?? false;
    this.messages += 1;
    if (decided !== null && this.#asked.every((field) => Object.hasOwn(decided.facts, field))) this.#exact += 1;
    if (isMatched && !wasMatched) this.#gained += 1;
    if (wasMatched && !isMatched) this.#lost += 1;
    if (!isMatched) return;
    this.#matched += 1;
    if (this.#samples.length < MAX_SAMPLES) this.#samples.push(message);
  }

  #historyOf(contactId: ContactId): RuleHistory {
    const lastRunMs = this.#lastRuns.get(contactId) ?? new Map<RuleId, number>();
    return { lastRunMs, runs: this.#runs, budget: this.#budgets.get(contactId) ?? NO_BUDGET };
  }

  #remember(
    contactId: ContactId,
    matched: readonly RuleId[],
    { nowMs, budget }: { readonly nowMs: number; readonly budget: ReplyBudget },
  ): void {
    const last = this.#lastRuns.get(contactId) ?? new Map<RuleId, number>();
    for (const ruleId of matched) {
      last.set(ruleId, nowMs);
      this.#runs.set(ruleId, (this.#runs.get(ruleId) ?? 0) + 1);
    }
    this.#lastRuns.set(contactId, last);
    this.#budgets.set(contactId, budget);
  }
}
