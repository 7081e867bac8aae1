import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isBackupId, MANIFEST, type Manifest } from '#backups/domain/manifest';
import { type EmptyDatabase, openEmpty } from '#backups/testing/empty-database';
import { type MemoryArchive, memoryArchive } from '#backups/testing/memory-archive';
import type { Archive } from '#blobs/archive';
import { openBlobStore } from '#blobs/open-store';
import type { Database } from '#database/database';
import { makeFullTenant } from '#http/security/testing/world';
import { makeHistoryKeeper } from '#maintenance/actions/keep-history';
import { prepareDatabase } from '#maintenance/actions/open-database';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { checkBackup } from './check-backup.ts';
import { createBackup } from './create-backup.ts';
import { findBackup } from './find-backup.ts';
import { restoreBackup } from './restore-backup.ts';

const MANY = 60;

let kit: TestService;
let tenant: TestTenant;
let archive: MemoryArchive;
let manifest: Manifest;
const opened: EmptyDatabase[] = [];

/** Characters that some take for the end of a line, and what JSON and arrays of PostgreSQL quote. */
const ODD = 'one\u2028two\u2029three\r\nfour\u0085"\\{},\'\u{1f600} null';

beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeFullTenant(kit);
  await tenant.send(freshPhone(), { body: ODD, send_at: inAnHour() });
  // More than are read at once: their tables have several files.
  const messages = Array.from({ length: MANY }, () => ({ to: freshPhone(), body: 'Later', send_at: inAnHour() }));
  expect((await tenant.call('POST', '/v1/messages/batch', { messages })).status).toBe(200);
  archive = memoryArchive();
  manifest = await backUp(archive);
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.drop();
});
afterAll(() => kit.close());

const inAnHour = () => new Date(kit.rt.clock.now() + 3_600_000).toISOString();

/** A few lines each, so that tables have several files. */
const FILE_BYTES = 2_000;

async function backUp(into: Archive): Promise<Manifest> {
  const store = openBlobStore(kit.rt.config);
  const deps = { rt: kit.rt, db: kit.service.db, archive: into, store };
  return createBackup(deps, { copyBucket: false, fileBytes: FILE_BYTES }).finally(() => store.close());
}

/** Somewhere to restore to, with the encryption key. */
async function empty(from: Archive = archive): Promise<EmptyDatabase> {
  const made = await openEmpty(from);
  opened.push(made);
  copyFileSync(join(kit.rt.config.dataDir, 'encryption.key'), join(made.dataDir, 'encryption.key'));
  return made;
}

async function ask<Row = Record<string, unknown>>(db: Pick<Database, 'run'>, text: string): Promise<readonly Row[]> {
  return (await db.run<Row>({ name: '', text }, [])).rows;
}

/** All of another archive, to be damaged. */
function copyOf(source: MemoryArchive): MemoryArchive {
  const copy = memoryArchive();
  for (const [name, bytes] of source.files) copy.files.set(name, bytes);
  return copy;
}

function changeManifest(copy: MemoryArchive, change: (manifest: Manifest) => object): Promise<Manifest> {
  const name = `${manifest.id}/${MANIFEST}`;
  copy.files.set(name, Buffer.from(JSON.stringify({ ...manifest, ...change(manifest) })));
  return findBackup(copy, null);
}

