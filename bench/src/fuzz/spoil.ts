import fc, { type Arbitrary } from 'fast-check';

/** Texts that programs fall over. */
export const hostileTexts: readonly string[] = [
  '',
  ' ',
  'null',
  '-1',
  '1e400',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e',
  "' or 1=1 --",
  '%s%n',
  '../../etc/passwd',
  'x'.repeat(5_000),
];

/** Values that programs stumble over, whatever was expected in their place. */
const HOSTILE: readonly unknown[] = [
  ...hostileTexts,
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  1e308,
  [],
  [[]],
  {},
  { tenant_id: 'x' },
  { toString: 1 },
  Array.from({ length: 1_001 }, () => 1),
  nested(40),
];

function nested(depth: number): unknown {
  return depth === 0 ? 1 : [nested(depth - 1)];
}

type Path = readonly string[];

/** Copies of a value with one place changed, missing or added. Whether that is a fault is for the validator to say. */
export function spoiled(value: unknown): Arbitrary<unknown> {
  const places = placesOf(value);
  const inside = places.filter((path) => path.length > 0);
  const objects = places.filter((path) => isObject(valueAt(value, path)));
  const replacing = fc
    .tuple(fc.constantFrom(...places), fc.constantFrom(...HOSTILE))
    .map(([path, by]) => changed(value, path, () => by));
  const removing = inside.length === 0 ? [] : [fc.constantFrom(...inside).map((path) => without(value, path))];
  const adding =
    objects.length === 0
      ? []
      : [
          fc
            .tuple(fc.constantFrom(...objects), fc.constantFrom('tenant_id', 'id', 'status', '$where', 'x'.repeat(300)))
            .map(([path, name]) => changed(value, path, (object) => ({ ...(object as object), [name]: 'x' }))),
        ];
  return fc.oneof(replacing, ...removing, ...adding);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function placesOf(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, item]) => placesOf(item, [...path, key]))];
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((found, step) => (found as Readonly<Record<string, unknown>>)[step], value);
}

function changed(value: unknown, [step, ...rest]: Path, change: (old: unknown) => unknown): unknown {
  if (step === undefined) return change(value);
  const inner = (item: unknown): unknown => changed(item, rest, change);
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === step ? inner(item) : item));
  const object = value as Readonly<Record<string, unknown>>;
  return { ...object, [step]: inner(object[step]) };
}

function without(value: unknown, path: Path): unknown {
  const last = path.at(-1) ?? '';
  return changed(value, path.slice(0, -1), (parent) =>
    Array.isArray(parent)
      ? parent.filter((_item, index) => String(index) !== last)
      : Object.fromEntries(Object.entries(parent as object).filter(([key]) => key !== last)),
  );
}
