import type { JsonObject } from '#core/json';
import type { ChatbotRule } from './rule.ts';

/** A rule as the API and its events show it. */
export function ruleJson(rule: ChatbotRule): JsonObject {
  return {
    id: rule.ruleId,
    name: rule.name,
    enabled: rule.enabled,
    position: rule.position,
    trigger: rule.trigger,
    when: rule.when,
    // biome-ignore lint/suspicious/noThenProperty: a rule reads when … then; a list is no function to wait for
    then: rule.actions as readonly JsonObject[],
    stop: rule.stop,
    cooldown_s: rule.cooldownS,
    max_runs: rule.maxRuns,
    runs: rule.maxRuns === null ? null : rule.runs,
    active_from: timeText(rule.activeFromMs),
    active_until: timeText(rule.activeUntilMs),
    tests: rule.cases.map(({ name, given, matches }) => ({ name, given, matches })),
    version: rule.version,
    created_at: new Date(rule.createdMs).toISOString(),
    updated_at: new Date(rule.updatedMs).toISOString(),
  };
}

function timeText(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

/** Which fields differ, as `{field: [old, new]}`; null when none does. */
export function ruleChanges(before: ChatbotRule, after: ChatbotRule): JsonObject | null {
  const [old, fresh] = [ruleJson(before), ruleJson(after)];
  const changed = Object.keys(fresh).filter((key) => !META.has(key) && !same(old[key], fresh[key]));
  if (changed.length === 0) return null;
  return Object.fromEntries(changed.map((key) => [key, [old[key] ?? null, fresh[key] ?? null]]));
}

const META: ReadonlySet<string> = new Set(['id', 'version', 'runs', 'created_at', 'updated_at']);

function same(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
