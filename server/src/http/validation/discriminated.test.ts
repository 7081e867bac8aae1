import { Ajv } from 'ajv';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { TAGS } from '#http/schemas/fields';
import { byType, fields, only } from '#messages/http/schemas/content/parts';
import { bodyValidator } from './ajv.ts';
import { separateVariants } from './discriminated.ts';

const circle = fields({ type: only('circle'), radius: Type.Integer({ minimum: 1 }) }, 'A circle.');
const group = fields({ type: only('group'), first: byType([circle], 'Its first.') }, 'A group.');
const shapes = Type.Object({ shapes: Type.Array(byType([circle, group], 'A shape.')) });

test('each object that a field tells apart is compiled as a function of its own, also inside another', () => {
  const ajv = new Ajv({ discriminator: true, inlineRefs: false, keywords: [TAGS] });
  const separated = JSON.stringify(separateVariants(ajv, shapes));
  expect(separated).toContain('"oneOf":[{"$ref":"variant-');
  expect(separated).not.toContain('radius');
  const text = ajv.compile(separateVariants(ajv, shapes)).toString();
  expect(text).not.toContain('radius');
});

test('a schema without such objects stays the same object, so that it is compiled once', () => {
  const plain = Type.Object({ name: Type.String(), sizes: Type.Array(Type.Integer()) });
  expect(separateVariants(new Ajv(), plain)).toBe(plain);
});

test('a fault inside such an object is named with its place and the value that it has', () => {
  const validate = bodyValidator(shapes);
  expect(validate({ shapes: [{ type: 'group', first: { type: 'circle', radius: 1 } }] })).toBe(true);
  expect(validate({ shapes: [{ type: 'group', first: { type: 'circle', radius: 0 } }] })).toBe(false);
  expect(validate.errors).toMatchObject([{ instancePath: '/shapes/0/first/radius', data: 0, keyword: 'minimum' }]);
});
