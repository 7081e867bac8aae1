import { audit } from '#access/actions/audit';
import { type Granted, requireGranted } from '#access/actions/require-granted';
import { requireVersion } from '#access/actions/require-version';
import { changeDetails } from '#access/domain/audit';
import { changesBetween } from '#agents/domain/agent-events';
import type { AttributeTypes } from '#contacts/domain/contact-attribute';
import { findAttributeTypes } from '#contacts/store/contact-attributes';
import type { Requester } from '#core/caller/origin';
import { ApiProblem, type FaultDetail } from '#core/errors';
import type { RuleId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { Database, SqlRunner, Transaction } from '#database/database';
import { type EventSink, withEvents } from '#events/actions/with-events';
import type { CheckDeps } from '#messages/actions/send-checks';
import { compileRules, ruleFaults } from '#rules/domain/check-rule';
import { findConflicts, type RuleFindings } from '#rules/domain/conflicts';
import { scopesOfRule } from '#rules/domain/effect-scopes';
import { numbered, placedAmong } from '#rules/domain/order';
import { type ChatbotRule, MAX_RULES, MAX_SET_STEPS, type RuleDraft } from '#rules/domain/rule';
import { ruleChanges, ruleJson } from '#rules/domain/rule-json';
import { failedCases } from '#rules/domain/run-cases';
import {
  countRuleSet,
  findRule,
  insertRule,
  listRules,
  lockRuleSet,
  placeRules,
  removeRule,
  updateRule,
} from '#rules/store/chatbot-rules';
import type { Runtime } from '#runtime/runtime';
import { requireKnown } from './rule-references.ts';

/** What saving a rule needs. */
export interface RuleDeps {
  readonly rt: Runtime;
  readonly db: Database;
  /** What the checks of a send look up. */
  readonly checks: CheckDeps;
}

/** A rule with what it does to the others, and they to it. */
export interface RuleWithFindings {
  readonly rule: ChatbotRule;
  readonly findings: RuleFindings;
}

/** What to change; what is left out stays as it is. */
export type RuleInput = Partial<RuleDraft> & { readonly position?: number };

export interface CreateRule extends Granted, Requester {
  readonly draft: RuleDraft;
  /** Null: behind all others. */
  readonly position: number | null;
}

/**
 * Creates a rule. Messages that come from the commit on are evaluated by it.
 * @throws ApiProblem validation_failed with all faults, rule_tests_failed when it is to be enabled and its tests fail,
 * conflict for more than MAX_RULES, forbidden when it is to be enabled and the key may not do what it does
 */
export async function createRule(parts: RuleDeps, request: CreateRule): Promise<RuleWithFindings> {
  const { rt, db } = parts;
  const { tenantId, origin, draft, position } = request;
  const attributes = await findAttributeTypes(db, tenantId);
  requireValid(draft, attributes);
  if (draft.enabled) requireGranted(request, scopesOfRule(draft.actions));
  await requireKnown(parts, tenantId, draft.actions);
  return withEvents(rt, db, async (tx, events) => {
    await lockRuleSet(tx, tenantId);
    const others = await listRules(tx, tenantId);
    if (others.length >= MAX_RULES) throw new ApiProblem('conflict', { sentence: TOO_MANY });
    const nowMs = rt.clock.now();
    const identity = { tenantId, ruleId: rt.newId<RuleId>(), position: 0, runs: 0, version: 1 };
    const made: ChatbotRule = { ...draft, ...identity, createdMs: nowMs, updatedMs: nowMs };
    const { rule, rest } = takePlace(others, made, position);
    requireRunnable(rule, others, { nowMs, attributes });
    await insertRule(tx, rule);
    await countRuleSet(tx, tenantId);
    const details = ruleDetails(rule);
    await audit(rt, tx, { tenantId, origin, action: 'rule.created', targetId: rule.ruleId, details });
    events.add({ tenantId, type: 'rule.created', data: ruleJson(rule) });
    await moveRest(tx, events, { tenantId, before: others, rest, nowMs });
    return { rule, findings: findingsOf(rule, rest, attributes) };
  });
}

const TOO_MANY = `A tenant can have at most ${MAX_RULES} chatbot rules. Delete one first.`;

/** A request that changes a rule. */
export interface RuleRequest extends Requester {
  readonly ruleId: string;
  /** From If-Match; null: any version. */
  readonly versions: readonly number[] | null;
}

/** @throws ApiProblem not_found, precondition_failed, and as createRule does */
export async function changeRule(
  parts: RuleDeps,
  request: RuleRequest & Granted,
  wish: RuleInput,
): Promise<RuleWithFindings> {
  const { rt, db } = parts;
  const { tenantId, origin, ruleId } = request;
  await requireKnown(parts, tenantId, wish.actions ?? []);
  const attributes = await findAttributeTypes(db, tenantId);
  return withEvents(rt, db, async (tx, events) => {
    await lockRuleSet(tx, tenantId);
    const all = await listRules(tx, tenantId);
    const before = requireRule(all, request);
    const nowMs = rt.clock.now();
    const others = all.filter((other) => other.ruleId !== ruleId);
    const { rule: wanted, rest } = takePlace(others, { ...before, ...wish }, wish.position ?? before.position);
    requireValid(wanted, attributes);
    if (wanted.enabled) requireGranted(request, scopesOfRule(wanted.actions));
    requireRunnable(wanted, others, { nowMs, attributes });
    const changes = ruleChanges(before, wanted);
    if (changes === null) return { rule: before, findings: findingsOf(before, others, attributes) };
    const rule: ChatbotRule = { ...wanted, version: before.version + 1, updatedMs: nowMs };
    await updateRule(tx, rule);
    await countRuleSet(tx, tenantId);
    const details = changeDetails(changes, SHOWN);
    await audit(rt, tx, { tenantId, origin, action: 'rule.changed', targetId: ruleId, details });
    events.add({ tenantId, type: 'rule.updated', data: { ...ruleJson(rule), changes } });
    await moveRest(tx, events, { tenantId, before: others, rest, nowMs });
    return { rule, findings: findingsOf(rule, rest, attributes) };
  });
}

/** Fields of a rule that say nothing of messages or people: its conditions, answers and tests do. */
const SHOWN = ['name', 'enabled', 'position', 'stop', 'cooldown_s', 'max_runs', 'active_from', 'active_until'];

function ruleDetails({ name, enabled, actions }: ChatbotRule): JsonObject {
  return { name, enabled, actions: actions.map(({ action }) => action) };
}

/** The rule at its place, and the others where that leaves them. */
function takePlace(others: readonly ChatbotRule[], made: ChatbotRule, place: number | null) {
  const placed = placedAmong(others, made, place);
  const rule = placed.find(({ ruleId }) => ruleId === made.ruleId) ?? made;
  return { rule, rest: placed.filter((other) => other !== rule) };
}

interface MovedRules {
  readonly tenantId: TenantId;
  readonly before: readonly ChatbotRule[];
  /** The same rules in their current places. */
  readonly rest: readonly ChatbotRule[];
  readonly nowMs: number;
}

/** Writes and records the rules that moved to make room, or to close a gap. */
async function moveRest(
  tx: Transaction,
  events: EventSink,
  { tenantId, before, rest, nowMs }: MovedRules,
): Promise<void> {
  const were = new Map(before.map((rule) => [rule.ruleId, rule]));
  const moved = rest.filter(({ ruleId, position }) => were.get(ruleId)?.position !== position);
  if (moved.length === 0) return;
  await placeRules(tx, tenantId, moved, nowMs);
  for (const rule of moved) {
    emitMoved(events, were.get(rule.ruleId) ?? rule, { ...rule, version: rule.version + 1, updatedMs: nowMs });
  }
}

/** Removes a rule, and those behind it move up; its decisions stay. @throws ApiProblem not_found, precondition_failed */
export function deleteRule(rt: Runtime, db: Database, request: RuleRequest): Promise<ChatbotRule> {
  const { tenantId, origin } = request;
  return withEvents(rt, db, async (tx, events) => {
    await lockRuleSet(tx, tenantId);
    const all = await listRules(tx, tenantId);
    const rule = requireRule(all, request);
    await removeRule(tx, tenantId, rule.ruleId);
    await countRuleSet(tx, tenantId);
    const details = ruleDetails(rule);
    await audit(rt, tx, { tenantId, origin, action: 'rule.deleted', targetId: rule.ruleId, details });
    events.add({ tenantId, type: 'rule.deleted', data: ruleJson(rule) });
    const before = all.filter((other) => other !== rule);
    await moveRest(tx, events, { tenantId, before, rest: numbered(before), nowMs: rt.clock.now() });
    return rule;
  });
}

export interface OrderRules extends Requester {
  /** The first one first. */
  readonly ruleIds: readonly string[];
}

/**
 * Puts all rules of a tenant into an order.
 * @throws ApiProblem validation_failed unless `ruleIds` names each rule once
 */
export function orderRules(
  rt: Runtime,
  db: Database,
  { tenantId, origin, ruleIds }: OrderRules,
): Promise<readonly ChatbotRule[]> {
  return withEvents(rt, db, async (tx, events) => {
    await lockRuleSet(tx, tenantId);
    const all = await listRules(tx, tenantId);
    const before = new Map(all.map((rule) => [rule.ruleId as string, rule]));
    const named = new Set(ruleIds);
    if (named.size !== ruleIds.length || named.size !== before.size || ruleIds.some((id) => !before.has(id))) {
      const message = `order must name each of the ${before.size} rules once.`;
      throw new ApiProblem('validation_failed', { sentence: message, details: [{ path: 'body.order', message }] });
    }
    const wanted = numbered(ruleIds.flatMap((id) => before.get(id) ?? []));
    await moveRest(tx, events, { tenantId, before: all, rest: wanted, nowMs: rt.clock.now() });
    const changes = changesBetween(orderOf(all), orderOf(wanted));
    if (Object.keys(changes).length > 0) {
      const details = changeDetails(changes, ['order']);
      await audit(rt, tx, { tenantId, origin, action: 'rules.ordered', targetId: tenantId, details });
    }
    return listRules(tx, tenantId);
  });
}

function orderOf(rules: readonly ChatbotRule[]): JsonObject {
  return { order: rules.map(({ ruleId }) => ruleId) };
}

function emitMoved(events: EventSink, before: ChatbotRule, after: ChatbotRule): void {
  const changes = ruleChanges(before, after);
  if (changes === null) return;
  events.add({ tenantId: after.tenantId, type: 'rule.updated', data: { ...ruleJson(after), changes } });
}

/** A rule with what was found about it; null when there is none. */
export async function readRule(db: SqlRunner, tenantId: TenantId, ruleId: string): Promise<RuleWithFindings | null> {
  const rule = await findRule(db, tenantId, ruleId);
  if (rule === null) return null;
  const attributes = await findAttributeTypes(db, tenantId);
  return { rule, findings: findingsOf(rule, await listRules(db, tenantId), attributes) };
}

function requireRule(all: readonly ChatbotRule[], { ruleId, versions }: RuleRequest): ChatbotRule {
  return requireVersion(
    'rule',
    all.find((one) => one.ruleId === ruleId),
    versions,
  );
}

/** @throws ApiProblem validation_failed naming everything that is wrong with the draft */
export function requireValid(draft: RuleDraft, attributes: AttributeTypes): void {
  const faults = ruleFaults(draft, attributes);
  if (faults.length > 0) throw problemOf('validation_failed', faults);
}

/** Sentences of faults that the summary repeats. */
const MAX_SUMMARY = 3;

function problemOf(code: 'validation_failed' | 'rule_tests_failed', faults: readonly FaultDetail[]): ApiProblem {
  const sentence = faults
    .slice(0, MAX_SUMMARY)
    .map(({ message }) => message)
    .join(' ');
  return new ApiProblem(code, { sentence, details: faults });
}

function requireRunnable(
  rule: ChatbotRule,
  others: readonly ChatbotRule[],
  { nowMs, attributes }: { readonly nowMs: number; readonly attributes: AttributeTypes },
): void {
  if (!rule.enabled) return;
  const failed = failedCases(rule, nowMs, attributes);
  if (failed.length > 0) throw problemOf('rule_tests_failed', failed);
  const { patterns } = compileRules([...others.filter(({ enabled }) => enabled), rule], 0, attributes);
  const steps = [...patterns.values()].reduce((sum, pattern) => sum + pattern.steps, 0);
  if (steps <= MAX_SET_STEPS) return;
  const sentence = `The regular expressions of all rules together have ${steps} steps, and at most ${MAX_SET_STEPS} are allowed.`;
  throw new ApiProblem('conflict', { sentence });
}

/** What concerns this rule, on either side. A disabled rule is treated as if it were enabled. */
function findingsOf(rule: ChatbotRule, others: readonly ChatbotRule[], attributes: AttributeTypes): RuleFindings {
  const compared = others.filter((other) => other.enabled && other.ruleId !== rule.ruleId);
  const { unreachable, conflicts } = findConflicts(compileRules([...compared, rule], 0, attributes).rules);
  const concerns = ({ ruleId, byId }: { readonly ruleId: RuleId; readonly byId: RuleId }) =>
    ruleId === rule.ruleId || byId === rule.ruleId;
  return { unreachable: unreachable.filter(concerns), conflicts: conflicts.filter(concerns) };
}
