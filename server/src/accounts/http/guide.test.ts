import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { accountStatuses, linkStepNames } from '#accounts/domain/linking';
import { openApiDocument } from '#bin/openapi';
import { settings } from '#runtime/config';

const page = readFileSync(new URL('../../../../docs/guides/linking.md', import.meta.url), 'utf8');

/** The first cell of each row that begins with a code word. */
const rowNames = [...page.matchAll(/^\| `([a-z]+)` /gm)].map((match) => match[1]);

test('the guide has a row for every step and every status', () => {
  expect(rowNames.toSorted()).toEqual([...linkStepNames, ...accountStatuses].toSorted());
});

test('the body that the guide shows fits the schema', () => {
  const [, body = ''] = /^```json\n([\s\S]*?)^```$/m.exec(page) ?? [];
  const ajv = new Ajv({ strict: false, validateFormats: false });
  ajv.addSchema(openApiDocument(), 'openapi');
  const validate = ajv.compile({ $ref: 'openapi#/components/schemas/UpdatePhoneNumberRequest' });
  validate(JSON.parse(body));
  expect(validate.errors).toBeNull();
});

test('the guide names no setting and no endpoint that does not exist', () => {
  const known = new Set<string>([...Object.values(settings).map(({ key }) => key), 'MESSAGING_API_KEY']);
  const named = [...page.matchAll(/(MESSAGING_[A-Z_]+)/g)].map((match) => match[1] ?? '');
  expect(named.filter((key) => !known.has(key))).toEqual([]);
  const paths = openApiDocument().paths as Readonly<Record<string, object>>;
  const endpoints = [...page.matchAll(/`(GET|POST|PATCH|DELETE) (\/v1\/[\w/{}-]+)`/g)];
  expect(endpoints.filter(([, method = '', path = '']) => !(method.toLowerCase() in (paths[path] ?? {})))).toEqual([]);
});
