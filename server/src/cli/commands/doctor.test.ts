import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runWith } from '#cli/testing/fake-context';
import { readConfig } from '#runtime/config';
import {
  backupCheck,
  clockCheck,
  historyCheck,
  pagesCheck,
  safetyCheck,
  schemaCheck,
  workChecks,
} from './doctor-database.ts';
import { filesCheck, folderCheck, nodeCheck } from './doctor-machine.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'postrider-doctor-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const calm = {
  queue: { waiting: 0, due: 0, claimed: 0, unknown: 0, oldest_due_s: null },
  callbacks: { queued: 0, oldest_s: null },
  leftovers: [],
  not_stored: 0,
  paused_numbers: [],
  outages: [],
};

test.each([
  ['20.18.9', 'fail'],
  ['18.20.0', 'fail'],
  ['20.19.0', 'ok'],
  ['22.1.0', 'ok'],
])('Node %s is %s', (version, state) => expect(nodeCheck(version).state).toBe(state));

test.each([
  ['is not told', null, 'ok'],
  ['is none', Number.POSITIVE_INFINITY, 'ok'],
  ['is below the connections that callers may open', 10_000, 'warn'],
  ['leaves room for them', 12_000, 'ok'],
])('a limit of open files that %s', (_label, limit, state) =>
  expect(filesCheck(readConfig({ MESSAGING_MAX_CONNECTIONS: '10000' }), limit).state).toBe(state));

test('a data folder is usable when it is there, or can be made', () => {
  expect(folderCheck({ dataDir: folder }).finding).toContain('is writable');
  expect(folderCheck({ dataDir: join(folder, 'a', 'b') }).finding).toContain('will be created');
});

test('a data folder that is a file fails', () => {
  writeFileSync(join(folder, 'file'), '');
  expect(folderCheck({ dataDir: join(folder, 'file') }).state).toBe('fail');
});

test.each([
  ['up to date', { schema_version: 2, newest_known: 2, pending_migrations: [] }, 'ok'],
  ['behind', { schema_version: 1, newest_known: 2, pending_migrations: [2] }, 'warn'],
  ['newer than the program', { schema_version: 3, newest_known: 2, pending_migrations: [] }, 'fail'],
])('a schema that is %s', (_label, facts, state) => expect(schemaCheck(facts).state).toBe(state));

test('a server that does not write through fails', () => {
  expect(safetyCheck({ kind: 'postgres', unsafe_settings: ['fsync'] }).state).toBe('fail');
  expect(safetyCheck({ kind: 'postgres', unsafe_settings: [] }).state).toBe('ok');
});

test.each([
  ['checks its pages', 'postgres', { enabled: true, failures: 0 }, 'ok'],
  ['does not check its pages', 'postgres', { enabled: false, failures: 0 }, 'warn'],
  ['is embedded', 'pglite', { enabled: false, failures: 0 }, 'ok'],
  ['met a damaged page', 'postgres', { enabled: true, failures: 1 }, 'fail'],
])('a database that %s', (_label, kind, checksums, state) => expect(pagesCheck({ kind, checksums }).state).toBe(state));

test.each([
  [0.4, 'ok', '0.4 s ahead of the database'],
  [-2.1, 'warn', '2.1 s behind the database'],
  [null, 'ok', 'not compared'],
])('a clock that is %s s ahead', (ahead, state, finding) =>
  expect(clockCheck({ clock_ahead_s: ahead })).toMatchObject({ state, finding }));

test.each([
  ['never restored', { history: { id: 1, reason: 'first', began_at: 'then' }, held: 0 }, 'ok'],
  ['restored and settled', { history: { id: 2, reason: 'other_server', began_at: 'then' }, held: 0 }, 'ok'],
  ['restored, with messages held', { history: { id: 2, reason: 'other_server', began_at: 'then' }, held: 3 }, 'warn'],
])('a database that was %s', (_label, facts, state) => expect(historyCheck(facts).state).toBe(state));

test.each([
  ['nothing', calm, []],
  ['an old due message', { ...calm, queue: { ...calm.queue, oldest_due_s: 31 } }, ['send queue']],
  ['unknown outcomes', { ...calm, queue: { ...calm.queue, unknown: 1 } }, ['unknown outcome']],
  ['an old callback', { ...calm, callbacks: { queued: 1, oldest_s: 31 } }, ['callbacks']],
  ['outcomes that could not be stored', { ...calm, not_stored: 2 }, ['outcomes']],
  ['leftovers', { ...calm, leftovers: [{ name: 'odd', count: 2 }] }, ['leftovers']],
  ['a paused number', { ...calm, paused_numbers: [{ id: '42', reason: null }] }, ['paused numbers']],
  ['a network outage', { ...calm, outages: [{ reason: 'ECONNREFUSED', for_s: 3 }] }, ['network outage']],
])('%s in the work is what is warned of', (_label, work, names) => {
  expect(
    workChecks(work)
      .filter((check) => check.state === 'warn')
      .map((check) => check.name),
  ).toEqual(names);
});

test('every line that is not ok says what to do', async () => {
  const { exitCode, stdout } = await runWith(
    { env: { MESSAGING_DATA_DIR: join(folder, 'new') } },
    'doctor',
    '-o',
    'json',
  );
  const { checks } = JSON.parse(stdout) as { checks: { name: string; state: string; advice: string | null }[] };
  expect(exitCode).toBe(1);
  expect(checks.filter((check) => check.state === 'fail').map((check) => check.name)).toEqual(['network']);
  expect(checks.filter((check) => check.state !== 'ok' && check.advice === null)).toEqual([]);
});

test('wrong settings are a failed line, not a crash', async () => {
  const { exitCode, stdout } = await runWith({ env: { MESSAGING_NUMBER_RATE: 'fast' } }, 'doctor');
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/FAIL +settings +MESSAGING_NUMBER_RATE=fast/);
});

test('a name that looks like a setting and is none is a warning', async () => {
  const { stdout } = await runWith({ env: { MESSAGING_NUMBR_RATE: '1' } }, 'doctor');
  expect(stdout).toMatch(/warn +settings +MESSAGING_NUMBR_RATE is not a setting/i);
});

test('a backup that is too old is warned about, and nothing where none is expected', () => {
  const newest = { id: '20261126T020000Z-3f9ac1', location: '/backups' };
  expect(backupCheck({ newest, age_h: 30, warn_h: 24, overdue: true })).toMatchObject({ state: 'warn' });
  expect(backupCheck({ newest, age_h: 3, warn_h: 24, overdue: false }).finding).toBe(
    '20261126T020000Z-3f9ac1 in /backups, 3 hours old',
  );
  expect(backupCheck({ newest: null, age_h: 3, warn_h: 0, overdue: false }).state).toBe('ok');
});
