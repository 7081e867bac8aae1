import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openBlobStore } from '#blobs/open-store';
import { DueWorkMonitor } from '#maintenance/actions/due-work';
import { makeMediaClient } from '#network/media-client';
import { jpegBytes } from '#testing/media/test-media';
import { sharedToken } from '#testing/shared-token';
import { callbackBody, countRows, ingest } from '#testing/test-callbacks';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { makeMediaFetcher } from './media-fetcher.ts';

let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  // 0: every wait between attempts is as short as its floor.
  kit = await startTestService({ random: () => 0 });
});
beforeEach(async () => {
  tenant = await makeTestTenant(kit);
  await kit.simulate('PUT', '/_sim/failures', {});
});
afterAll(() => kit.close());

interface CustomerFile {
  readonly mime_type: string;
  readonly filename?: string;
  readonly caption?: string;
  readonly voice?: boolean;
}

/** A customer sends a file; returns who. */
async function customerSends(bytes: Buffer, file: CustomerFile): Promise<string> {
  const from = freshPhone();
  const media = { ...file, data: bytes.toString('base64') };
  const answer = await kit.simulate('POST', '/_sim/inbound', { phone_number_id: tenant.phoneNumberId, from, media });
  expect(answer.status).toBeLessThan(300);
  return from;
}

/** The one message of a customer, once it is as wanted. */
async function untilMessage(from: string, done: (message: Answer['body']) => boolean): Promise<Answer['body']> {
  const ask = async () => (await tenant.call('GET', `/v1/messages/inbound?from=${from}`)).body.data[0];
  return kit.until(ask, (message) => message !== undefined && done(message), 'the message is as wanted');
}

const isReady = (message: Answer['body']): boolean => message.media?.status === 'ready';

