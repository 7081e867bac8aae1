import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ChainCheck } from '#access/domain/audit-chain';
import { sealAuditOf } from '#testing/sealed-audit';
import { startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { tenantsNamingType } from '#webhooks/store/webhook-endpoints';
import { exportAudit } from './export-audit.ts';
import { sealAllAudit } from './seal-audit.ts';
import { verifyAudit } from './verify-audit.ts';

let kit: TestService;

beforeAll(async () => {
  kit = await startTestService();
});
afterAll(() => kit.close());

/** A tenant with a few entries in its chain. */
async function audited(): Promise<TestTenant> {
  const tenant = await makeTestTenant(kit);
  for (const name of ['one', 'two', 'three'])
    expect((await tenant.call('POST', '/v1/api-keys', { name })).status).toBe(201);
  await sealAuditOf(kit, tenant);
  return tenant;
}

const faultsOf = async ({ tenantId }: TestTenant) => (await verifyAudit(kit.service.db, tenantId)).faults;
const change = (statement: ReturnType<typeof sql>) => statement.execute(kit.service.db.kysely);

describe('the chain over the audit log', () => {
  test('holds for what the service wrote, also when several processes seal concurrently', async () => {
    const tenant = await makeTestTenant(kit);
    const posts = Array.from({ length: 12 }, (_, n) => tenant.call('POST', '/v1/api-keys', { name: `k${n}` }));
    await Promise.all([...posts, ...posts.map(() => sealAllAudit(kit.rt, kit.service.db, tenantsNamingType))]);
    await sealAuditOf(kit, tenant);
    const { entries, faults } = await verifyAudit(kit.service.db, tenant.tenantId);
    expect(faults).toEqual([]);
    expect(entries).toBeGreaterThanOrEqual(12);
  });

  test('breaks where an entry was changed, at any of its members', async () => {
    for (const member of [
      sql`action = 'key.rotated'`,
      sql`details = '{}'`,
      sql`target_id = 'another'`,
      sql`created_ms = created_ms + 1`,
      sql`address = '192.0.2.1'`,
      sql`actor_agent_id = entry_id`,
    ]) {
      const tenant = await audited();
      await change(sql`update audit_log set ${member} where tenant_id = ${tenant.tenantId} and entry_id =
        (select entry_id from audit_seals where tenant_id = ${tenant.tenantId} and seq = 2)`);
      expect(await faultsOf(tenant)).toEqual([{ tenantId: tenant.tenantId, seq: 2, fault: 'entry_changed' }]);
    }
  });

  test('breaks where an entry was removed, also with its seal, and also at the end', async () => {
    const [one, both, last] = [await audited(), await audited(), await audited()];
    const entry = (tenant: TestTenant, seq: number) =>
      sql`select entry_id from audit_seals where tenant_id = ${tenant.tenantId} and seq = ${seq}`;
    await change(sql`delete from audit_log where tenant_id = ${one.tenantId} and entry_id = (${entry(one, 2)})`);
    expect(await faultsOf(one)).toMatchObject([{ seq: 2, fault: 'entry_missing' }]);
    await change(sql`delete from audit_seals where tenant_id = ${both.tenantId} and seq = 2`);
    expect(await faultsOf(both)).toMatchObject([{ seq: 2, fault: 'seal_missing' }]);
    const { entries } = await verifyAudit(kit.service.db, last.tenantId);
    await change(sql`delete from audit_seals where tenant_id = ${last.tenantId} and seq = ${entries}`);
    expect(await faultsOf(last)).toMatchObject([{ seq: entries, fault: 'seal_missing' }]);
  });

  test('names a tenant into whose log an entry was put', async () => {
    const tenant = await audited();
    await change(sql`insert into audit_log (tenant_id, entry_id, created_ms, actor, action, target_id, details)
      values (${tenant.tenantId}, gen_random_uuid(), 1, 'operator', 'key.created', 'x', '{}')`);
    expect(await faultsOf(tenant)).toEqual([{ tenantId: tenant.tenantId, seq: null, fault: 'entry_added' }]);
  });

  test('is exported oldest first with what verifies it, and continues after a place', async () => {
    const tenant = await audited();
    const read = async (query = ''): Promise<readonly { seq: number; hash: string; action: string }[]> => {
      const answer = await tenant.call('GET', `/v1/audit-log/export${query}`);
      expect(answer.status).toBe(200);
      return answer.text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    };
    const all = await read();
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, n) => n + 1));
    // Each export is an entry of the next one.
    const later = await read('?after_seq=2');
    expect(later.slice(0, all.length - 2)).toEqual(all.slice(2));
    const check = new ChainCheck();
    for await (const portion of exportAudit(kit.service.db, tenant.tenantId, 0)) {
      const known = portion.filter(({ seq }) => seq <= all.length);
      expect(check.follow(known.map((one) => ({ ...one, entryId: one.entry.entryId })))).toBeNull();
    }
    expect(check.hash).toBe(all.at(-1)?.hash);
  });
});

test('an entry says for which agent its request acted', async () => {
  const tenant = await makeTestTenant(kit);
  const agent = (await tenant.call('POST', '/v1/agents', { name: 'Ada', email: 'ada@example.com', role: 'admin' }))
    .body;
  const bob = { name: 'Bob', email: 'bob@example.com', role: 'agent' };
  const made = await tenant.call('POST', '/v1/agents', bob, { 'x-agent-id': agent.id });
  expect(made.status).toBe(201);
  const [entry] = (await tenant.call('GET', `/v1/audit-log?agent_id=${agent.id}`)).body.data;
  expect(entry).toMatchObject({
    action: 'agent.created',
    target_id: made.body.id,
    actor: { kind: 'key', agent_id: agent.id },
  });
});
