import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Document } from './document.ts';
import { operationsFile, routesFile } from './operation-files.ts';
import { resourcesFile } from './resource-types.ts';
import { typesFile } from './schema-types.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const document = JSON.parse(read('../../contract/openapi.json')) as Document;

test.each([
  ['types.ts', typesFile],
  ['operations.ts', operationsFile],
  ['routes.ts', routesFile],
  ['resources.ts', resourcesFile],
] as const)('%s is what the API description says', (name, write) => {
  expect(write(document)).toBe(read(`../src/generated/${name}`));
});

/** The types of a document with one operation that takes and answers these schemas. */
function typesOf(schemas: Document['components']['schemas'], takes: object = {}, answers: object = {}): string {
  const content = (schema: object) => ({ content: { 'application/json': { schema } } });
  const operation = {
    operationId: 'tryIt',
    summary: 'Try it',
    tags: ['Any'],
    parameters: [{ name: 'from', in: 'query', required: true, schema: { type: 'string' } }],
    requestBody: { required: true, ...content(takes) },
    responses: { 200: content(answers) },
  };
  return typesFile({ paths: { '/v1/tries': { post: operation } }, components: { schemas } } as unknown as Document);
}
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const Color = { type: 'string', enum: ['red', 'green'] };

describe('the types', () => {
  test('of what is read leave enumerations open; of what is sent they do not', () => {
    const schemas = {
      Color,
      Wish: { type: 'object', properties: { color: ref('Color') } },
      Thing: {
        type: 'object',
        required: ['color', 'size'],
        properties: { color: ref('Color'), size: { enum: ['S', 'L', null] } },
      },
    };
    const text = typesOf(schemas, ref('Wish'), ref('Thing'));
    expect(text).toContain("export type Color = 'red' | 'green';");
    expect(text).toContain('export interface Wish {\n  readonly color?: Color | undefined;\n}');
    expect(text).toContain("readonly color: Open<Color>;\n  readonly size: Open<'S' | 'L'> | null;");
  });

  test('of members of a union are told apart by a literal', () => {
    const member = (kind: string) => ({
      type: 'object',
      required: ['kind'],
      properties: { kind: { enum: [kind, `old_${kind}`] } },
    });
    const union = { oneOf: [ref('A'), ref('B')], discriminator: { propertyName: 'kind' } };
    const text = typesOf({ A: member('a'), B: member('b'), Either: union }, {}, ref('Either'));
    expect(text).toContain('export type Either = A | B;');
    expect(text).toContain("readonly kind: 'a' | 'old_a';");
  });

  test('extend what they consist of, and describe what they hold', () => {
    const Base = { type: 'object', required: ['id'], properties: { id: { type: 'string', description: 'Its ID.' } } };
    const More = {
      allOf: [ref('Base'), { type: 'object', properties: { tags: { type: 'array', items: ref('Color') } } }],
    };
    const text = typesOf({ Color, Base, More }, {}, ref('More'));
    expect(text).toContain('  /** Its ID. */\n  readonly id: string;');
    expect(text).toContain('export interface More extends Base {\n  readonly tags?: readonly Open<Color>[];\n}');
  });

  test('of a condition say which match and which value each field takes', () => {
    const fields = {
      size: { kind: 'enum', values: ['S', 'L'] },
      since: { kind: 'time' },
      'own.<text>': { kind: 'text' },
    };
    const matches = { enum: ['is', 'in', 'exists'], time: ['gt', 'between', 'exists'], text: ['is', 'exists'] };
    const schemas = { ThingCondition: { type: 'object', 'x-condition-fields': { fields, matches } } };
    const lines = typesOf(schemas).split('\n');
    expect(lines).toContain('export type ThingCondition = Condition<ThingComparison>;');
    expect(lines.slice(lines.indexOf('export type ThingComparison =') + 1).slice(0, 6)).toEqual([
      "  | { readonly field: 'size'; readonly match?: 'is' | undefined; readonly value: 'S' | 'L' }",
      "  | { readonly field: 'size'; readonly match: 'in'; readonly value: readonly ('S' | 'L')[] }",
      "  | { readonly field: 'since'; readonly match?: 'gt' | undefined; readonly value: string }",
      "  | { readonly field: 'since'; readonly match: 'between'; readonly value: readonly [string, string] }",
      `  | { readonly field: \`own.\${string}\`; readonly match?: 'is' | undefined; readonly value: string }`,
      `  | { readonly field: 'size' | 'since' | \`own.\${string}\`; readonly match: 'exists'; readonly value?: undefined };`,
    ]);
  });

  test('of a query have a name of their own', () => {
    expect(typesOf({})).toContain('export interface TryItQuery {\n  readonly from: string;\n}');
  });

  test('of a schema that the generator does not know are refused', () => {
    expect(() => typesOf({ Odd: { type: 'file' } })).toThrow(/does not know the type file/);
    expect(() => typesOf({ Odd: { type: 'array', items: ref('Gone') } })).toThrow(/has no schema Gone/);
    const odd = (kind: string, match: string) => ({
      OddCondition: { 'x-condition-fields': { fields: { size: { kind } }, matches: { [kind]: [match] } } },
    });
    expect(() => typesOf(odd('color', 'is'))).toThrow(/does not know fields of the kind color/);
    expect(() => typesOf(odd('text', 'like'))).toThrow(/does not know the match like/);
  });
});
