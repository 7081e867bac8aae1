import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { Upload } from 'tus-js-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Service, startService } from '#bin/service';
import { openBlobStore, openPartialStore } from '#blobs/open-store';
import { cleanMedia } from '#maintenance/workers/media-cleaner';
import { UNFINISHED_LIFETIME_MS } from '#media/domain/resumable-upload';
import { startCuttingProxy } from '#media/http/tus/testing/cutting-proxy';
import { jpegBytes, uploadFile } from '#testing/media/test-media';
import { countRows } from '#testing/test-callbacks';
import { TestClock } from '#testing/test-runtime';
import { type Answer, callApi, startTestService, TEST_KEY, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';

const PATH = '/v1/media/resumable';
let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService({ random: () => 0 });
});
beforeEach(async () => {
  tenant = await makeTestTenant(kit);
  await kit.simulate('PUT', '/_sim/failures', {});
});
afterAll(() => kit.close());

const tus = { 'tus-resumable': '1.0.0' };
const piece = { ...tus, 'content-type': 'application/offset+octet-stream' };

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Opens an upload by hand; returns its path. */
async function open(size: number, metadata = '', key = tenant.key): Promise<string> {
  const headers = {
    ...tus,
    'upload-length': String(size),
    ...(metadata === '' ? {} : { 'upload-metadata': metadata }),
  };
  const answer = await callApi(kit.service.url, 'POST', PATH, undefined, {
    authorization: `Bearer ${key}`,
    ...headers,
  });
  expect([answer.status, answer.text]).toEqual([201, '']);
  return answer.headers.get('location') ?? '';
}

/** Waits until the upload is as wanted. */
function untilUpload(path: string, done: (upload: Answer['body']) => boolean): Promise<Answer['body']> {
  return kit.until(async () => (await tenant.call('GET', path)).body, done, 'the upload is as wanted');
}

const hasHandle = (upload: Answer['body']): boolean => upload.status === 'ready';

/** A whole upload by a real tus client. */
function uploadByClient(base: string, key: string, bytes: Buffer, options: object = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const upload = new Upload(bytes as unknown as Blob, {
      endpoint: base + PATH,
      headers: { authorization: `Bearer ${key}` },
      metadata: { filename: 'film.mp4', filetype: 'image/jpeg' },
      retryDelays: Array.from({ length: 200 }, () => 0),
      onError: reject,
      onSuccess: () => resolve(new URL(upload.url ?? '').pathname),
      ...options,
    });
    upload.start();
  });
}

test('a form with the header of tus is at neither door: it is refused, not dropped', async () => {
  const answer = await uploadFile(kit, tenant.key, jpegBytes(), {
    path: PATH,
    headers: { ...tus, 'upload-length': '9' },
  });
  expect([answer.status, answer.body.code]).toEqual([415, 'unsupported_media_type']);
  expect(await countRows(kit.service.db, 'resumable_uploads', tenant.tenantId)).toBe(0);
});

describe('the door with the form', () => {
  test('answers with the handle of the network, and the file as media', async () => {
    const bytes = jpegBytes(200_000);
    const answer = await uploadFile(kit, tenant.key, bytes, { path: PATH });
    expect([answer.status, answer.body]).toEqual([
      200,
      { handle: expect.stringMatching(/^4::/), media_id: expect.any(String) },
    ]);
    const media = await tenant.call('GET', `/v1/media/${answer.body.media_id}`);
    expect(media.body).toMatchObject({ sha256: sha256Of(bytes), origin: 'resumable' });
  });

  test('P12: goes on where the network stopped when the transfer breaks off', async () => {
    await kit.simulate('PUT', '/_sim/failures', { upload_bytes: { times: 2, fault: 'cut' } });
    const bytes = jpegBytes(1_000_001);
    const answer = await uploadFile(kit, tenant.key, bytes, { path: PATH });
    expect([answer.status, answer.body.handle]).toEqual([200, expect.stringMatching(/^4::/)]);
    expect((await kit.simulate('GET', '/_sim/failures')).body).toEqual({});
    // Two transfers broke, and still there is one session, with every byte once.
    const sessions = (await kit.simulate('GET', '/_sim/uploads')).body.data.filter(
      (session: { file_length: number }) => session.file_length === bytes.length,
    );
    expect(sessions).toEqual([expect.objectContaining({ complete: true, sha256: sha256Of(bytes) })]);
  });

  test('refuses what the network gives no handle for, a missing file and one byte too many', async () => {
    const text = await uploadFile(kit, tenant.key, Buffer.from('words'), { path: PATH, type: 'text/plain' });
    expect([text.status, text.body.code]).toEqual([400, 'handle_refused']);
    const tooLarge = await uploadFile(kit, tenant.key, jpegBytes(16 * 1024 * 1024 + 1), { path: PATH });
    expect([tooLarge.status, tooLarge.body.code]).toEqual([413, 'payload_too_large']);
    const none = await uploadFile(kit, tenant.key, Buffer.alloc(0), { path: PATH });
    expect([none.status, none.body.code]).toEqual([400, 'validation_failed']);
    expect((await uploadFile(kit, 'no-such-key-anywhere', jpegBytes(), { path: PATH })).status).toBe(401);
    expect(await countRows(kit.service.db, 'media', tenant.tenantId)).toBe(0);
  });

  test('says why when the network refuses the file again and again', async () => {
    await kit.simulate('PUT', '/_sim/failures', { upload_session: { times: 3, code: 100 } });
    const answer = await uploadFile(kit, tenant.key, jpegBytes(), { path: PATH });
    expect([answer.status, answer.body.code]).toEqual([400, 'handle_refused']);
  });
});