describe('P12: the file of a customer', () => {
  test.each(['hex', 'base64'])('is the same resource as an upload, its hash checked in its %s form', async (form) => {
    await kit.simulate('PUT', '/_sim/config', { sha256_form: form });
    const bytes = jpegBytes(200_000);
    const from = await customerSends(bytes, { mime_type: 'image/jpeg', caption: 'Look' });
    const message = await untilMessage(from, isReady);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(message).toMatchObject({ type: 'image', body: 'Look', image: { caption: 'Look' } });
    expect(message.media).toEqual({
      status: 'ready',
      media_id: expect.any(String),
      mime_type: 'image/jpeg',
      size: 200_000,
      sha256,
      filename: null,
      error: null,
    });
    const media = await tenant.call('GET', `/v1/media/${message.media.media_id}`);
    expect(media.body).toMatchObject({ sha256, origin: 'inbound', sendable_as: ['image'] });
    const content = await fetch(`${kit.service.url}/v1/media/${message.media.media_id}/content`, {
      headers: { authorization: `Bearer ${tenant.key}` },
    });
    expect(Buffer.compare(Buffer.from(await content.arrayBuffer()), bytes)).toBe(0);
    expect((await tenant.call('GET', '/v1/usage')).body.media_bytes).toBe(200_000);
  });

  test('keeps its name and the type that the network gives it', async () => {
    const bytes = randomBytes(5_000);
    const from = await customerSends(bytes, { mime_type: 'application/pdf', filename: '../invoice "7".pdf' });
    const { media } = await untilMessage(from, isReady);
    expect(media).toMatchObject({ mime_type: 'application/pdf', filename: 'invoice "7".pdf' });
  });

  test.each([
    ['its address is not given out for now', { media_lookup: { times: 2, code: 131000, status: 500 } }],
    ['the download is refused for now', { media_download: { times: 2, status: 500 } }],
    ['the download breaks off', { media_download: { times: 2, fault: 'cut' } }],
    ['a byte is wrong', { media_download: { times: 2, fault: 'corrupt' } }],
    ['the connection breaks', { media_lookup: { times: 2, fault: 'cut' } }],
  ])('is fetched all the same when %s', async (_label, failures) => {
    await kit.simulate('PUT', '/_sim/failures', failures);
    const bytes = jpegBytes(100_000);
    const from = await customerSends(bytes, { mime_type: 'image/jpeg' });
    const { media } = await untilMessage(from, isReady);
    expect(media.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect((await kit.simulate('GET', '/_sim/failures')).body).toEqual({});
  });

  test('says in its message why it is not here yet, and why it never will be', async () => {
    await kit.simulate('PUT', '/_sim/failures', { media_lookup: { times: 1_000, code: 131000, status: 500 } });
    const from = await customerSends(jpegBytes(), { mime_type: 'image/jpeg' });
    const waiting = await untilMessage(from, ({ media }) => media?.error !== null);
    expect(waiting.media).toMatchObject({ status: 'pending', media_id: null, error: { code: 'media_refused' } });
    await kit.simulate('PUT', '/_sim/failures', { media_lookup: { times: 1, code: 100 } });
    const failed = await untilMessage(from, ({ media }) => media.status === 'failed');
    expect(failed.media.error).toEqual({ code: 'media_refused', message: expect.stringMatching(/\w/) });
  });

  test('that the network does not have any more is given up at its first answer', async () => {
    const messages = [
      {
        from: freshPhone(),
        id: `wamid.${randomBytes(8).toString('hex')}`,
        timestamp: '1790000000',
        type: 'image',
        image: { id: '123456789012345', mime_type: 'image/jpeg' },
      },
    ];
    await ingest(kit, callbackBody({ phoneNumberId: tenant.phoneNumberId, messages }));
    const { media } = await untilMessage(messages[0]?.from ?? '', (message) => message.media?.error !== null);
    expect(media).toMatchObject({
      status: 'failed',
      error: { code: 'media_refused', message: expect.stringMatching(/^The network does not have this file/) },
    });
  });

  test('that differs from its announcement every time is given up, and nothing of it is kept', async () => {
    await kit.simulate('PUT', '/_sim/failures', { media_download: { times: 5, fault: 'corrupt' } });
    const from = await customerSends(jpegBytes(), { mime_type: 'image/jpeg' });
    const { media } = await untilMessage(from, (message) => message.media?.status === 'failed');
    expect(media.error.code).toBe('media_corrupt');
    expect(await countRows(kit.service.db, 'media', tenant.tenantId)).toBe(0);
  });

  test('without an id, or of a type without a file, is not fetched', async () => {
    const item = (type: string, content: object) => ({
      from: freshPhone(),
      id: `wamid.${randomBytes(8).toString('hex')}`,
      timestamp: '1790000000',
      type,
      [type]: content,
    });
    const messages = [item('image', { caption: 'no id' }), item('location', { id: '5', latitude: 1, longitude: 1 })];
    await ingest(kit, callbackBody({ phoneNumberId: tenant.phoneNumberId, messages }));
    const { data } = (await tenant.call('GET', '/v1/messages/inbound')).body;
    expect(data.map(({ media }: { media: unknown }) => media)).toEqual([null, null]);
  });
});

test('a hundred files are each fetched once by several fetchers at a time', async () => {
  const { rt, service } = kit;
  const network = makeMediaClient(rt.config);
  const due = new DueWorkMonitor(rt, service.db);
  const parts = { rt, db: service.db, due, blobs: openBlobStore(rt.config), network, tokens: sharedToken };
  const fetchers = [makeMediaFetcher(parts), makeMediaFetcher(parts)];
  for (const fetcher of fetchers) fetcher.start();
  try {
    await Promise.all(Array.from({ length: 100 }, () => customerSends(jpegBytes(), { mime_type: 'image/jpeg' })));
    const pending = async () => {
      const { data } = (await tenant.call('GET', '/v1/messages/inbound?limit=1000')).body;
      return data.filter(isReady).length;
    };
    await kit.until(pending, (ready) => ready === 100, 'all files are here');
    expect(await countRows(service.db, 'media', tenant.tenantId)).toBe(100);
  } finally {
    for (const fetcher of fetchers) await fetcher.stop();
    await network.close();
  }
});

test('our token is sent to no address but the network and its file hosts', async () => {
  const network = makeMediaClient({ ...kit.rt.config, mediaHosts: 'lookaside.fbsbx.com, files.example' });
  const refused = [
    'http://files.example/a',
    'https://files.example:8443/a',
    'https://user@files.example/a',
    'https://evil.example/a',
    'https://files.example.evil.example/a',
    'http://127.0.0.1:1/a',
    'file:///etc/passwd',
    'no address',
  ];
  for (const url of refused) {
    expect([url, await network.download(url, null, 10_000)]).toEqual([
      url,
      { kind: 'failed', failure: { kind: 'unfit', reason: expect.stringContaining('MESSAGING_MEDIA_HOSTS') } },
    ]);
  }
  await network.close();
});
