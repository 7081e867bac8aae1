import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Manifest } from '#backups/domain/manifest';
import { type EmptyDatabase, openEmpty } from '#backups/testing/empty-database';
import { type MemoryArchive, memoryArchive } from '#backups/testing/memory-archive';
import type { Service } from '#bin/service';
import { moveTenantToCell } from '#cells/actions/move-tenant';
import { restoreCells } from '#cells/actions/restore-cells';
import { type RestoredCell, restoreOneCell } from '#cells/actions/restore-one-cell';
import { endMove, takeMove } from '#cells/store/moves';
import type { TenantId } from '#core/ids';
import { backUpAll, openCellsOf, startOn } from '#testing/cells/cell-backups';
import { addCellTenant, type CellKit, type CellTenant, operatorOf, startCellKit } from '#testing/cells/test-cells';
import { type MadeDatabase, makeDatabase } from '#testing/database/test-database';
import { callApi } from '#testing/test-service';

/*
 * An installation whose cell b is on a server of its own, which is lost. Since the backup one tenant has moved from b to main, and one was
 * made in b.
 */

let cells: CellKit;
let moved: CellTenant;
let late: CellTenant;
let archive: MemoryArchive;
let manifest: Manifest;
let main: EmptyDatabase;
let lostServer: MadeDatabase;
let newServer: MadeDatabase;

const messageTo = (to: string) => ({ type: 'template', to, template: { name: 'order_shipped', language: 'en' } });

async function onService<T>(work: (service: Service) => Promise<T>): Promise<T> {
  const service = await startOn(cells.kit, main);
  try {
    return await work(service);
  } finally {
    await service.close();
  }
}

beforeAll(async () => {
  cells = await startCellKit({ config: { encryptionKey: randomBytes(32).toString('base64'), databasePool: 4 } });
  const { kit } = cells;
  moved = await addCellTenant(kit, { name: 'Moved', cell: 'b', phoneNumberId: '100000000000301' });
  for (const { call } of [cells.inMain, cells.inB, moved])
    expect((await call('POST', '/v1/messages', messageTo('447700900301'))).status).toBe(202);
  archive = memoryArchive();
  manifest = await backUpAll(kit, archive);
  main = await openEmpty(archive, { encryptionKey: kit.rt.config.encryptionKey, databasePool: 4 });
  [lostServer, newServer] = [await makeDatabase(), await makeDatabase()];
  await restoreCells(main, manifest, { verify: false, given: new Map([['b', lostServer.url ?? '']]) });
  late = await onService(async (service) => {
    const rt = main.rt;
    const open = openCellsOf({ service });
    await moveTenantToCell({ rt, directory: service.db, open, missing: [] }, moved.id as TenantId, 'main');
    return addCellTenant({ ...kit, service }, { name: 'Late', cell: 'b', phoneNumberId: '100000000000302' });
  });
});

afterAll(async () => {
  await main?.drop();
  await lostServer?.drop();
  await newServer?.drop();
  await cells.kit.close();
});

const restore = (cellId: string, at: string | null, of: Manifest = manifest) =>
  restoreOneCell(main, of, { cellId, at, verify: true });

test.each([
  ['the main cell', 'main', 'comes back only with all others'],
  ['a cell that the backup does not have', 'c', 'has no cell "c". Besides main it has b. Nothing was changed.'],
  ['a cell that is not empty', 'b', 'The cell b is not empty: '],
])('%s does not come back alone', async (_label, cellId, sentence) => {
  await expect(restore(cellId, null)).rejects.toThrow(sentence);
});

test('a cell that the installation does not have does not come back alone', async () => {
  const renamed = (manifest.cells ?? []).map((cell) => ({ ...cell, cellId: 'c' }));
  await expect(restore('c', 'cell_c', { ...manifest, cells: renamed })).rejects.toThrow(
    'This installation has no cell "c".',
  );
});

test('a cell does not come back while a tenant is between it and another', async () => {
  const move = { tenantId: moved.id as TenantId, fromCell: 'b', toCell: 'main', holder: 'a test' };
  await takeMove(main.db, { ...move, leaseUntilMs: 0, startedMs: 1 });
  await expect(restore('b', newServer.url)).rejects.toThrow('its rows are in both');
  await endMove(main.db, move);
});

test('a cell of another installation does not come back here', async () => {
  const text = `update settings set value = 'another' where name = 'echo_key' returning 1`;
  const secret = await main.db.run<{ value: string }>(
    { name: '', text: `select value from settings where name = 'echo_key'` },
    [],
  );
  await main.db.run({ name: '', text }, []);
  await expect(restore('b', newServer.url)).rejects.toThrow('The backup is of another installation.');
  await main.db.run({ name: '', text: `update settings set value = $1 where name = 'echo_key'` }, [
    secret.rows[0]?.value,
  ]);
});

test('a cell comes back on another server, without the tenant that has left it, and the others stay as they are', async () => {
  const report: RestoredCell = await restore('b', newServer.url);
  expect(report).toMatchObject({ cells: ['b'], elsewhere: [moved.id], absent: [late.id], migrated: [] });
  await onService(async (service) => {
    const at = ({ key }: CellTenant, method = 'GET', body?: object) =>
      callApi(service.url, method, '/v1/messages', body, { authorization: `Bearer ${key}` });
    for (const tenant of [cells.inMain, cells.inB, moved]) {
      expect((await at(tenant)).body.data.length).toBe(1);
      expect((await at(tenant, 'POST', messageTo('447700900302'))).status).toBe(202);
    }
    const run = operatorOf({ ...cells.kit, service });
    const { data } = (await run('tenants.list')) as { data: readonly { id: string; name: string }[] };
    expect(data.map(({ name }) => name).toSorted()).toEqual(['Bank', 'Demo', 'Flower shop', 'Moved']);
    expect(await run('cells.check')).toMatchObject({ faults: [] });
  });
});
