import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findBackup } from '#backups/actions/find-backup';
import { pruneBackups } from '#backups/actions/prune-backups';
import { type CellEntry, MANIFEST, type Manifest } from '#backups/domain/manifest';
import { type EmptyDatabase, openEmpty } from '#backups/testing/empty-database';
import { type MemoryArchive, memoryArchive } from '#backups/testing/memory-archive';
import type { Archive } from '#blobs/archive';
import { restoreCells } from '#cells/actions/restore-cells';
import { endMove, takeMove } from '#cells/store/moves';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { backUpAll, openCellsOf, startOn } from '#testing/cells/cell-backups';
import { type CellKit, startCellKit } from '#testing/cells/test-cells';
import { freshPhone } from '#testing/test-tenant';

let cells: CellKit;
let archive: MemoryArchive;
let manifest: Manifest;
const opened: EmptyDatabase[] = [];

beforeAll(async () => {
  cells = await startCellKit({ config: { encryptionKey: randomBytes(32).toString('base64'), databasePool: 4 } });
  const later = new Date(cells.kit.rt.clock.now() + 3_600_000).toISOString();
  for (const { call } of [cells.inMain, cells.inB]) {
    const template = { name: 'order_shipped', language: 'en' };
    const body = { type: 'template', to: freshPhone(), template, send_at: later };
    expect((await call('POST', '/v1/messages', body)).status).toBe(202);
  }
  archive = memoryArchive();
  manifest = await backUpAll(cells.kit, archive);
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.drop();
});
afterAll(() => cells.kit.close());

async function empty(from: Archive = archive): Promise<EmptyDatabase> {
  const made = await openEmpty(from, { encryptionKey: cells.kit.rt.config.encryptionKey, databasePool: 4 });
  opened.push(made);
  return made;
}

async function ask(db: Pick<Database, 'run'>, text: string): Promise<readonly unknown[]> {
  return (await db.run({ name: '', text }, [])).rows;
}

function copyOf(source: MemoryArchive): MemoryArchive {
  const copy = memoryArchive();
  for (const [name, bytes] of source.files) copy.files.set(name, bytes);
  return copy;
}

const nothing = new Map<string, string>();
const schemasOf = (db: Database) =>
  ask(db, `select nspname from pg_namespace where nspname like 'cell%' or nspname like 'postrider%'`);

