import type { ConditionFields, FieldDescription, Schema } from './document.ts';
import { comment, indent, literal, union } from './typescript-text.ts';

/** Comparisons with one value; what else there is takes several, or none. */
const ONE_VALUE = ['is', 'is_not', 'word', 'contains', 'starts', 'regex', 'gt', 'gte', 'lt', 'lte', 'has', 'has_not'];
const ANY_OF = ['in', 'not_in'];
const PAIR = ['between'];
const NO_VALUE = ['exists', 'missing'];

/** What a field of a kind is compared with, where the document names no values. */
const VALUES: Readonly<Record<string, string>> = {
  text: 'string',
  enum: 'string',
  id: 'string',
  tags: 'string',
  number: 'number',
  boolean: 'boolean',
  // RFC 3339, or how long before or after now, such as -30d.
  time: 'string',
};

/** Of attributes only the tenant knows which type each one has. */
const OWN_FIELD = /<\w+>$/;
const ANY_NAME = `\${string}`;

/** The type of what conditions are made of, in the head of the file of types. */
export const CONDITION_HEAD = `
/** All of some conditions, any of them, the opposite of one, or a comparison. */
export type Condition<Comparison> =
  | { readonly all: readonly Condition<Comparison>[]; readonly any?: never; readonly not?: never; readonly field?: never }
  | { readonly any: readonly Condition<Comparison>[]; readonly all?: never; readonly not?: never; readonly field?: never }
  | { readonly not: Condition<Comparison>; readonly all?: never; readonly any?: never; readonly field?: never }
  | Comparison;
`;

/**
 * The types of a component that is a condition: the condition, and its comparisons, whose match and value depend on the field.
 * @throws {Error} for a kind of field, or a match, that the generator does not know
 */
export function conditionTypes(name: string, { description }: Schema, fields: ConditionFields): string {
  const comparison = `${name.replace(/Condition$/, '')}Comparison`;
  const found = groups(fields);
  const compared = found.flatMap((group) => membersOf(group, fields.matches[group.kind] ?? []));
  const members = [...compared, ...presenceMembers(found, fields)];
  const condition = `${comment(description)}export type ${name} = Condition<${comparison}>;\n`;
  const help = comment(`A comparison of a \`${name}\`. Without \`match\`, the first one is meant.`);
  return `${condition}\n${help}export type ${comparison} =\n${indent(members.map((member) => `| ${member}`).join('\n'))};\n`;
}

/** Fields that are compared in the same way. */
interface Group {
  readonly kind: string;
  readonly value: string;
  readonly names: readonly string[];
}

function groups({ fields }: ConditionFields): readonly Group[] {
  const found = new Map<string, Group>();
  for (const [name, field] of Object.entries(fields)) {
    const { kind } = field;
    const value = valueTypeOf(field);
    const key = `${kind} ${value}`;
    const names = [...(found.get(key)?.names ?? []), fieldName(name)];
    found.set(key, { kind, value, names });
  }
  return [...found.values()];
}

function fieldName(name: string): string {
  return OWN_FIELD.test(name) ? `\`${name.replace(OWN_FIELD, () => ANY_NAME)}\`` : literal(name);
}

function valueTypeOf({ kind, values }: FieldDescription): string {
  const plain = VALUES[kind];
  if (plain === undefined) throw new Error(`The generator does not know fields of the kind ${kind}.`);
  if (values === undefined) return plain;
  const known = union(values.map(literal));
  // Of an ID, they are words that stand for one.
  return kind === 'id' ? `Open<${known}>` : known;
}

/** Whether a field has a value at all is asked in the same way of every kind that allows it. */
function presenceMembers(found: readonly Group[], { matches }: ConditionFields): readonly string[] {
  const asked = found.map(({ kind, names }) => {
    const possible = (matches[kind] ?? []).filter((match) => NO_VALUE.includes(match));
    return { names, match: union(possible.map(literal)) };
  });
  return [...new Set(asked.map(({ match }) => match))].flatMap((match) => {
    const names = asked.filter((one) => one.match === match).flatMap((one) => one.names);
    const field = union(names);
    return match === '' ? [] : [`{ readonly field: ${field}; readonly match: ${match}; readonly value?: undefined }`];
  });
}

function membersOf({ names, value }: Group, matches: readonly string[]): readonly string[] {
  const [usual = ''] = matches;
  const unknown = matches.find((match) => ![ONE_VALUE, ANY_OF, PAIR, NO_VALUE].some((known) => known.includes(match)));
  if (unknown !== undefined) throw new Error(`The generator does not know the match ${unknown}.`);
  const list = /[|]/.test(value) ? `(${value})` : value;
  const shapes = [
    [ONE_VALUE, `readonly value: ${value}`],
    [ANY_OF, `readonly value: readonly ${list}[]`],
    [PAIR, `readonly value: readonly [${value}, ${value}]`],
  ] as const;
  return shapes.flatMap(([kind, shown]) => {
    const possible = matches.filter((match) => kind.includes(match));
    if (possible.length === 0) return [];
    const isUsual = possible.includes(usual);
    const match = `readonly match${isUsual ? '?' : ''}: ${union(possible.map(literal))}${isUsual ? ' | undefined' : ''}`;
    return `{ readonly field: ${union(names)}; ${match}; ${shown} }`;
  });
}
