import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { openApiDocument } from '#bin/openapi';
import { scopeNames } from '#core/caller/scopes';
import { settings } from '#runtime/config';

const page = readFileSync(new URL('../../../../docs/guides/keys.md', import.meta.url), 'utf8');

test('the bodies that the guide shows fit the schema', () => {
  const bodies = [...page.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, body = '']) => body);
  expect(bodies).toHaveLength(2);
  const ajv = new Ajv({ strict: false, validateFormats: false });
  ajv.addSchema(openApiDocument(), 'openapi');
  const validate = ajv.compile({ $ref: 'openapi#/components/schemas/CreateApiKeyRequest' });
  for (const body of bodies) {
    validate(JSON.parse(body));
    expect(validate.errors).toBeNull();
  }
});

test('the guide names every scope, and no setting that does not exist', () => {
  expect(scopeNames.filter((scope) => !page.includes(`\`${scope}\``))).toEqual([]);
  const known = Object.values(settings).map(({ key }) => key as string);
  const named = [...page.matchAll(/`(MESSAGING_[A-Z_]+)/g)].map((match) => match[1] ?? '');
  expect(named.filter((key) => !known.includes(key))).toEqual([]);
});
