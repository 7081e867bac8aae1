import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sealAllAudit } from '#access/actions/seal-audit';
import { verifyAudit } from '#access/actions/verify-audit';
import { setNumberPaused } from '#accounts/store/phone-numbers';
import { type EmptyDatabase, openEmpty } from '#backups/testing/empty-database';
import { memoryArchive } from '#backups/testing/memory-archive';
import { type Service, startService } from '#bin/service';
import type { Archive } from '#blobs/archive';
import { openBlobStore } from '#blobs/open-store';
import { testRuntime } from '#testing/test-runtime';
import { callApi, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { createBackup } from './create-backup.ts';
import { restoreBackup } from './restore-backup.ts';

/*
 * The drill: messages flow while a backup is made, go on, and then the database is lost. What comes back must go on where it was, and
 * nobody may get a message twice.
 */

let kit: TestService;
let tenant: TestTenant;
let target: EmptyDatabase;
let restored: Service;

interface Sent {
  readonly id: string;
  readonly to: string;
  readonly key: string;
}

/** Sent before the backup. */
const before: Sent[] = [];
/** Due when the backup is made, and sent after it. */
const caught: Sent[] = [];
/** Accepted and sent while the backup is made: lost with the database. */
const after: Sent[] = [];
let oldCursor = '';
let lostCursor = '';

async function send(into: Sent[]): Promise<void> {
  const [to, key] = [freshPhone(), `drill-${before.length + caught.length + after.length}`];
  const answer = await tenant.call('POST', '/v1/messages', { to, body: 'Hello' }, { 'idempotency-key': key });
  expect(answer.status).toBe(202);
  into.push({ id: answer.body.id, to, key });
}

const sentTo = async () => (await tenant.ledger()).map((entry) => String(entry.to));
const untilSent = (sent: readonly Sent[], what: string) =>
  kit.until(sentTo, (all) => sent.every(({ to }) => all.includes(to)), what);
const cursorOf = async () => (await tenant.call('GET', '/v1/events?limit=1000')).body.page.next_cursor as string;
const onRestored = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  callApi(restored.url, method, path, body, { authorization: `Bearer ${tenant.key}`, ...headers });
const pause = (db: Service['db'], pauseReason: string | null) =>
  setNumberPaused(db, { tenantId: tenant.tenantId, phoneNumberId: tenant.phoneNumberId, pauseReason });

/** Once the moment of the backup has passed, what was due at it leaves, and each file is followed by another message. */
function loading(archive: Archive): Archive {
  return {
    ...archive,
    write: async (name, source) => {
      if (name.includes('/tables/') && after.length === 0) await pause(kit.service.db, null);
      await archive.write(name, source);
      if (name.includes('/tables/')) await send(after);
    },
  };
}

beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
  for (let count = 0; count < 10; count += 1) await send(before);
  await untilSent(before, 'messages flow');
  await pause(kit.service.db, 'A test.');
  for (let count = 0; count < 5; count += 1) await send(caught);
  oldCursor = await cursorOf();
  const archive = memoryArchive();
  const store = openBlobStore(kit.rt.config);
  const deps = { rt: kit.rt, db: kit.service.db, archive: loading(archive), store };
  const manifest = await createBackup(deps, { copyBucket: false });
  await store.close();
  await untilSent([...caught, ...after], 'what was due, and what came while the backup was made, is sent');
  lostCursor = await cursorOf();
  await pause(kit.service.db, 'Its database is lost.');
  target = await openEmpty(archive);
  copyFileSync(join(kit.rt.config.dataDir, 'encryption.key'), join(target.dataDir, 'encryption.key'));
  await restoreBackup(target, manifest, { verify: true });
  await target.db.close();
  restored = await startService(
    testRuntime({ ...kit.rt.config, databaseUrl: target.url ?? '', dataDir: target.dataDir }),
  );
  await pause(restored.db, null);
  await kit.simulate('PUT', '/_sim/config', { callback_url: `${restored.url}/webhooks/meta` });
});
afterAll(async () => {
  await restored?.close();
  await target?.drop();
  await kit.close();
});

test('what was due is held, and no message is sent twice', async () => {
  for (const { id } of caught) {
    const { body } = await onRestored('GET', `/v1/messages/${id}/trace`);
    expect(body.data.map(({ event }: { event: string }) => event)).toContain('held');
  }
  const to = freshPhone();
  const { body } = await onRestored('POST', '/v1/messages', { to, body: 'After' });
  const state = async () => (await onRestored('GET', `/v1/messages/${body.id}`)).body.delivery.state;
  await kit.until(state, (now) => now === 'read', 'its lane goes on');
  const all = await sentTo();
  expect(all.toSorted()).toEqual([...before, ...caught, ...after, { to }].map((one) => one.to).toSorted());
});

test('a request that is repeated gets its message again, and none is made', async () => {
  const [first] = before;
  const body = { to: first?.to, body: 'Hello' };
  const again = await onRestored('POST', '/v1/messages', body, { 'idempotency-key': first?.key ?? '' });
  expect(again).toMatchObject({ status: 202, body: { id: first?.id } });
});

test('a reader of events goes on from before the backup, and learns when its place is lost', async () => {
  const next = await onRestored('GET', `/v1/events?after=${oldCursor}&limit=1000`);
  expect(next.status).toBe(200);
  expect(next.body.data.length).toBeGreaterThan(0);
  expect(await onRestored('GET', `/v1/events?after=${lostCursor}`)).toMatchObject({
    status: 410,
    body: { code: 'events_expired' },
  });
});

test('what was accepted before the backup is there, what came later is not, and the audit log is unchanged', async () => {
  expect(after.length).toBeGreaterThan(5);
  for (const { id } of after.slice(0, 5)) expect((await onRestored('GET', `/v1/messages/${id}`)).status).toBe(404);
  for (const { id } of [...before, ...caught]) expect((await onRestored('GET', `/v1/messages/${id}`)).status).toBe(200);
  await sealAllAudit(target.rt, restored.db, async () => new Set());
  const { entries, faults } = await verifyAudit(restored.db, null);
  expect(entries).toBeGreaterThan(0);
  expect(faults).toEqual([]);
});
