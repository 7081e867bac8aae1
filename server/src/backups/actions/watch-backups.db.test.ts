import { afterAll, beforeAll, expect, test } from 'vitest';
import { memoryArchive } from '#backups/testing/memory-archive';
import { openBlobStore } from '#blobs/open-store';
import { makeHistoryKeeper } from '#maintenance/actions/keep-history';
import type { Log } from '#runtime/log';
import { silentLog } from '#runtime/log';
import type { Runtime } from '#runtime/runtime';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { createBackup } from './create-backup.ts';
import { watchBackups } from './watch-backups.ts';

let database: TestDatabase;
const clock = new TestClock();
const DAY_MS = 24 * 60 * 60 * 1000;

beforeAll(async () => {
  const rt = testRuntime({}, clock);
  database = await openTestDatabase(rt);
  await makeHistoryKeeper(rt, database.db).open();
});
afterAll(() => database.drop());

/** A process that starts now. @returns what it warned of, and its runtime */
async function start(backupWarnH: number): Promise<{ readonly warned: readonly string[]; readonly rt: Runtime }> {
  const warned: string[] = [];
  const log = { ...silentLog, warn: (_fields: object, text: string) => void warned.push(text) } as Log;
  const rt = testRuntime({ backupWarnH }, clock, Math.random, log);
  await watchBackups(rt, database.db);
  return { warned, rt };
}

async function backUp(): Promise<void> {
  const rt = testRuntime({}, clock);
  const store = openBlobStore(rt.config);
  await createBackup({ rt, db: database.db, archive: memoryArchive(), store }, { copyBucket: false });
  await store.close();
}

const figure = async (rt: Runtime, name: string) =>
  new RegExp(`^${name}\\S* (\\S+)$`, 'm').exec(await rt.metrics.read())?.[1] ?? null;

/** The metrics show what a reading before has found: they are read until they say it. */
const shows = (rt: Runtime, name: string, value: string) => expect.poll(() => figure(rt, name)).toBe(value);

test('a service without a backup warns only when one is overdue, and a new backup ends that', async () => {
  const fresh = await start(24);
  expect([fresh.warned, await figure(fresh.rt, 'postrider_backup_overdue')]).toEqual([[], '0']);
  expect(await figure(fresh.rt, 'postrider_backup_age_seconds')).toBeNull();

  clock.advance(DAY_MS + 1_000);
  const late = await start(24);
  expect(late.warned).toEqual([expect.stringContaining('backup.overdue')]);
  await shows(fresh.rt, 'postrider_backup_overdue', '1');

  await backUp();
  await shows(fresh.rt, 'postrider_backup_overdue', '0');
  clock.advance(60_000);
  await shows(fresh.rt, 'postrider_backup_age_seconds', '60');
  expect((await start(24)).warned).toEqual([]);
  clock.advance(DAY_MS);
  expect((await start(24)).warned).toHaveLength(1);
});

test('a service of which no backup is expected says nothing', async () => {
  clock.advance(1_000 * DAY_MS);
  const { warned, rt } = await start(0);
  expect([warned, await figure(rt, 'postrider_backup_overdue')]).toEqual([[], null]);
});
