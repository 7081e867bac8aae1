import { expect, test } from 'vitest';
import { buildLazySerializers } from './serializers.ts';

test('a serializer is compiled with its first response, and writes what its schema names', () => {
  const route = { method: 'GET', url: '/', httpStatus: '200' };
  const compile = buildLazySerializers();
  const broken = compile({ ...route, schema: { type: 'nothing' } });
  expect(() => broken({})).toThrow('schema is invalid');
  const serialize = compile({ ...route, schema: { type: 'object', properties: { id: { type: 'string' } } } });
  expect(serialize({ id: 'a', secret: 'b' })).toBe('{"id":"a"}');
  expect(serialize({ id: 'c' })).toBe('{"id":"c"}');
});
