import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrationsFolder } from '#bin/service';
import { runOperatorCommand } from '#cli/operator/commands';
import type { JsonObject } from '#core/json';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;

beforeAll(async () => {
  kit = await startTestService();
});
afterAll(() => kit.close());

const LOG = '/v1/audit-log';

async function log(tenant: TestTenant, query = ''): Promise<Answer['body'][]> {
  const answer = await tenant.call('GET', `${LOG}${query}`);
  expect(answer.status).toBe(200);
  return answer.body.data;
}

const actions = (entries: readonly Answer['body'][]) => entries.map((entry) => entry.action);

describe('the audit log', () => {
  test('tells of each change of a key who made it, where from, and in which request', async () => {
    const tenant = await makeTestTenant(kit);
    const post = (path: string, body: object, id: string) => tenant.call('POST', path, body, { 'x-request-id': id });
    const key = (await post('/v1/api-keys', { name: 'web', scopes: ['messages:read'] }, 'make-it')).body;
    const fresh = (await post(`/v1/api-keys/${key.id}/rotate`, { overlap_s: 60 }, 'turn-it')).body;
    await tenant.call('DELETE', `/v1/api-keys/${key.id}`, undefined, {});
    await tenant.call('DELETE', `/v1/api-keys/${key.id}`, undefined, {});
    const entries = await log(tenant, `?target_id=${key.id}`);
    expect(actions(entries)).toEqual(['key.revoked', 'key.rotated', 'key.created']);
    const [, rotated, created] = entries;
    expect(created).toMatchObject({
      actor: { kind: 'key', key_id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      details: { name: 'web', mode: 'test', scopes: ['messages:read'] },
      request_id: 'make-it',
      address: '127.0.0.1',
    });
    expect(rotated).toMatchObject({ details: { successor: fresh.id, overlap_s: 60 }, request_id: 'turn-it' });
    const text = JSON.stringify(await log(tenant));
    for (const secret of [key.key, fresh.key, tenant.key]) expect(text).not.toContain(secret);
  });

  test('a change that is refused leaves no entry, and a repeated one leaves one', async () => {
    const tenant = await makeTestTenant(kit);
    const before = (await log(tenant)).length;
    await tenant.call('POST', '/v1/api-keys', { name: 'x', mode: 'live' });
    const once = { 'idempotency-key': 'k' };
    for (let count = 0; count < 3; count += 1) await tenant.call('POST', '/v1/api-keys', { name: 'x' }, once);
    expect(await log(tenant)).toHaveLength(before + 1);
  });

  test('has what the operator did, and nothing of another tenant', async () => {
    const [tenant, stranger] = [await makeTestTenant(kit), await makeTestTenant(kit)];
    const deps = { rt: kit.rt, db: kit.service.db, migrationsFolder: migrationsFolder() };
    const run = (name: string, input: JsonObject) =>
      runOperatorCommand(deps, name, { ...input, tenant: tenant.tenantId });
    const made = await run('keys.create', { name: 'by hand' });
    await run('keys.rotate', { key: String(made.id) });
    await run('keys.revoke', { key: String(made.id) });
    await run('numbers.pause', { phone_number_id: tenant.phoneNumberId, reason: 'Low quality' });
    await run('numbers.resume', { phone_number_id: tenant.phoneNumberId });
    const entries = await log(tenant, '?actor=operator');
    expect(actions(entries)).toEqual([
      'number.resumed',
      'number.paused',
      'key.revoked',
      'key.rotated',
      'key.created',
      'number.added',
      'key.created',
      'tenant.created',
    ]);
    expect(entries[1]).toMatchObject({ target_id: tenant.phoneNumberId, details: { reason: 'Low quality' } });
    expect(actions(await log(stranger))).toEqual(['number.added', 'key.created', 'tenant.created']);
    expect(await log(stranger, `?target_id=${tenant.phoneNumberId}`)).toEqual([]);
  });

  test('is narrowed by actor, key, action and time, and walked by cursor', async () => {
    const tenant = await makeTestTenant(kit);
    for (const name of ['a', 'b', 'c']) await tenant.call('POST', '/v1/api-keys', { name });
    const all = await log(tenant);
    const own = all[0].actor.key_id;
    expect(await log(tenant, `?key_id=${own}`)).toHaveLength(3);
    expect(actions(await log(tenant, '?action=number.added'))).toEqual(['number.added']);
    expect(await log(tenant, '?actor=service')).toEqual([]);
    expect(await log(tenant, `?created_after=${all[0].at}`)).toContainEqual(all[0]);
    expect(await log(tenant, '?created_before=2020-01-01T00:00:00Z')).toEqual([]);
    const seen: Answer['body'][] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body }: Answer = await tenant.call('GET', `${LOG}?limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.data);
      cursor = body.page.next_cursor;
    }
    expect(seen).toEqual(all);
    expect((await tenant.call('GET', `${LOG}?action=key.lost`)).status).toBe(400);
  });
});
