import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { bodyValidator, validatorCompiler } from './ajv.ts';

test('a schema is compiled once in a process, however many services and routes ask for it', () => {
  const schema = Type.Object({ name: Type.String() });
  const route = { schema, method: 'POST', url: '/' };
  const ofBody = validatorCompiler()({ ...route, httpPart: 'body' });
  expect(validatorCompiler()({ ...route, httpPart: 'body' })).toBe(ofBody);
  expect(bodyValidator(schema)).toBe(ofBody);
  const ofQuery = validatorCompiler()({ ...route, httpPart: 'querystring' });
  expect(validatorCompiler()({ ...route, httpPart: 'querystring' })).toBe(ofQuery);
  // The query is coerced, a body is not.
  expect(ofQuery).not.toBe(ofBody);
});

test('a schema is compiled with the first request that needs it, and its faults are those of the last one', () => {
  const broken = { schema: { type: 'nothing' }, method: 'POST', url: '/', httpPart: 'body' };
  const ofBroken = validatorCompiler()(broken);
  expect(() => ofBroken({})).toThrow('schema is invalid');
  const validate = bodyValidator(Type.Object({ name: Type.String() }));
  expect(validate({})).toBe(false);
  expect(validate.errors).toMatchObject([{ keyword: 'required' }]);
  expect(validate({ name: 'Ada' })).toBe(true);
  expect(validate.errors).toBeNull();
});
