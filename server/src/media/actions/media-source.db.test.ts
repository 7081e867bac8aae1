import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openBlobStore } from '#blobs/open-store';
import type { PhoneNumberId } from '#core/ids';
import { makeMediaCarrier, UPLOADS_AT_ONCE } from '#messages/workers/media-carrier';
import { type MediaClient, makeMediaClient } from '#network/media-client';
import { Slots } from '#queue/slots';
import { jpegBytes, uploadFile } from '#testing/media/test-media';
import { sharedToken } from '#testing/shared-token';
import { countRows } from '#testing/test-callbacks';
import { TestClock } from '#testing/test-runtime';
import { startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { makeMediaCache } from './media-cache.ts';
import { makeMediaSource, type StoredMediaSource } from './media-source.ts';

/** Uploads to the network, against the simulator: its list of media says what really arrived. */
const clock = new TestClock(Date.now());
const DAY_MS = 24 * 60 * 60 * 1000;
const SECOND_NUMBER = '209999990001' as PhoneNumberId;
let kit: TestService;
let network: MediaClient;
let source: StoredMediaSource;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService({ clock, config: { roles: 'api', mediaRetentionDays: 365 } });
  network = makeMediaClient(kit.rt.config);
  source = freshSource();
});
beforeEach(async () => {
  tenant = await makeTestTenant(kit);
  await kit.simulate('PUT', '/_sim/failures', {});
});
afterAll(async () => {
  await network.close();
  await kit.close();
});

function freshSource(): StoredMediaSource {
  const { rt, service } = kit;
  const blobs = openBlobStore(rt.config);
  const carry = makeMediaCarrier({
    blobs,
    network,
    tokens: sharedToken,
    slots: new Slots(UPLOADS_AT_ONCE, rt.clock),
    onRefused: () => undefined,
  });
  return makeMediaSource({ rt, db: service.db, carry });
}

async function uploaded(bytes = jpegBytes()): Promise<string> {
  return (await uploadFile(kit, tenant.key, bytes)).body.media_id;
}

/** What the network holds of this number, or of the one named. */
async function atNetwork(phoneNumberId: string = tenant.phoneNumberId) {
  const { data } = (await kit.simulate('GET', '/_sim/media')).body;
  return data.filter((item: { phone_number_id: string }) => item.phone_number_id === phoneNumberId);
}

function networkIdFor(mediaId: string, phoneNumberId = tenant.phoneNumberId) {
  return source.networkIdFor(tenant.tenantId, mediaId, phoneNumberId);
}

describe('media for the network', () => {
  test('arrives byte for byte, with its type and name, and is then known by its id', async () => {
    const bytes = jpegBytes(3_000_001);
    const mediaId = await uploaded(bytes);
    const answer = await networkIdFor(mediaId);
    expect(await atNetwork()).toEqual([
      expect.objectContaining({
        mime_type: 'image/jpeg',
        filename: 'parcel.jpg',
        bytes: 3_000_001,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      }),
    ]);
    expect(answer).toEqual({ networkId: (await atNetwork())[0].id });
  });

  test('is uploaded once per number, however many messages want it concurrently', async () => {
    const mediaId = await uploaded();
    const answers = await Promise.all(Array.from({ length: 20 }, () => networkIdFor(mediaId)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect((await atNetwork()).length).toBe(1);
    const other = await networkIdFor(mediaId, SECOND_NUMBER);
    expect(other).not.toEqual(answers[0]);
    // Another process, or this one after a restart, knows it too.
    expect(await freshSource().networkIdFor(tenant.tenantId, mediaId, tenant.phoneNumberId)).toEqual(answers[0]);
    expect([(await atNetwork()).length, (await atNetwork(SECOND_NUMBER)).length]).toEqual([1, 1]);
  });

  test('is uploaded again before its 30 days are over, and when the network has forgotten it', async () => {
    const mediaId = await uploaded();
    const first = await networkIdFor(mediaId);
    clock.advance(29 * DAY_MS);
    expect(await networkIdFor(mediaId)).toEqual(first);
    clock.advance(DAY_MS - 1);
    const second = await networkIdFor(mediaId);
    expect(second).not.toEqual(first);
    await source.forget(tenant.tenantId, mediaId, tenant.phoneNumberId);
    expect(await networkIdFor(mediaId)).not.toEqual(second);
    expect((await atNetwork()).length).toBe(3);
  });

  test.each([
    ['a refusal that passes', { code: 131000, status: 500 }, true],
    ['a broken connection', { fault: 'cut' }, true],
    ['a refused login', { code: 190 }, true],
    ['a refusal for good', { code: 100 }, false],
  ])('is not there after %s, which says whether another try can help', async (_label, failure, retryable) => {
    const mediaId = await uploaded();
    await kit.simulate('PUT', '/_sim/failures', { media_upload: failure });
    expect(await networkIdFor(mediaId)).toEqual({ failure: { sentence: expect.stringMatching(/\.|\)$/), retryable } });
    expect(await networkIdFor(mediaId)).toEqual({ networkId: expect.any(String) });
  });

  test('that the network calls unfit is tried exactly once more', async () => {
    const mediaId = await uploaded();
    await kit.simulate('PUT', '/_sim/failures', { media_upload: { code: 131053, times: 1 } });
    expect(await networkIdFor(mediaId)).toEqual({ networkId: expect.any(String) });
    const other = await uploaded();
    await kit.simulate('PUT', '/_sim/failures', { media_upload: { code: 131053, times: 2 } });
    expect(await networkIdFor(other)).toMatchObject({ failure: { retryable: false } });
    expect((await kit.simulate('GET', '/_sim/failures')).body).toEqual({});
  });

  test('that does not exist, is of another tenant or deleted is a permanent failure', async () => {
    const mediaId = await uploaded();
    const stranger = await makeTestTenant(kit);
    const gone = { failure: { sentence: 'The media was deleted or has expired.', retryable: false } };
    expect(await source.networkIdFor(stranger.tenantId, mediaId, stranger.phoneNumberId)).toEqual(gone);
    expect(await networkIdFor('no-uuid')).toEqual(gone);
    await networkIdFor(mediaId);
    await tenant.call('DELETE', `/v1/media/${mediaId}`);
    expect(await networkIdFor(mediaId)).toEqual(gone);
    expect(await countRows(kit.service.db, 'media_uploads', tenant.tenantId)).toBe(0);
  });

  test('whose bytes were removed from the store by hand is a permanent failure', async () => {
    const mediaId = await uploaded();
    rmSync(join(kit.rt.config.dataDir, 'media'), { recursive: true });
    expect(await networkIdFor(mediaId)).toEqual({
      failure: { sentence: 'The bytes of the media no longer exist.', retryable: false },
    });
  });
});

test('the cache knows of accepted media: type, size, and what it can be sent as', async () => {
  const cache = makeMediaCache(kit.rt, kit.service.db);
  const mediaId = await uploaded();
  expect(await cache.find(tenant.tenantId, mediaId.toUpperCase())).toEqual({
    mimeType: 'image/jpeg',
    size: 1_000,
    sendableAs: ['image'],
  });
  const stranger = await makeTestTenant(kit);
  expect(await cache.find(stranger.tenantId, mediaId)).toBeNull();
  expect(await cache.find(tenant.tenantId, 'no-uuid')).toBeNull();
});