describe('a backup that is restored', () => {
  test('has every row of every table as it was, and the bytes of media', async () => {
    const target = await empty();
    const restored = await restoreBackup(target, manifest, { verify: true });
    const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0);
    expect(restored).toEqual({ rows, media: manifest.media.files, migrated: [] });
    expect(manifest.media).toMatchObject({ copied: true, missing: [] });
    expect(manifest.media.files).toBeGreaterThan(0);
    for (const table of ['outbound_messages', 'contacts', 'agents', 'webhook_endpoints', 'users']) {
      const read = (db: Pick<Database, 'run'>) => ask(db, `select t::text as row from ${table} t order by 1`);
      expect([table, await read(target.db)]).toEqual([table, await read(kit.service.db)]);
    }
    const stored = await ask(target.db, `select sha256, blob_id, size from media_blobs`);
    for (const { sha256, blob_id: blob, size } of stored)
      expect(await target.store.size(`${sha256}.${blob}`)).toBe(Number(size));
    expect(Object.values(manifest.tables).some(({ files }) => files.length > 1)).toBe(true);
  });

  test('begins a new history, in which what was due is held and what is scheduled is not', async () => {
    const own = await makeTestTenant(kit);
    await kit.service.db.run({ name: '', text: `update phone_numbers set status = 'paused' where tenant_id = $1` }, [
      own.tenantId,
    ]);
    const [due, later] = [await own.send(freshPhone()), await own.send(freshPhone(), { send_at: inAnHour() })];
    const [from, target] = [memoryArchive(), await empty()];
    const made = await backUp(from);
    await restoreBackup({ ...target, archive: from }, made, { verify: false });
    const queue = await ask(target.db, `select message_id, epoch from send_queue where tenant_id = '${own.tenantId}'`);
    expect(Object.fromEntries(queue.map(({ message_id: id, epoch }) => [id, epoch]))).toEqual({
      [due]: 0,
      [later]: null,
    });
    const histories = await ask(target.db, 'select reason from database_histories order by history_id');
    expect(histories.at(-1)).toEqual({ reason: 'other_server' });
    const owned = await ask(target.db, 'select 1 from lane_owners where owner_id is not null');
    expect(owned).toEqual([]);
  });

  test('may come into a database that a service was started on and nobody used', async () => {
    const target = await empty();
    await prepareDatabase(target.rt, target.db, target.migrations);
    await makeHistoryKeeper(target.rt, target.db).open();
    await ask(
      target.db,
      `insert into dispatchers (dispatcher_id, beat, started_ms) values (gen_random_uuid(), 1, 1) returning 1`,
    );
    expect(await restoreBackup(target, manifest, { verify: true })).toMatchObject({ migrated: [] });
  });

  test('may have been made before the schema that this program has', async () => {
    const target = await empty();
    const next = { version: 9_000, name: 'next', text: 'create table next_things (id integer)', checksum: 'x' };
    const restored = await restoreBackup({ ...target, migrations: [...target.migrations, next] }, manifest, {
      verify: true,
    });
    expect(restored.migrated).toEqual(['9000-next']);
  });
});

describe('while a backup is made', () => {
  test('messages are accepted and sent, and the backup is of the moment at which it began', async () => {
    const own = await makeTestTenant(kit);
    const into = memoryArchive();
    let sent = '';
    const slow: Archive = {
      ...into,
      write: async (name, source) => {
        if (name.includes('/tables/') && sent === '') {
          sent = await own.send(freshPhone());
          await own.untilMessage(sent, (message) => message.status === 'sent', 'it is sent while the backup waits');
        }
        return into.write(name, source);
      },
    };
    const made = await backUp(slow);
    expect(sent).not.toBe('');
    const has = (table: string) => linesOf(into, made, table).some((line) => line.includes(sent));
    expect([has('outbound_messages'), has('idempotency_keys'), has('event_pages')]).toEqual([false, false, false]);
    expect(linesOf(into, made, 'tenants').some((line) => line.includes(own.tenantId))).toBe(true);
  });
});

function linesOf({ files }: MemoryArchive, { tables }: Manifest, table: string): readonly string[] {
  return (tables[table]?.files ?? []).flatMap(({ name }) =>
    gunzipSync(files.get(name) ?? gzipSync(''))
      .toString()
      .split('\n'),
  );
}

