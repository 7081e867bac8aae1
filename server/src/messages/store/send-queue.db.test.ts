import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import { addPhoneNumber } from '#accounts/actions/add-number';
import { acquireLanes } from '#accounts/store/lane-owners';
import type { DispatcherId, MessageId, PhoneNumberId, TenantId } from '#core/ids';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import { insertAcceptedBatch } from './accept-batch.ts';
import { cancelQueued } from './dead-letters.ts';
import { claimQueued, findCandidates, markOrphans } from './send-queue.ts';

const rt = testRuntime();
const NOW_MS = 1_700_000_000_000;
const NUMBER = '7000' as PhoneNumberId;
const [owner, successor] = [rt.newId<DispatcherId>(), rt.newId<DispatcherId>()];
let database: TestDatabase;
let tenantId: TenantId;
let epoch = 0;

beforeAll(async () => {
  database = await openTestDatabase(rt);
  tenantId = await createTenant(rt, database.db, { name: 'Test', unknownResends: 1, windowPolicy: 'network' });
  await addPhoneNumber(rt, database.db, {
    tenantId,
    phoneNumberId: NUMBER,
    displayPhone: '15550001111',
    name: null,
    ratePerSecond: null,
  });
  await take(owner);
});
afterAll(() => database.drop());

async function take(by: DispatcherId): Promise<void> {
  const [lane] = await acquireLanes(database.db, by, [{ tenantId, laneId: NUMBER, epoch }]);
  epoch = lane?.epoch ?? epoch;
}

async function queueOne(): Promise<MessageId> {
  const messageId = rt.newId<MessageId>();
  const content = { type: 'text', body: 'Hi', previewUrl: false } as const;
  const nothing = { campaignName: null, clientRef: null, replyTo: null, resendOf: null, author: null, sendAtMs: null };
  const times = { expiresMs: NOW_MS * 2, createdMs: NOW_MS };
  const message = {
    tenantId,
    messageId,
    content,
    to: '447700900123',
    phoneNumberId: NUMBER,
    priority: 'normal',
    ...nothing,
    ...times,
  } as const;
  await insertAcceptedBatch(database.db, [{ message, idempotency: null }]);
  return messageId;
}

async function claim(messageId: MessageId, by = owner, under = epoch): Promise<number> {
  return (await claimQueued(database.db, by, [{ tenantId, phoneNumberId: NUMBER, messageId, epoch: under }])).length;
}

describe('a claim', () => {
  test('takes a ready message once, and counts the attempt', async () => {
    const messageId = await queueOne();
    const [claimed] = await claimQueued(database.db, owner, [{ tenantId, phoneNumberId: NUMBER, messageId, epoch }]);
    expect(claimed).toMatchObject({ messageId, attempt: 1, epoch, content: { body: 'Hi' } });
    expect(await claim(messageId)).toBe(0);
    const found = await findCandidates(database.db, {
      owner,
      lanes: [{ tenantId, phoneNumberId: NUMBER }],
      nowMs: NOW_MS,
      limit: 100,
    });
    expect(found.map((candidate) => candidate.messageId)).not.toContain(messageId);
  });

  test('takes nothing that was canceled after it was seen', async () => {
    const messageId = await queueOne();
    const error = '{"code":"canceled","message":"Canceled."}';
    expect(await cancelQueued(database.db, { tenantId, messageId, nowMs: NOW_MS, error, trace: '[]' })).not.toBeNull();
    expect(await claim(messageId)).toBe(0);
  });

  test('takes nothing of a lane that is not the claimant’s, or is no longer his', async () => {
    const messageId = await queueOne();
    expect(await claim(messageId, successor)).toBe(0);
    expect(await claim(messageId, owner, epoch - 1)).toBe(0);
    const before = epoch;
    await take(successor);
    expect(await claim(messageId, owner, before)).toBe(0);
    expect(await claim(messageId, owner)).toBe(0);
    expect(await claim(messageId, successor)).toBe(1);
    await take(owner);
  });

  test('under an older epoch becomes an orphan for the next owner, one under the present epoch does not', async () => {
    const [old, fresh] = [await queueOne(), await queueOne()];
    await claim(old);
    await take(owner);
    await claim(fresh);
    const orphans = await markOrphans(database.db, [{ tenantId, phoneNumberId: NUMBER, epoch }], NOW_MS);
    const ids = orphans.map((orphan) => orphan.messageId);
    expect(ids).toContain(old);
    expect(ids).not.toContain(fresh);
    expect(await claim(old)).toBe(0);
  });
});