describe('a backup of cells', () => {
  const move = {
    tenantId: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f02' as TenantId,
    ...{ fromCell: 'b', toCell: 'main', holder: 'a test' },
    ...{ leaseUntilMs: 0, startedMs: 0 },
  };

  test('is refused while a tenant is on its way, and leaves nothing behind', async () => {
    const { db } = cells.kit.service;
    await takeMove(db, { ...move, startedMs: 1 });
    const into = memoryArchive();
    await expect(backUpAll(cells.kit, into)).rejects.toThrow(
      `The tenant ${move.tenantId} is on its way from the cell b to main.`,
    );
    expect([...into.files.keys()]).toEqual([]);
    await endMove(db, move);
  });

  test('lets no tenant leave before the moment of the last cell has come', async () => {
    const { kit } = cells;
    const { db } = kit.service;
    const b = openCellsOf(kit)[1]?.db as Database;
    let making: Promise<Manifest> | null = null;
    let leaving: Promise<unknown> | null = null;
    let hasLeft = false;
    await b.aside((connection) =>
      connection.transaction(async (tx) => {
        await tx.run({ name: '', text: 'lock table tenants in access exclusive mode' }, []);
        making = backUpAll(kit, memoryArchive());
        const locks = (mode: string, isGranted: boolean) =>
          `select 1 from pg_locks where relation = 'postrider_directory.tenant_moves'::regclass and mode = '${mode}' and granted = ${isGranted}`;
        await kit.until(
          () => ask(db, locks('ShareLock', true)),
          (rows) => rows.length > 0,
          'the backup keeps tenants from moving',
        );
        leaving = takeMove(db, { ...move, startedMs: 1 }).then(() => {
          hasLeft = true;
        });
        await kit.until(
          () => ask(db, locks('RowExclusiveLock', false)),
          (rows) => rows.length > 0,
          'the tenant waits for the backup',
        );
        expect(hasLeft).toBe(false);
      }),
    );
    const made = await (making as unknown as Promise<Manifest>);
    await leaving;
    expect(made.cells?.[0]?.tables.tenants?.rows).toBe(1);
    await endMove(db, move);
  });

  test.each([
    'tables/tenants',
    'cells/b/tables/tenants',
    MANIFEST,
  ])('that is killed at %s is never taken for a whole one', async (at) => {
    const into = memoryArchive();
    const dying: Archive = {
      ...into,
      write: (name, source) => (name.includes(at) ? killed() : into.write(name, source)),
      // A process that is killed removes nothing.
      remove: async () => undefined,
    };
    await expect(backUpAll(cells.kit, dying)).rejects.toThrow('Killed.');
    await expect(findBackup(into, null)).rejects.toThrow('has no complete backup');
    expect(await pruneBackups(into, { keep: 1, nowMs: Date.now() + 100_000_000 })).toMatchObject({ kept: [] });
    expect([...into.files.keys()]).toEqual([]);
  });

  test('that cannot read one cell is over for all, before any is copied', async () => {
    const into = memoryArchive();
    const open = openCellsOf(cells.kit).map(({ cellId, db }) => {
      const aside: Database['aside'] = () => Promise.reject(new Error('The cell is away.'));
      return { cellId, db: cellId === 'b' ? { ...db, kind: db.kind, kysely: db.kysely, aside } : db };
    });
    const written: string[] = [];
    const watched: Archive = {
      ...into,
      write: (name, source) => {
        written.push(name);
        return into.write(name, source);
      },
    };
    await expect(backUpAll(cells.kit, watched, open)).rejects.toThrow('The cell is away.');
    expect(written.filter((name) => name.includes('/tables/'))).toEqual([]);
    expect([...into.files.keys()]).toEqual([]);
  });

  test('that fails in one cell leaves nothing of any behind', async () => {
    const into = memoryArchive();
    const full: Archive = {
      ...into,
      write: (name, source) =>
        name.includes('cells/b/tables/phone_numbers')
          ? Promise.reject(new Error('No space left.'))
          : into.write(name, source),
    };
    await expect(backUpAll(cells.kit, full)).rejects.toThrow('No space left.');
    expect([...into.files.keys()]).toEqual([]);
  });
});

const killed = () => Promise.reject(new Error('Killed.'));

describe('a restore of cells', () => {
  test('comes by default into the schemas that the cells had, and is complete when it is over', async () => {
    const target = await empty();
    const report = await restoreCells(target, manifest, { verify: true, given: nothing });
    expect(report).toMatchObject({ cells: ['main', 'b'], faults: [], migrated: [] });
    for (const table of ['tenants', 'outbound_messages', 'phone_numbers', 'api_keys', 'settings']) {
      for (const schema of ['public', 'cell_b']) {
        const rows = `select t::text as row from ${schema}.${table} t order by 1`;
        expect([schema, table, await ask(target.db, rows)]).toEqual([
          ...[schema, table],
          await ask(cells.kit.service.db, rows),
        ]);
      }
    }
    expect(await ask(target.db, 'select * from postrider_directory.restores')).toEqual([]);
    const again = restoreCells(target, manifest, { verify: false, given: nothing });
    await expect(again).rejects.toThrow('The cell main is not empty: ');
  });

  test.each([
    ['in the main cell', 'tables/outbound_messages'],
    ['between the cells', 'cells/b/tables/api_keys'],
    ['in the last cell', 'cells/b/tables/tenants'],
  ])('that is killed %s keeps every process away, and goes on when it is run again', async (_when, at) => {
    const target = await empty();
    const read = target.archive.read;
    const name = `${manifest.id}/${at}.0001.ndjson.gz`;
    expect(archive.files.has(name)).toBe(true);
    const dying = { ...target.archive, read: (file: string) => (file === name ? killed() : read(file)) };
    await expect(
      restoreCells({ ...target, archive: dying }, manifest, { verify: false, given: nothing }),
    ).rejects.toThrow('Killed.');
    await expect(startOn(cells.kit, target)).rejects.toThrow(`The restore of the backup ${manifest.id} is not over`);
    const other = {
      ...manifest,
      id: '20200101T000000Z-abcdef',
      keys: [],
      cells: manifest.cells?.map(withoutKeys) ?? [],
    };
    await expect(restoreCells(target, other, { verify: false, given: nothing })).rejects.toThrow(
      `The restore of the backup ${manifest.id} is not over.`,
    );
    const report = await restoreCells(target, manifest, { verify: true, given: nothing });
    expect(report).toMatchObject({ cells: ['main', 'b'], faults: [] });
    await target.db.close();
    const service = await startOn(cells.kit, target);
    await service.close();
  });

  test('that is killed after all rows have come is finished by the next one', async () => {
    const target = await empty();
    const broken = { version: 9_000, name: 'broken', text: 'select 1/0', checksum: 'x' };
    const failing = { ...target, migrations: [...target.migrations, broken] };
    await expect(restoreCells(failing, manifest, { verify: false, given: nothing })).rejects.toThrow(
      'division by zero',
    );
    await expect(startOn(cells.kit, target)).rejects.toThrow('is not over');
    expect(await restoreCells(target, manifest, { verify: false, given: nothing })).toMatchObject({ faults: [] });
    expect(await ask(target.db, 'select state from postrider_directory.cells')).toEqual([{ state: 'open' }]);
  });
});

