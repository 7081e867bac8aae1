import fc from 'fast-check';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '#core/json';
import type { ContentRule } from '#core/rule-fault';
import { RULES } from '#http/schemas/fields';
import { placesOf, replaced } from '#http/testing/places';
import { sendExamples } from '#messages/http/schemas/send-examples';
import { sendSchemas } from '#messages/http/schemas/send-request';
import { bodyValidator } from './ajv.ts';
import { compileQuick } from './quick.ts';

const RUNS = 300;

/** Texts around a limit: of one code unit each, of two, and halves of two. */
const characters = fc.constantFrom('a', '\n', ' ', '👍', '\ud83d', '\udc4d');
const texts = fc.array(characters, { maxLength: 8 }).map((list) => list.join(''));

test.each([
  [{ minLength: 1 }],
  [{ minLength: 3 }],
  [{ maxLength: 3 }],
  [{ minLength: 2, maxLength: 5 }],
])('a text is as long for the quick validator as for the thorough one: %j', (limits) => {
  const schema = Type.Object({ text: Type.String(limits) });
  const [isValid, thorough] = [compileQuick(schema), bodyValidator(schema)];
  const alike = fc.property(texts, (text) => {
    expect(isValid({ text })).toBe(thorough({ text }));
  });
  fc.assert(alike, { numRuns: 10 * RUNS });
});

test('of several rules each one is heeded', () => {
  const atMost =
    (limit: number): ContentRule =>
    (value) =>
      Number(value) > limit ? [{ at: '', message: `is above ${limit}` }] : [];
  const isValid = compileQuick(Type.Object({ count: Type.Integer({ [RULES]: [atMost(3), atMost(5)] }) }));
  expect([1, 4, 6].map((count) => isValid({ count }))).toEqual([true, false, false]);
});

const values = fc.oneof(
  fc.constantFrom<JsonValue>(null, true, 0, -1, 1.5, 1e9, '', ' ', 'a\nb', '👍', [], {}, 'button', 'image'),
  fc.integer({ min: 0, max: 5000 }).map((length) => 'x'.repeat(length)),
  fc.array(fc.constantFrom<JsonValue>({}, 'x', { type: 'text', text: 'a' }), { maxLength: 35 }),
);

/** The documented bodies of a type; those of an image with that type, when it has none. */
function examplesOf(type: string): readonly JsonObject[] {
  const all = Object.values(sendExamples).map(({ value }): JsonObject => ({ type: 'text', ...value }));
  const own = all.filter((body) => body.type === type);
  return own.length > 0 ? own : all.filter((body) => body.type === 'image').map((body) => ({ ...body, type }));
}

test.each(Object.entries(sendSchemas))('the quick validator of %s judges as the thorough one does', (type, schema) => {
  const [isValid, thorough] = [compileQuick(schema), bodyValidator(schema)];
  const examples = examplesOf(type);
  for (const body of examples) expect([isValid({ ...body }), thorough({ ...body })]).toEqual([true, true]);
  const bodies = fc
    .constantFrom(...examples)
    .chain((body) => fc.tuple(fc.constant(body), fc.constantFrom(...placesOf(body)), values))
    .map(([body, path, by]) => replaced(body, path, by));
  let faulty = 0;
  const alike = fc.property(bodies, (body) => {
    // Each of the two fills in defaults.
    const verdict = isValid(structuredClone(body));
    expect(verdict).toBe(thorough(structuredClone(body)));
    if (!verdict) faulty += 1;
  });
  fc.assert(alike, { numRuns: RUNS });
  expect(faulty).toBeGreaterThan(0);
});
