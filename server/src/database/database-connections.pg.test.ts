import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { administer as onDatabase, TERMINATE } from '#testing/database/database-away';
import { administer } from '#testing/database/template-database';
import { copyTemplate, type MadeDatabase } from '#testing/database/test-database';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

const server = process.env.TEST_DATABASE_URL ?? '';

/** Connections of the service to its database. */
async function connectionsOf(kit: TestService): Promise<number> {
  let count = 0;
  await onDatabase(kit, async (client, name) => {
    const { rows } = await client.query('select count(*)::int as count from pg_stat_activity where datname = $1', [
      name,
    ]);
    count = rows[0]?.count;
  });
  return count;
}

function postMany(tenant: TestTenant, count: number): Promise<readonly Answer[]> {
  const post = () => tenant.call('POST', '/v1/messages', { to: freshPhone(), body: 'Hi' });
  return Promise.all(Array.from({ length: count }, post));
}

test('a process opens as many connections as the page on deploying says, and keeps them', async () => {
  const kit = await startTestService();
  try {
    const page = readFileSync(new URL('../../../docs/deploying.md', import.meta.url), 'utf8');
    const [, said] = /(\d+) connections for each process/.exec(page) ?? [];
    expect(await connectionsOf(kit)).toBe(Number(said));
    const tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
    await postMany(tenant, 100);
    await tenant.call('POST', '/v1/messages', { to: 'nobody', body: 'Hi' });
    expect(await connectionsOf(kit)).toBe(Number(said));
  } finally {
    await kit.close();
  }
});

describe('a PostgreSQL that has fewer connections to give than a process wants', () => {
  const role = `postrider_test_${randomBytes(6).toString('hex')}`;
  let made: MadeDatabase;
  let folder: string;
  let kit: TestService;
  let tenant: TestTenant;
  const warnings: string[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'postrider-test-'));
    made = await copyTemplate(folder);
    await administer(server, `create role ${role} login connection limit 5`);
    await administer(
      made.url ?? '',
      `grant all on schema public to ${role}; grant all on all tables in schema public to ${role}`,
    );
    const databaseUrl = Object.assign(new URL(made.url ?? ''), { username: role }).href;
    const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) });
    kit = await startTestService({ config: { databaseUrl }, log });
    tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
  });
  afterAll(async () => {
    await kit.close();
    await made.drop();
    await administer(server, `drop role ${role}`);
    rmSync(folder, { recursive: true, force: true });
  });

  test('is warned of at the start, with what to do', () => {
    expect(warnings.join('\n')).toMatch(/gives this process 5 of 10 connections: raise its max_connections, or lower/);
  });

  test('has its messages accepted all the same', async () => {
    for (const answer of await postMany(tenant, 200)) expect(answer.status).toBe(202);
  });

  test('has them accepted also when most connections break and are not given back', async () => {
    await administer(server, `alter role ${role} connection limit 4`);
    await onDatabase(kit, async (client, name) => void (await client.query(TERMINATE, [name])));
    await kit.until(
      async () => (await postMany(tenant, 1))[0]?.status,
      (status) => status === 202,
      'it accepts again',
    );
    for (const answer of await postMany(tenant, 200)) expect(answer.status).toBe(202);
  });
});
