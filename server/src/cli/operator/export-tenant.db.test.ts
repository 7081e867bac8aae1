import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { suspendTenant } from '#access/actions/suspend-tenant';
import { migrationsFolder } from '#bin/service';
import type { Database, SqlRunner, Transaction } from '#database/database';
import { MOVING, makeFullTenant } from '#http/security/testing/world';
import { beginDeletion } from '#maintenance/actions/delete-tenant';
import { EXPORTED_TABLES, UNEXPORTED_TABLES } from '#maintenance/store/export-tenant';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { runOperatorCommand } from './commands.ts';

let kit: TestService;
let tenant: TestTenant;
let parent: string;

beforeAll(async () => {
  kit = await startTestService({ isAlone: true });
  tenant = await makeFullTenant(kit);
  parent = mkdtempSync(join(tmpdir(), 'postrider-export-'));
});
afterAll(async () => {
  await kit.close();
  rmSync(parent, { recursive: true });
});

function exportTo(name: string, { tenantId, db = kit.service.db }: { tenantId: string; db?: Database }) {
  const deps = { rt: kit.rt, db, migrationsFolder: migrationsFolder() };
  return runOperatorCommand(deps, 'tenants.export', { tenant: tenantId, folder: join(parent, name) });
}

const read = (...path: string[]) => readFileSync(join(parent, ...path));
const manifestOf = (name: string): Answer['body'] => JSON.parse(read(name, 'manifest.json').toString());
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function ask<Row>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
  const name = `test_${sha256(Buffer.from(text)).slice(0, 12)}`;
  return (await kit.service.db.run<Row>({ name, text }, values)).rows;
}

