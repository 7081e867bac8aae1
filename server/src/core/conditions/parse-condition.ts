import type { FaultDetail } from '#core/errors';
import { type Condition, type FieldTable, MAX_CONDITION_DEPTH, MAX_CONDITION_LEAVES } from './condition.ts';
import { parseLeaf } from './parse-leaf.ts';

export interface ParseOptions {
  /** Where the condition is in the request: `body.when`. */
  readonly path: string;
  readonly fields: FieldTable;
  /** Says what is wrong with a pattern, or null. Without it, `regex` is refused. */
  readonly checkRegex?: (pattern: string) => string | null;
}

export type ParsedCondition =
  | { readonly ok: true; readonly condition: Condition }
  | { readonly ok: false; readonly faults: readonly FaultDetail[] };

interface Walk {
  readonly options: ParseOptions;
  readonly faults: FaultDetail[];
  leaves: number;
}

const GROUPS = ['all', 'any', 'not'] as const;

/**
 * Reports all faults of a condition together, or returns it checked against the fields that are allowed in this place.
 */
export function parseCondition(input: unknown, options: ParseOptions): ParsedCondition {
  const walk: Walk = { options, faults: [], leaves: 0 };
  const condition = parseNode(walk, input, options.path, 1);
  if (walk.leaves > MAX_CONDITION_LEAVES) {
    fault(
      walk,
      options.path,
      `A condition can have at most ${MAX_CONDITION_LEAVES} comparisons; this one has ${walk.leaves}.`,
    );
  }
  if (condition === null || walk.faults.length > 0) return { ok: false, faults: walk.faults };
  return { ok: true, condition };
}

/** Null when it is not a condition; the faults then say why. */
function parseNode(walk: Walk, input: unknown, path: string, depth: number): Condition | null {
  if (depth > MAX_CONDITION_DEPTH)
    return fault(walk, path, `A condition can be at most ${MAX_CONDITION_DEPTH} levels deep.`);
  if (!isObject(input))
    return fault(walk, path, 'A condition must be an object: {all}, {any}, {not} or {field, match, value}.');
  const groups = GROUPS.filter((name) => Object.hasOwn(input, name));
  const [group] = groups;
  if (group === undefined) return countLeaf(walk, input, path);
  if (Object.keys(input).length > 1) return fault(walk, path, `A condition with ${group} must not have other fields.`);
  if (group !== 'not') return parseGroup(walk, group, { input: input[group], path, depth });
  const condition = parseNode(walk, input.not, `${path}.not`, depth + 1);
  return condition === null ? null : { op: 'not', path, condition };
}

function countLeaf(walk: Walk, input: Readonly<Record<string, unknown>>, path: string): Condition | null {
  walk.leaves += 1;
  // One sentence says that there are too many; a fault for each of them would say it less clearly.
  if (walk.leaves > MAX_CONDITION_LEAVES) return null;
  const parsed = parseLeaf(input, path, walk.options);
  if (parsed.ok) return parsed.leaf;
  walk.faults.push(...parsed.faults);
  return null;
}

interface GroupAt {
  readonly input: unknown;
  readonly path: string;
  readonly depth: number;
}

function parseGroup(walk: Walk, op: 'all' | 'any', { input, path, depth }: GroupAt): Condition | null {
  const inside = `${path}.${op}`;
  if (!Array.isArray(input) || input.length === 0)
    return fault(walk, inside, 'This must be an array with at least one condition.');
  const conditions: Condition[] = [];
  for (const [index, one] of input.entries()) {
    const condition = parseNode(walk, one, `${inside}[${index}]`, depth + 1);
    if (condition !== null) conditions.push(condition);
  }
  return { op, path, conditions };
}

function fault(walk: Walk, path: string, message: string): null {
  walk.faults.push({ path, message });
  return null;
}

function isObject(input: unknown): input is Readonly<Record<string, unknown>> {
  return typeof input === 'object' && input !== null && !Array.isArray(input);
}