describe('a backup that is interrupted', () => {
  test.each([1, 40])('after %i files is never taken for a whole one', async (count) => {
    const into = memoryArchive();
    let left = count;
    const dying: Archive = {
      ...into,
      write: async (name, source) => {
        if (left-- <= 0) throw new Error('Killed.');
        return into.write(name, source);
      },
      // A process that is killed removes nothing.
      remove: async () => undefined,
    };
    await expect(backUp(dying)).rejects.toThrow('Killed.');
    await expect(findBackup(into, null)).rejects.toThrow('has no complete backup');
  });

  test('by a failure leaves nothing behind', async () => {
    const into = memoryArchive();
    const full: Archive = {
      ...into,
      write: async (name, source) => {
        if (name.includes('/tables/c')) throw new Error('No space left.');
        return into.write(name, source);
      },
    };
    await expect(backUp(full)).rejects.toThrow('No space left.');
    expect([...into.files.keys()]).toEqual([]);
  });

  test('leaves no copy of the embedded database behind, and the service goes on', async () => {
    const failing: Archive = { ...memoryArchive(), write: () => Promise.reject(new Error('No space left.')) };
    await expect(backUp(failing)).rejects.toThrow('No space left.');
    expect(existsSync(join(kit.rt.config.dataDir, 'embedded.aside'))).toBe(false);
    await tenant.send(freshPhone(), { send_at: inAnHour() });
  });
});

describe('a restore that is interrupted', () => {
  test.each([5, 25])('after %i files leaves the database empty, and can be run again', async (count) => {
    const target = await empty();
    let left = count;
    const dying: Archive = {
      ...archive,
      read: async (name) => {
        if (left-- <= 0) throw new Error('Killed.');
        return archive.read(name);
      },
    };
    await expect(restoreBackup({ ...target, archive: dying }, manifest, { verify: false })).rejects.toThrow('Killed.');
    expect(await ask(target.db, 'select 1 from tenants')).toEqual([]);
    expect(await restoreBackup(target, manifest, { verify: true })).toMatchObject({ media: manifest.media.files });
  });

  test('between its rows and its end is finished by the next one, or by the service', async () => {
    const target = await empty();
    const broken = { version: 9_000, name: 'broken', text: 'select 1/0', checksum: 'x' };
    const failing = { ...target, migrations: [...target.migrations, broken] };
    await expect(restoreBackup(failing, manifest, { verify: false })).rejects.toThrow('division by zero');
    expect(await restoreBackup(target, manifest, { verify: false })).toMatchObject({ migrated: [] });
    const histories = await ask(target.db, 'select reason from database_histories order by history_id');
    expect(histories.at(-1)).toEqual({ reason: 'other_server' });
  });
});

describe('a restore is refused, and changes nothing,', () => {
  const refusal = async (target: EmptyDatabase, of: Manifest) => {
    const error: Error = await restoreBackup(target, of, { verify: false }).then(
      () => new Error('It was not refused.'),
      (thrown: Error) => thrown,
    );
    return error.message;
  };

  test('when the database is not empty', async () => {
    const target = await empty();
    await restoreBackup(target, manifest, { verify: false });
    const before = await ask(target.db, 'select count(*)::int as n from audit_log');
    expect(await refusal(target, { ...manifest, id: 'another', keys: [] })).toMatch(
      /not empty: .* and others have rows/,
    );
    expect(await ask(target.db, 'select count(*)::int as n from audit_log')).toEqual(before);
  });

  test('when its secrets are encrypted with another key, before the database is touched', async () => {
    const target = await openEmpty(archive);
    opened.push(target);
    expect(manifest.keys.length).toBeGreaterThan(0);
    expect(await refusal(target, manifest)).toMatch(/encrypted with another encryption key \([0-9a-f]{12}\)/);
    expect(existsSync(join(target.dataDir, 'encryption.key'))).toBe(false);
    expect(await ask(target.db, `select to_regclass('tenants') as tenants`)).toEqual([{ tenants: null }]);
  });

  test('when it is of a newer schema, or of other migrations', async () => {
    const target = await empty();
    const newer = { version: 9_000, name: 'next', checksum: 'x' };
    expect(await refusal(target, { ...manifest, migrations: [...manifest.migrations, newer] })).toContain(
      'has schema version 9000, this program knows',
    );
    const edited = manifest.migrations.map((one) => ({ ...one, checksum: 'edited' }));
    expect(await refusal(target, { ...manifest, migrations: edited })).toContain('another migration 1 (core)');
    expect(await ask(target.db, `select to_regclass('tenants') as tenants`)).toEqual([{ tenants: null }]);
  });

  test('when a file of it is damaged', async () => {
    const damaged = copyOf(archive);
    const name = manifest.tables.contacts?.files[0]?.name ?? '';
    damaged.files.set(name, cutOff(archive.files.get(name) ?? Buffer.alloc(0)));
    const target = await empty(damaged);
    expect(await refusal(target, manifest)).toBe(`${name} is damaged: it is not what was written.`);
    expect(await ask(target.db, 'select 1 from tenants')).toEqual([]);
  });
  test('when it names a newer format, or its manifest is damaged', async () => {
    const other = copyOf(archive);
    await expect(changeManifest(other, () => ({ format: 3 }))).rejects.toThrow(
      'in a format that this one does not know',
    );
    other.files.set(`${manifest.id}/${MANIFEST}`, Buffer.from('{'));
    await expect(findBackup(other, null)).rejects.toThrow('is damaged');
  });
});

