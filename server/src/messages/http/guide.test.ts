import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fakeApi } from '#http/testing/fake-api';
import { post } from '#http/testing/post-message';

const page = readFileSync(new URL('../../../../docs/guides/sending.md', import.meta.url), 'utf8');
const bodies = [...page.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? '');

test('the guide has a body for each thing it explains', () => {
  expect(bodies.length).toBeGreaterThan(7);
});

test.each(bodies)('the body of the guide is accepted: %s', async (body) => {
  expect((await post(fakeApi(), body)).statusCode).toBe(202);
});