const withoutKeys = (cell: CellEntry): CellEntry => ({ ...cell, keys: [] });

describe('a restore of cells is refused, and changes nothing,', () => {
  const changed = (change: (cell: CellEntry) => object): Manifest => ({
    ...manifest,
    cells: (manifest.cells ?? []).map((cell) => ({ ...cell, ...change(cell) })),
  });
  const twoCells = (): Manifest => {
    const cells = manifest.cells ?? [];
    return { ...manifest, cells: [...cells, ...cells.map((cell) => ({ ...cell, cellId: 'c' }))] };
  };
  const newer = { version: 9_000, name: 'next', checksum: 'x' };

  test.each([
    [
      'a cell is named that the backup does not have',
      () => manifest,
      { c: 'cell_c' },
      'The backup has no cell "c". Besides main it has b.',
    ],
    [
      'the cell of another server has no place',
      () => changed(() => ({ hasOwnServer: true })),
      {},
      '--cell-at b=postgres://',
    ],
    ['two cells would share a place', twoCells, { b: 'cell_x', c: 'cell_x' }, 'The cell b is there. Name another'],
    ['an address is not one of PostgreSQL', () => manifest, { b: 'mysql://x' }, 'The address of a cell must be like'],
    ['the server of a cell is away', () => manifest, { b: 'postgres://127.0.0.1:1/x' }, 'The cell b cannot be reached'],
    ['the schema has no name that one can have', () => manifest, { b: 'x; drop' }, 'A schema is named by'],
    [
      'a cell is of a newer schema',
      () => changed(({ migrations }) => ({ migrations: [...migrations, newer] })),
      {},
      'has schema version 9000',
    ],
    ['a cell has another name than one can have', () => changed(() => ({ cellId: 'B b' })), {}, 'A cell is named by'],
  ] as const)('when %s', async (_when, of, places, sentence) => {
    const target = await empty();
    const given = new Map<string, string>(Object.entries(places));
    await expect(restoreCells(target, of(), { verify: false, given })).rejects.toThrow(sentence);
    expect(await schemasOf(target.db)).toEqual([]);
    expect(await ask(target.db, `select to_regclass('tenants') as tenants`)).toEqual([{ tenants: null }]);
  });

  test.each([
    ['is missing', () => null, 'is missing from the backup. Nothing was changed.'],
    ['was cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length - 9), 'is damaged: it is not what was written.'],
  ] as const)('when a file of any cell %s', async (_when, damage, sentence) => {
    const damaged = copyOf(archive);
    const name = [...archive.files.keys()].find((file) => file.includes('cells/b/tables/tenants')) ?? '';
    const bytes = damage(archive.files.get(name) ?? Buffer.alloc(0));
    if (bytes === null) damaged.files.delete(name);
    else damaged.files.set(name, bytes);
    const target = await empty(damaged);
    const restoring = restoreCells(target, manifest, { verify: false, given: nothing });
    await expect(restoring).rejects.toThrow(`${name} ${sentence}`);
    expect(await schemasOf(target.db)).toEqual([]);
  });

  test('when a cell is not empty', async () => {
    const target = await empty();
    await ask(target.db, 'create schema cell_b');
    await ask(target.db, 'create table cell_b.tenants as select 1 as tenant_id');
    const restoring = restoreCells(target, manifest, { verify: false, given: nothing });
    await expect(restoring).rejects.toThrow('The cell b is not empty: tenants has rows.');
    expect(await ask(target.db, `select to_regclass('public.tenants') as tenants`)).toEqual([{ tenants: null }]);
  });
});