const cutOff = (bytes: Buffer) => bytes.subarray(0, bytes.length - 9);
const withoutFirst = (bytes: Buffer) => gzipSync(gunzipSync(bytes).toString().split('\n').slice(1).join('\n'));
const changed = (bytes: Buffer) => Buffer.from(bytes).fill((bytes[20] ?? 0) + 1, 20, 21);

test.each([
  ['a byte was changed', changed],
  ['it was cut off', cutOff],
  ['a row is missing', withoutFirst],
  ['it is missing', () => null],
])('a file of a backup is found when %s', async (_label, damage) => {
  const damaged = copyOf(archive);
  const name = manifest.tables.contacts?.files[0]?.name ?? '';
  const bytes = damage(archive.files.get(name) ?? Buffer.alloc(0));
  if (bytes === null) damaged.files.delete(name);
  else damaged.files.set(name, bytes);
  expect((await checkBackup(damaged, manifest)).faults).toEqual([expect.stringContaining(name)]);
});

test('rows that are other than the manifest counts are found', async () => {
  const contacts = { ...manifest.tables.contacts, digest: '0'.repeat(64) };
  const other = await changeManifest(copyOf(archive), ({ tables }) => ({ tables: { ...tables, contacts } }));
  expect((await checkBackup(archive, other)).faults).toEqual([
    'The table contacts of the backup does not have the rows that its manifest counts.',
  ]);
});

test('a backup is whole when all that it names can be read, also with media that is gone', async () => {
  expect(await checkBackup(archive, manifest)).toMatchObject({ faults: [] });
  const damaged = copyOf(archive);
  const media = [...damaged.files.keys()].find((name) => name.startsWith('media/')) ?? '';
  damaged.files.delete(media);
  expect((await checkBackup(damaged, manifest)).faults).toEqual([`${media} is missing or damaged.`]);
});

test('backups of one location have names that sort by time, and share the bytes of media', async () => {
  const into = copyOf(archive);
  const writes: string[] = [];
  const second = await backUp({
    ...into,
    write: (name, source) => {
      writes.push(name);
      return into.write(name, source);
    },
  });
  expect(isBackupId(second.id) && second.id > manifest.id.slice(0, 15)).toBe(true);
  expect(writes.filter((name) => name.startsWith('media/'))).toEqual([]);
  expect(second.media.files).toBe(manifest.media.files);
});

test('a database without tables of Postrider is not backed up', async () => {
  const target = await empty();
  await expect(createBackup({ ...target, archive: memoryArchive() }, { copyBucket: false })).rejects.toThrow(
    'There is nothing to back up',
  );
});