describe('the tables of an export', () => {
  test('are every table with a tenant_id, but for those that are left out for a reason', async () => {
    const rows = await ask<{ name: string }>(
      `select table_name as name from information_schema.columns where column_name = 'tenant_id' and table_schema = 'public'`,
    );
    const listed = [...Object.keys(EXPORTED_TABLES), ...Object.keys(UNEXPORTED_TABLES)];
    expect(listed.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
  });

  test('have no column with the name of a secret, and leave out none that is not there', async () => {
    const columns = await ask<{ table: string; column: string }>(
      `select table_name as table, column_name as column from information_schema.columns where table_schema = 'public'`,
    );
    const exported = columns.filter(({ table }) => table in EXPORTED_TABLES);
    const isLeftOut = ({ table, column }: (typeof columns)[number]) => EXPORTED_TABLES[table]?.includes(column);
    const isSecret = ({ column }: (typeof columns)[number]) =>
      /secret|token|key_hash|sealed|password/.test(column) && !column.endsWith('_ms');
    expect(exported.filter((one) => isSecret(one) && !isLeftOut(one))).toEqual([]);
    expect(exported.filter(isLeftOut)).toHaveLength(Object.values(EXPORTED_TABLES).flat().length);
  });
});

describe('an export of a tenant', () => {
  test('has all its rows and the bytes of its media, as its manifest says, for this user alone', async () => {
    const answer = await exportTo('whole', tenant);
    const manifest = manifestOf('whole');
    expect(answer).toEqual({ ...manifest, folder: join(parent, 'whole') });
    expect(manifest).toMatchObject({ complete: true, tenant: { id: tenant.tenantId, name: 'Test' } });
    for (const [table, { file, rows, bytes, sha256: hash }] of Object.entries<Answer['body']>(manifest.tables)) {
      const [count] = await ask<{ n: number }>(`select count(*)::int as n from ${table} where tenant_id = $1`, [
        tenant.tenantId,
      ]);
      const content = read('whole', file);
      const lines = content
        .toString()
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line));
      expect([table, MOVING.has(table) || rows, lines.length, bytes, hash]).toEqual([
        table,
        MOVING.has(table) || count?.n,
        rows,
        content.length,
        sha256(content),
      ]);
      expect(lines.every((line) => line.tenant_id === tenant.tenantId)).toBe(true);
      expect(statSync(join(parent, 'whole', file)).mode & 0o077).toBe(0);
    }
    const files = readdirSync(join(parent, 'whole', 'media'));
    expect(manifest.media).toMatchObject({ files: files.length, missing: 0 });
    expect(files.length).toBeGreaterThan(0);
    for (const name of files) expect(name.startsWith(sha256(read('whole', 'media', name)))).toBe(true);
    expect(statSync(join(parent, 'whole')).mode & 0o077).toBe(0);
  });

  test('holds no secret, neither hashed nor encrypted', async () => {
    await exportTo('secrets', tenant);
    const stored = await ask<{ secret: string | null }>(
      `select key_hash as secret from api_keys where tenant_id = $1
       union all select secret_sealed from webhook_endpoints where tenant_id = $1
       union all select token from linked_accounts where tenant_id = $1`,
      [tenant.tenantId],
    );
    const secrets = [...stored.flatMap(({ secret }) => secret ?? []), tenant.key];
    expect(secrets.length).toBeGreaterThan(3);
    const tables = readdirSync(join(parent, 'secrets', 'tables'));
    const text = tables.map((name) => read('secrets', 'tables', name).toString()).join('');
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });

  test('is in the audit log of the tenant before anything is read, and so in the export', async () => {
    const own = await makeTestTenant(kit);
    await exportTo('audited', own);
    const [entry] = (await own.call('GET', '/v1/audit-log?limit=1')).body.data;
    expect(entry).toMatchObject({ action: 'tenant.exported', actor: { kind: 'operator' }, target_id: own.tenantId });
    expect(read('audited', 'tables', 'audit_log.ndjson').toString()).toContain(entry.id);
  });

  test('works while the tenant is suspended, and not when it is being deleted', async () => {
    const own = await makeTestTenant(kit);
    await suspendTenant(kit.rt, kit.service.db, { tenantId: own.tenantId, reason: 'Unpaid' });
    expect(await exportTo('suspended', own)).toMatchObject({ complete: true });
    await beginDeletion(kit.rt, kit.service.db, { tenantId: own.tenantId, confirm: 'Test' });
    await expect(exportTo('deleting', own)).rejects.toThrow('is being deleted');
    expect(existsSync(join(parent, 'deleting'))).toBe(false);
  });

  test('that is killed at any point says that it is not complete', async () => {
    for (const statements of [0, 1, 5, 40]) {
      await expect(exportTo(`killed-${statements}`, { ...tenant, db: dyingAfter(statements) })).rejects.toThrow(
        'Killed',
      );
      expect(manifestOf(`killed-${statements}`)).toMatchObject({ complete: false, finished_at: null });
    }
  });

  test('counts media whose bytes are gone', async () => {
    const own = await makeTestTenant(kit);
    const blob = [own.tenantId, '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01', 'ab'.repeat(32)];
    await ask(
      `insert into media_blobs (tenant_id, blob_id, sha256, size, created_ms) values ($1, $2, $3, 5, 1) returning 1`,
      blob,
    );
    expect(await exportTo('gone', own)).toMatchObject({ complete: true, media: { files: 0, missing: 1 } });
  });

  test('goes into no folder that exists or cannot be made, and is refused for a tenant that there is not', async () => {
    await exportTo('taken', await makeTestTenant(kit));
    const before = manifestOf('taken');
    await expect(exportTo('taken', tenant)).rejects.toThrow('already exists');
    expect(manifestOf('taken')).toEqual(before);
    await expect(exportTo('none/none', tenant)).rejects.toThrow('cannot be created (ENOENT)');
    await expect(exportTo('nobody', { tenantId: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01' })).rejects.toThrow('no tenant');
    const deps = { rt: kit.rt, db: kit.service.db, migrationsFolder: migrationsFolder() };
    const relative = { tenant: tenant.tenantId, folder: 'here' };
    await expect(runOperatorCommand(deps, 'tenants.export', relative)).rejects.toThrow('absolute');
  });
});

/** A database on which the process dies after so many statements of the snapshot. */
function dyingAfter(statements: number): Database {
  const { db } = kit.service;
  let left = statements;
  const run = (runner: SqlRunner): SqlRunner['run'] => {
    return (statement, parameters) => {
      if (statement.name.startsWith('tenant_export_') && left-- <= 0) throw new Error('Killed.');
      return runner.run(statement, parameters);
    };
  };
  const dying = (tx: Transaction): Transaction => ({ atCommit: (command) => tx.atCommit(command), run: run(tx) });
  return {
    ...db,
    kind: db.kind,
    kysely: db.kysely,
    run: run(db),
    transaction: (work) => db.transaction((tx) => work(dying(tx))),
  };
}
