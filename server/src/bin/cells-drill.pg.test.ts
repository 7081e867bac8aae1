import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkBackup } from '#backups/actions/check-backup';
import type { Manifest } from '#backups/domain/manifest';
import { type EmptyDatabase, openEmpty } from '#backups/testing/empty-database';
import { memoryArchive } from '#backups/testing/memory-archive';
import type { Service } from '#bin/service';
import type { Archive } from '#blobs/archive';
import { addedCells } from '#cells/actions/add-cell';
import { type RestoredCells, restoreCells } from '#cells/actions/restore-cells';
import { backUpAll, openCellsOf, startOn } from '#testing/cells/cell-backups';
import { keyOf, messageTo, sendSteadily } from '#testing/cells/send-steadily';
import { type CellKit, type CellTenant, operatorOf, startCellKit } from '#testing/cells/test-cells';
import { type MadeDatabase, makeDatabase } from '#testing/database/test-database';
import { callApi } from '#testing/test-service';

/*
 * The drill: tenants of two cells send while one backup of both is made, and go on; then both databases are lost. What comes back, on
 * another server for one of the cells, must go on where it was, and nobody may get a message twice.
 */

interface Sender {
  readonly tenant: CellTenant;
  readonly load: ReturnType<typeof sendSteadily>;
  /** Accepted before the backup began. */
  before: readonly (readonly [to: string, id: string])[];
  oldCursor: string;
  lostCursor: string;
}

let cells: CellKit;
let senders: readonly Sender[];
let manifest: Manifest;
let target: EmptyDatabase;
let otherServer: MadeDatabase;
let restored: Service;
let report: RestoredCells;

/** The place of a reader of events: after the first page, or at the end of all that have come. */
const cursorOf = async ({ call }: CellTenant, atEnd: boolean): Promise<string> => {
  for (let cursor = ''; ; ) {
    const { body } = await call('GET', `/v1/events?limit=100${cursor === '' ? '' : `&after=${cursor}`}`);
    if (body.data.length === 0) return cursor;
    cursor = body.page.next_cursor;
    if (!atEnd) return cursor;
  }
};
const reachedOf = async ({ phoneNumberId }: CellTenant): Promise<readonly string[]> => {
  const path = `/_sim/messages?limit=10000&phone_number_id=${phoneNumberId}`;
  return (await cells.kit.simulate('GET', path)).body.data.map(({ to }: { to: string }) => to);
};
const onRestored = (tenant: CellTenant, method: string, path: string, body?: unknown, key?: string) =>
  callApi(restored.url, method, path, body, {
    authorization: `Bearer ${tenant.key}`,
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  });
const untilMore = async (more: number) => {
  for (const { load } of senders) {
    const wanted = load.sent.size + more;
    await cells.kit.until(load.count, (n) => n >= wanted, 'messages flow in both cells');
  }
};

/** Once the moments of the backup have passed, each cell accepts and sends more before the first file is complete. */
function loading(archive: Archive): Archive {
  let isFirst = true;
  return {
    ...archive,
    write: async (name, source) => {
      if (name.includes('/tables/') && isFirst) {
        isFirst = false;
        await untilMore(10);
      }
      await archive.write(name, source);
    },
  };
}

beforeAll(async () => {
  cells = await startCellKit({ config: { encryptionKey: randomBytes(32).toString('base64'), databasePool: 4 } });
  const { kit } = cells;
  senders = [cells.inMain, cells.inB].map((tenant) => {
    const load = sendSteadily(kit, tenant, 'drill');
    return { tenant, load, before: [], oldCursor: '', lostCursor: '' };
  });
  await untilMore(30);
  for (const sender of senders) {
    sender.oldCursor = await cursorOf(sender.tenant, false);
    sender.before = [...sender.load.sent];
  }
  const archive = memoryArchive();
  manifest = await backUpAll(kit, loading(archive));
  await untilMore(10);
  for (const { tenant, load } of senders) {
    await load.stop();
    await kit.until(
      () => reachedOf(tenant),
      (all) => [...load.sent.keys()].every((to) => all.includes(to)),
      'what was accepted is sent',
    );
  }
  for (const sender of senders) sender.lostCursor = await cursorOf(sender.tenant, true);
  expect(await checkBackup(archive, manifest)).toMatchObject({ faults: [] });
  target = await openEmpty(archive, { encryptionKey: kit.rt.config.encryptionKey, databasePool: 4 });
  otherServer = await makeDatabase();
  const given = new Map([['b', otherServer.url ?? '']]);
  report = await restoreCells(target, manifest, { verify: true, given });
  await target.db.close();
  restored = await startOn(kit, target);
  await kit.simulate('PUT', '/_sim/config', { callback_url: `${restored.url}/webhooks/meta` });
});