describe('the door for tus', () => {
  test('says what it can do', async () => {
    const answer = await callApi(kit.service.url, 'OPTIONS', PATH);
    expect([answer.status, Object.fromEntries(answer.headers)]).toEqual([
      204,
      expect.objectContaining({
        'tus-version': '1.0.0',
        'tus-extension': 'creation,creation-with-upload,termination,expiration,checksum',
        'tus-max-size': '104857600',
        'tus-checksum-algorithm': 'sha1,sha256,md5',
      }),
    ]);
  });

  test('takes an upload in pieces, says how far it is, and gives the handle at the end', async () => {
    const bytes = jpegBytes(300_000);
    const path = await open(bytes.length, `filename ${Buffer.from('a b.jpg').toString('base64')}`);
    const first = await tenant.call('PATCH', path, bytes.subarray(0, 100_000), { ...piece, 'upload-offset': '0' });
    expect([first.status, first.headers.get('upload-offset')]).toEqual([204, '100000']);
    expect(first.headers.get('upload-expires')).toMatch(/GMT$/);
    const read = await tenant.call('GET', path);
    expect(read.body).toMatchObject({ status: 'uploading', offset: 100_000, size: 300_000, handle: null });
    const head = await fetch(kit.service.url + path, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${tenant.key}`, ...tus },
    });
    expect([head.status, head.headers.get('upload-offset'), head.headers.get('upload-length')]).toEqual([
      200,
      '100000',
      '300000',
    ]);
    await tenant.call('PATCH', path, bytes.subarray(100_000), { ...piece, 'upload-offset': '100000' });
    const ready = await untilUpload(path, hasHandle);
    expect(ready).toMatchObject({ status: 'ready', offset: 300_000, handle: expect.stringMatching(/^4::/) });
    const media = await tenant.call('GET', `/v1/media/${ready.media_id}`);
    expect(media.body).toMatchObject({ sha256: sha256Of(bytes), filename: 'a b.jpg', mime_type: 'image/jpeg' });
  });

  test('takes the type from filetype, as clients of tus name it, and from mime_type, as the form does', async () => {
    const text = Buffer.from('only words');
    for (const name of ['filetype', 'mime_type']) {
      const path = await open(text.length, `${name} ${Buffer.from('text/plain').toString('base64')}`);
      await tenant.call('PATCH', path, text, { ...piece, 'upload-offset': '0' });
      const ended = await untilUpload(path, ({ status }) => status === 'failed');
      expect(ended.error.message).toContain('text/plain');
    }
  });

  test('refuses a wrong offset, a piece beyond the end and one that is no piece, and keeps what it has', async () => {
    const path = await open(1_000);
    const send = async (body: Buffer, headers: Record<string, string>) => {
      const { status, body: answer } = await tenant.call('PATCH', path, body, headers);
      return [status, answer?.code];
    };
    expect(await send(randomBytes(10), { ...piece, 'upload-offset': '5' })).toEqual([409, 'conflict']);
    expect(await send(randomBytes(1_001), { ...piece, 'upload-offset': '0' })).toEqual([413, 'payload_too_large']);
    expect(await send(randomBytes(10), { ...tus, 'content-type': 'image/png', 'upload-offset': '0' })).toEqual([
      415,
      'unsupported_media_type',
    ]);
    expect(await send(randomBytes(10), { 'content-type': piece['content-type'], 'upload-offset': '0' })).toEqual([
      412,
      'precondition_failed',
    ]);
    expect((await tenant.call('GET', path)).body.offset).toBe(0);
  });

  test('keeps a piece with a digest as a whole or not at all', async () => {
    const bytes = randomBytes(5_000);
    const path = await open(bytes.length);
    const withDigest = (digest: string) =>
      tenant.call('PATCH', path, bytes, { ...piece, 'upload-offset': '0', 'upload-checksum': digest });
    const wrong = await withDigest(`sha256 ${createHash('sha256').update('other').digest('base64')}`);
    expect([wrong.status, wrong.body.code]).toEqual([460, 'checksum_mismatch']);
    expect((await tenant.call('GET', path)).body.offset).toBe(0);
    expect((await withDigest('crc32 AAAA')).status).toBe(400);
    expect((await withDigest(`sha1 ${createHash('sha1').update(bytes).digest('base64')}`)).status).toBe(204);
  });

  test('takes bytes with the creation, and refuses lengths that cannot be', async () => {
    const create = (size: number, body?: Buffer) =>
      tenant.call('POST', PATH, body, { ...(body ? piece : tus), 'upload-length': String(size) });
    const bytes = jpegBytes(2_000);
    const answer = await create(bytes.length, bytes);
    expect([answer.status, answer.headers.get('upload-offset')]).toEqual([201, '2000']);
    await untilUpload(answer.headers.get('location') ?? '', hasHandle);
    expect((await create(0)).status).toBe(400);
    expect((await create(100 * 1024 * 1024 + 1)).status).toBe(413);
  });

  test('gives up an upload when it is told to', async () => {
    const path = await open(1_000);
    expect((await tenant.call('DELETE', path, undefined, tus)).status).toBe(204);
    expect((await tenant.call('GET', path)).status).toBe(404);
    expect(await countRows(kit.service.db, 'resumable_uploads', tenant.tenantId)).toBe(0);
  });

  test('says why a file of a type without handles has none; it is media all the same', async () => {
    const path = await open(5);
    await tenant.call('PATCH', path, Buffer.from('words'), { ...piece, 'upload-offset': '0' });
    const failed = await untilUpload(path, (upload) => upload.status === 'failed');
    expect(failed.error.code).toBe('handle_refused');
    expect((await tenant.call('GET', `/v1/media/${failed.media_id}`)).status).toBe(200);
  });

  test('shows an upload of another tenant, byte for byte, as one that does not exist', async () => {
    const path = await open(1_000);
    const stranger = await makeTestTenant(kit);
    const missing = `${PATH}/0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01`;
    const calls = [
      ['GET', undefined, {}],
      ['PATCH', randomBytes(5), { ...piece, 'upload-offset': '0' }],
      ['DELETE', undefined, tus],
    ] as const;
    for (const [method, body, headers] of calls) {
      const foreign = await stranger.call(method, path, body, headers);
      const absent = await stranger.call(method, missing, body, headers);
      expect([method, foreign.status, foreign.text]).toEqual([method, 404, absent.text]);
    }
    expect((await tenant.call('GET', path)).body.offset).toBe(0);
  });
});

describe('unfinished uploads of a tenant', () => {
  const create = (key: string, size: number) =>
    callApi(kit.service.url, 'POST', PATH, undefined, {
      authorization: `Bearer ${key}`,
      ...tus,
      'upload-length': String(size),
    });

  test('are limited, also when many begin at once; one that is given up makes room for another', async () => {
    const limit = kit.rt.config.openUploads;
    const answers = await Promise.all(Array.from({ length: limit + 20 }, () => create(tenant.key, 1_000)));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(answers.length - refused.length).toBe(limit);
    expect(new Set(refused.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set([
        `429 {"error":"There are too many unfinished uploads: at most ${limit} per tenant. Complete or delete one.","code":"rate_limited"}`,
      ]),
    );
    const stranger = await makeTestTenant(kit);
    expect((await create(stranger.key, 1_000)).status).toBe(201);
    const [first] = answers.filter(({ status }) => status === 201);
    await tenant.call('DELETE', first?.headers.get('location') ?? '', undefined, tus);
    expect((await create(tenant.key, 1_000)).status).toBe(201);
  });

  test('count towards the quota with all the bytes they announce', async () => {
    const world = await startTestService({ config: { roles: 'api', mediaQuotaMb: 1 } });
    const begin = (size: number) =>
      world.call('POST', PATH, undefined, { ...tus, 'upload-length': String(size) }).then(({ status, body }) => ({
        status,
        code: body?.code,
      }));
    try {
      expect(await begin(700_000)).toMatchObject({ status: 201 });
      expect(await begin(400_000)).toEqual({ status: 400, code: 'media_quota_exceeded' });
      expect(await begin(300_000)).toMatchObject({ status: 201 });
      expect(await countRows(world.service.db, 'resumable_uploads')).toBe(2);
    } finally {
      await world.close();
    }
  });
});

test('an upload that is not completed within a day has expired: it is gone at once, its bytes with the next cleaning', async () => {
  const clock = new TestClock(Date.now());
  const world = await startTestService({ clock, config: { roles: 'api' } });
  try {
    const opened = await world.call('POST', PATH, undefined, { ...tus, 'upload-length': '10' });
    const path = opened.headers.get('location') ?? '';
    const grow = (offset: number) =>
      world.call('PATCH', path, randomBytes(5), { ...piece, 'upload-offset': String(offset) });
    const begun = await grow(0);
    const endMs = Date.parse(begun.headers.get('upload-expires') ?? '');
    expect(Math.abs(endMs - clock.now() - UNFINISHED_LIFETIME_MS)).toBeLessThan(2_000);
    clock.advance(UNFINISHED_LIFETIME_MS - 1);
    expect((await world.call('GET', path)).body).toMatchObject({ status: 'uploading', offset: 5 });
    clock.advance(1);
    expect([(await world.call('GET', path)).status, (await grow(5)).status]).toEqual([404, 404]);
    const { rt, service } = world;
    // What is on the disk is as old as the disk says.
    clock.advance(1);
    const folder = join(rt.config.dataDir, 'media', 'partial');
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), new Date(0), new Date(0));
    const places = { blobs: openBlobStore(rt.config), partials: openPartialStore(rt.config) };
    expect(await cleanMedia(rt, service.db, places)).toMatchObject({ uploads: 1, partials: 1 });
    expect(await countRows(service.db, 'resumable_uploads')).toBe(0);
  } finally {
    await world.close();
  }
});

/** A small generator, so that a failing run can be repeated by its seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test.each([
  1, 2, 3,
])('a client whose connections break at random places ends with the same bytes (seed %i)', async (seed) => {
  const random = seeded(seed);
  const bytes = jpegBytes(4_000_000);
  let connections = 0;
  const proxy = await startCuttingProxy(kit.service.url, () => {
    connections += 1;
    return connections > 12 ? Number.POSITIVE_INFINITY : Math.floor(2_000 + random() * 900_000);
  });
  try {
    const path = await uploadByClient(proxy.url, tenant.key, bytes);
    const ready = await untilUpload(path, hasHandle);
    const media = await tenant.call('GET', `/v1/media/${ready.media_id}`);
    expect(media.body).toMatchObject({ size: bytes.length, sha256: sha256Of(bytes) });
    expect(proxy.cuts).toBeGreaterThan(2);
  } finally {
    await proxy.close();
  }
});

test('an upload outlives the service: begun on one, it is completed on the next', async () => {
  const world = await startTestService();
  const proxy = await startCuttingProxy(world.service.url, () => Number.POSITIVE_INFINITY);
  let next: Service | null = null;
  let restarted: Promise<void> | null = null;
  try {
    const bytes = jpegBytes(6_000_000);
    const restart = async (): Promise<void> => {
      proxy.hold();
      await world.service.close();
      next = await startService(world.rt);
      proxy.leadTo(next.url);
    };
    const path = await uploadByClient(proxy.url, TEST_KEY, bytes, {
      chunkSize: 500_000,
      onChunkComplete: (_size: number, sent: number) => {
        if (sent >= 2_000_000) restarted ??= restart();
      },
    });
    await restarted;
    const base = (next as Service | null)?.url ?? '';
    const authorization = `Bearer ${TEST_KEY}`;
    const read = async () => (await callApi(base, 'GET', path, undefined, { authorization })).body;
    const ready = await world.until(read, hasHandle, 'the handle is there');
    const media = await callApi(base, 'GET', `/v1/media/${ready.media_id}`, undefined, { authorization });
    expect(media.body).toMatchObject({ size: bytes.length, sha256: sha256Of(bytes) });
  } finally {
    await proxy.close();
    await (restarted as Promise<void> | null)?.catch(() => undefined);
    await (next as Service | null)?.close();
    await world.close().catch(() => undefined);
  }
});
