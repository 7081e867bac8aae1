import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FolderLocked } from './folder-lock.ts';
import { openPglite } from './pglite.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'postrider-embedded-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const query = (text: string) => ({ name: text.slice(0, 60), text });

test('a first boot that was interrupted leaves nothing half made, and what is stored is there after the next boot', async () => {
  mkdirSync(join(folder, 'embedded.creating', 'base'), { recursive: true });
  writeFileSync(join(folder, 'embedded.creating', 'PG_VERSION'), 'half');
  mkdirSync(join(folder, 'embedded'));
  const first = await openPglite(folder);
  expect(existsSync(join(folder, 'embedded.creating'))).toBe(false);
  await first.run(query('create table kept (value int)'), []);
  await first.run(query('insert into kept values ($1)'), [42]);
  await expect(openPglite(folder)).rejects.toThrow(FolderLocked);
  await first.close();
  const second = await openPglite(folder);
  expect((await second.run(query('select value from kept'), [])).rows).toEqual([{ value: 42 }]);
  await second.close();
  expect(readdirSync(folder)).toEqual(['embedded']);
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
  const db = await openPglite(null);
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
