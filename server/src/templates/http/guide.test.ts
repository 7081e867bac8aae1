import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { authorization, fakeApi } from '#http/testing/fake-api';
import { templateStatuses } from '#templates/domain/status';

const page = readFileSync(new URL('../../../../docs/guides/templates.md', import.meta.url), 'utf8');

test('the template of the guide is one that the network takes', async () => {
  const [, body = ''] = /^```json\n([\s\S]*?)^```$/m.exec(page) ?? [];
  const headers = { authorization, 'content-type': 'application/json' };
  const answer = await fakeApi().app.inject({ method: 'POST', url: '/v1/templates/lint', headers, payload: body });
  expect(answer.json()).toEqual({ ok: true, faults: [], warnings: [] });
});

test('the guide names every status', () => {
  expect(templateStatuses.filter((status) => !page.includes(`\`${status}\``))).toEqual([]);
});
