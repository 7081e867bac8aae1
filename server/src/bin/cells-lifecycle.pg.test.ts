import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrationsFolder, type Service, startService } from '#bin/service';
import { addCell, addedCells } from '#cells/actions/add-cell';
import type { Database } from '#database/database';
import { readMigrations } from '#database/migration-file';
import { addCellTenant, operatorOf } from '#testing/cells/test-cells';
import { openDoor } from '#testing/database/database-door';
import { testRuntime } from '#testing/test-runtime';
import { callApi, startTestService, type TestService } from '#testing/test-service';

let kit: TestService;
const folders: string[] = [];

beforeAll(async () => {
  // Both processes must open the addresses of cells. As few connections as there can be: each serves several cells.
  kit = await startTestService({ config: { encryptionKey: randomBytes(32).toString('base64'), databasePool: 4 } });
});

afterAll(async () => {
  await kit.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Another process of the same installation. */
function startAnother(): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-cells-'));
  folders.push(folder);
  return startService(testRuntime({ ...kit.rt.config, bootstrapApiKey: '', dataDir: folder }));
}

const listAt = (service: Service, key: string) =>
  callApi(service.url, 'GET', '/v1/messages', undefined, { authorization: `Bearer ${key}` });

/** Fails from a statement on, as a killed command would. */
function failingAfter(db: Database, statements: number): Database {
  let left = statements;
  const run: Database['run'] = (...call) => {
    left -= 1;
    return left < 0 ? Promise.reject(new Error('killed')) : db.run(...call);
  };
  return { ...db, kind: db.kind, kysely: db.kysely, run, transaction: (work) => db.transaction(work) };
}

test('without another cell there is no directory, and nothing is looked up', async () => {
  const { rows } = await kit.service.db.run<{ schema: string | null }>(
    { name: '', text: "select to_regnamespace('postrider_directory')::text as schema" },
    [],
  );
  expect(rows).toEqual([{ schema: null }]);
  expect(await operatorOf(kit)('cells.list')).toMatchObject({ data: [{ id: 'main', state: 'open' }] });
  await expect(operatorOf(kit)('tenants.create', { name: 'x', cell: 'b' })).rejects.toThrow('There is no cell "b"');
});

test('a cell whose making was interrupted, wherever that was, is made by the same command', async () => {
  const { db } = kit.service;
  const deps = { rt: kit.rt, db, migrations: readMigrations(migrationsFolder()) };
  const wanted = { cellId: 'b', url: null, schema: null };
  let interrupted = 0;
  for (let statements = 0; statements < 14; statements += 1) {
    const failing = addCell({ ...deps, db: failingAfter(db, statements) }, wanted);
    await expect(failing).rejects.toThrow('killed');
    interrupted += 1;
    const [cell] = await addedCells(db);
    expect(cell?.state ?? 'joining').toBe('joining');
    if (cell !== undefined) break;
  }
  expect(interrupted).toBeGreaterThan(5);
  expect(await addCell(deps, wanted)).toMatchObject({ cellId: 'b', state: 'open' });
  const tenant = await addCellTenant(kit, { name: 'Bank', cell: 'b', phoneNumberId: '100000000000202' });
  expect((await tenant.call('GET', '/v1/messages')).status).toBe(200);
});

test('another process serves a cell that was added while it ran', async () => {
  const other = await startAnother();
  try {
    await operatorOf(kit)('cells.add', { cell: 'late' });
    const tenant = await addCellTenant(kit, { name: 'Late', cell: 'late', phoneNumberId: '100000000000203' });
    expect((await listAt(other, tenant.key)).status).toBe(200);
  } finally {
    await other.close();
  }
});

test('a process that starts while a cell is away serves the others, and the cell once it is there', async () => {
  const door = await openDoor(kit.rt.config.databaseUrl);
  const run = operatorOf(kit);
  await run('cells.add', { cell: 'far', url: door.url, schema: 'cell_far' });
  const far = await addCellTenant(kit, { name: 'Far', cell: 'far', phoneNumberId: '100000000000204' });
  const near = await addCellTenant(kit, { name: 'Near', cell: 'b', phoneNumberId: '100000000000205' });
  for (const { call } of [far, near]) expect((await call('GET', '/v1/messages')).status).toBe(200);
  door.slam();
  const other = await startAnother();
  try {
    expect((await listAt(other, near.key)).status).toBe(200);
    const away = await listAt(other, far.key);
    expect(away).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } });
    expect(Number(away.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(away.headers.get('x-request-id')).toBeTruthy();
    // Nobody can know whether a key that the others do not know is one of the cell that is away.
    expect((await listAt(other, 'a-key-of-another-form-that-nobody-made')).status).toBe(503);
    expect((await callApi(other.url, 'GET', '/readyz')).body.cells_away).toEqual(['far']);
    door.thaw();
    await kit.until(
      () => listAt(other, far.key),
      ({ status }) => status === 200,
      'the cell is served',
    );
  } finally {
    await other.close();
    await door.close();
  }
});
