import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { EmbeddedEngine, spawnWorker } from './embedded-engine.ts';
import { FolderLocked } from './folder-lock.ts';
import { FolderDamaged, openPglite } from './pglite.ts';

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postrider-embedded-'));
  await (await openPglite(join(folder, 'template'))).close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A data folder with a database of its own, which takes several seconds to make and a moment to copy. */
function copyOfTemplate(name: string): string {
  const dataDir = join(folder, name);
  cpSync(join(folder, 'template'), dataDir, { recursive: true });
  return dataDir;
}

const query = (text: string) => ({ name: text.slice(0, 60), text });

test('a first boot that was interrupted leaves nothing half made, and what is stored is there after the next boot', async () => {
  const dataDir = join(folder, 'interrupted');
  mkdirSync(join(dataDir, 'embedded.creating', 'base'), { recursive: true });
  writeFileSync(join(dataDir, 'embedded.creating', 'PG_VERSION'), 'half');
  mkdirSync(join(dataDir, 'embedded'));
  const first = await openPglite(dataDir);
  expect(existsSync(join(dataDir, 'embedded.creating'))).toBe(false);
  await first.run(query('create table kept (value int)'), []);
  await first.run(query('insert into kept values ($1)'), [42]);
  await expect(openPglite(dataDir)).rejects.toThrow(FolderLocked);
  await first.close();
  const second = await openPglite(dataDir);
  expect((await second.run(query('select value from kept'), [])).rows).toEqual([{ value: 42 }]);
  await second.close();
  expect(readdirSync(dataDir)).toEqual(['embedded']);
});

test('a transaction that throws leaves nothing, and the statements after it pass', async () => {
  const db = await openPglite(null);
  await db.run(query('create table things (value int primary key)'), []);
  const failing = db.transaction(async (tx) => {
    await tx.run(query('insert into things values (1)'), []);
    throw new Error('No.');
  });
  const after = db.run(query('insert into things values (2)'), []);
  await expect(failing).rejects.toThrow('No.');
  await after;
  expect((await db.run(query('select value from things'), [])).rows).toEqual([{ value: 2 }]);
  await db.close();
});

test('statements wait for the transaction under way, so that none of them gets into it', async () => {
  const db = await openPglite(copyOfTemplate('waiting'));
  await db.run(query('create table things (value int)'), []);
  const seen: number[] = [];
  const inside = db.transaction(async (tx) => {
    for (let value = 0; value < 3; value += 1) {
      await tx.run(query('insert into things values ($1)'), [value]);
      seen.push((await tx.run<{ n: number }>(query('select count(*)::int as n from things'), [])).rows[0]?.n ?? 0);
    }
  });
  await Promise.all([inside, ...[7, 8, 9].map((value) => db.run(query('insert into things values ($1)'), [value]))]);
  expect(seen).toEqual([1, 2, 3]);
  await db.close();
});

async function connectTo(engine: EmbeddedEngine): Promise<pg.Client> {
  const client = new pg.Client({ user: 'postgres', database: 'postgres', stream: () => engine.connect() as never });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

test('a connection that broke leaves nothing to the next one, which has the settings of the first', async () => {
  const engine = await EmbeddedEngine.start(join(copyOfTemplate('broken-off'), 'embedded'));
  const first = await connectTo(engine);
  await first.query('begin');
  await first.query({ name: 'mine', text: 'create table lost (value int)' });
  first.connection.stream.destroy();
  const second = await connectTo(engine);
  const found = await second.query({ name: 'mine', text: "select to_regclass('lost') as name" });
  expect(found.rows).toEqual([{ name: null }]);
  expect((await second.query('show plan_cache_mode')).rows).toEqual([{ plan_cache_mode: 'force_custom_plan' }]);
  await engine.close();
});

test('when the thread of the database ends, the next connection starts it again with everything that was committed', async () => {
  const threads: Worker[] = [];
  const programs = new Set<object>();
  const engine = await EmbeddedEngine.start(join(copyOfTemplate('ended'), 'embedded'), (data) => {
    const thread = spawnWorker(data);
    threads.push(thread);
    programs.add(data.program);
    return thread;
  });
  const first = await connectTo(engine);
  await first.query('create table kept as select 42 as value');
  await first.query('begin');
  await first.query('insert into kept values (43)');
  const cut = first.query('select pg_sleep(30)');
  await Promise.all([threads[0]?.terminate(), expect(cut).rejects.toThrow('ended')]);
  const second = await connectTo(engine);
  expect((await second.query('select value from kept')).rows).toEqual([{ value: 42 }]);
  expect(threads).toHaveLength(2);
  // Compiled once.
  expect(programs.size).toBe(1);
  await engine.close();
});

test('after a fault that PostgreSQL does not survive (a panic), everything that was committed is found again as soon as its cause is gone', async () => {
  const dataDir = copyOfTemplate('panic');
  const db = await openPglite(dataDir);
  await db.run(query('create table kept as select 42 as value'), []);
  // A checkpoint that cannot write its files is one, as on a disk that is full.
  const inTheWay = join(dataDir, 'embedded', 'pg_logical', 'replorigin_checkpoint.tmp');
  mkdirSync(inTheWay);
  await expect(db.run(query('checkpoint'), [])).rejects.toThrow('The connection to the embedded database ended');
  await expect(db.run(query('select value from kept'), [])).rejects.toThrow('It cannot be started again');
  rmSync(inTheWay, { recursive: true });
  // A start that failed is not tried again at once.
  const found = await vi.waitFor(() => db.run(query('select value from kept'), []), { timeout: 240_000 });
  expect(found.rows).toEqual([{ value: 42 }]);
  await db.close();
});

test('a statement at fault fails alone, and its connection goes on', async () => {
  const db = await openPglite(copyOfTemplate('at-fault'));
  await db.run(query('create table things (value int)'), []);
  const faulty = [1, 2, 3].map((value) =>
    db.run(query('insert into things values ($1)'), [value === 2 ? 'two' : value]),
  );
  expect((await Promise.allSettled(faulty)).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  expect((await db.run(query('select value from things'), [])).rows).toEqual([{ value: 1 }, { value: 3 }]);
  await db.close();
});

test.each([
  [
    'without its control file',
    'its file global/pg_control is missing',
    (files: string) => rmSync(join(files, 'global', 'pg_control')),
  ],
  ['whose log is cut off', 'its files are damaged', truncateLog],
])('a folder %s is refused with a sentence that says what to do', async (label, what, damage) => {
  const damaged = copyOfTemplate(label);
  damage(join(damaged, 'embedded'));
  const refused = await openPglite(damaged).catch((error: Error) => error);
  expect(refused).toBeInstanceOf(FolderDamaged);
  expect((refused as Error).message).toContain(what);
  expect((refused as Error).message).toMatch(/cannot be opened.*restore a backup \(postrider restore\)/);
});

function truncateLog(files: string): void {
  const log = join(files, 'pg_wal');
  for (const name of readdirSync(log).filter((name) => /^[0-9A-F]{24}$/.test(name)))
    truncateSync(join(log, name), 1_000);
}