afterAll(async () => {
  await restored?.close();
  await target?.drop();
  await otherServer?.drop();
  await cells.kit.close();
});

test('one backup has each cell as it was at one moment, with its rows apart', () => {
  expect(manifest).toMatchObject({ format: 2, cells: [{ cellId: 'b', schema: 'cell_b', hasOwnServer: false }] });
  const [b] = manifest.cells ?? [];
  const filesOf = (tables: Manifest['tables']) => Object.values(tables).flatMap(({ files }) => files);
  expect(filesOf(manifest.tables).every(({ name }) => name.startsWith(`${manifest.id}/tables/`))).toBe(true);
  expect(filesOf(b?.tables ?? {}).every(({ name }) => name.startsWith(`${manifest.id}/cells/b/tables/`))).toBe(true);
  expect(b?.tables.tenants?.rows).toBe(1);
  expect(Date.parse(b?.startedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(manifest.startedAt));
});

test('all cells come back where the operator wants them, with their directory', async () => {
  expect(report).toMatchObject({ cells: ['main', 'b'], faults: [], migrated: [] });
  expect((await addedCells(restored.db)).map(({ cellId, state, url }) => [cellId, state, url !== null])).toEqual([
    ['b', 'open', true],
  ]);
  const run = operatorOf({ ...cells.kit, service: restored });
  expect(await run('cells.check')).toMatchObject({ repaired: [], faults: [], cells: 2, tenants: 3 });
});

describe.each([0, 1])('the tenant of cell %i', (index) => {
  const sender = () => senders[index] as Sender;

  test('has everything that was accepted before the backup, and gets its repeated requests answered as before', async () => {
    const { tenant, before } = sender();
    for (const [n, [to, id]] of before.entries()) {
      expect((await onRestored(tenant, 'GET', `/v1/messages/${id}`)).status).toBe(200);
      const again = await onRestored(tenant, 'POST', '/v1/messages', messageTo(n), keyOf('drill', n));
      expect([again.status, again.body.id, again.body.to]).toEqual([202, id, to]);
    }
  });

  test('reads events on from before the backup, and learns when its place is lost', async () => {
    const { tenant, oldCursor, lostCursor } = sender();
    const next = await onRestored(tenant, 'GET', `/v1/events?after=${oldCursor}&limit=1000`);
    expect(next.status).toBe(200);
    const lost = await onRestored(tenant, 'GET', `/v1/events?after=${lostCursor}`);
    expect(lost).toMatchObject({ status: 410, body: { code: 'events_expired' } });
  });

  test('sends again, and nobody has got a message twice', async () => {
    const { tenant, load } = sender();
    const body = { ...messageTo(0), to: '447700999999' };
    const sent = await onRestored(tenant, 'POST', '/v1/messages', body);
    expect(sent.status).toBe(202);
    await cells.kit.until(
      async () => (await onRestored(tenant, 'GET', `/v1/messages/${sent.body.id}`)).body.delivery.state,
      (state) => state === 'read',
      'its lane goes on',
    );
    const all = await reachedOf(tenant);
    expect(all.toSorted()).toEqual([...load.sent.keys(), body.to].toSorted());
  });
});

test('each cell has begun a new history', async () => {
  for (const { cellId, db } of openCellsOf({ service: restored })) {
    const text = 'select reason from database_histories order by history_id desc limit 1';
    expect([cellId, (await db.run({ name: '', text }, [])).rows]).toEqual([cellId, [{ reason: 'other_server' }]]);
  }
});
