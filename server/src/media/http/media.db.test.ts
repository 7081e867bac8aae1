import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addPlan, moveSubscription } from '#billing/actions/manage-plans';
import { openBlobStore, openPartialStore } from '#blobs/open-store';
import { cleanMedia } from '#maintenance/workers/media-cleaner';
import { storeMedia } from '#media/actions/store-media';
import { MAX_UPLOAD_BYTES } from '#media/domain/media';
import { jpegBytes, postForm, uploadFile } from '#testing/media/test-media';
import { countRows } from '#testing/test-callbacks';
import { TestClock } from '#testing/test-runtime';
import { startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService({ config: { mediaQuotaMb: 64 } });
});
afterAll(() => kit.close());

/** Every file below the media folder: what is kept, and what is staged. */
function filesOf(service: TestService): readonly string[] {
  const folder = join(service.rt.config.dataDir, 'media');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);
}

function stagedIn(service: TestService): readonly string[] {
  const folder = join(service.rt.config.dataDir, 'media', 'staging');
  return existsSync(folder) ? readdirSync(folder) : [];
}

function places({ rt }: TestService) {
  return { blobs: openBlobStore(rt.config), partials: openPartialStore(rt.config) };
}

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function download(path: string, headers: Record<string, string> = {}, key = tenant.key) {
  const response = await fetch(kit.service.url + path, { headers: { authorization: `Bearer ${key}`, ...headers } });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

describe('an upload', () => {
  beforeAll(async () => {
    tenant = await makeTestTenant(kit);
  });

  test('is answered with exactly what was stored', async () => {
    const bytes = jpegBytes(1_234);
    const answer = await uploadFile(kit, tenant.key, bytes, { type: 'text/plain' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      media_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      mime_type: 'image/jpeg',
      size: 1_234,
      sha256: sha256Of(bytes),
      sendable_as: ['image'],
      expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*\.\d{3}Z$/),
    });
    const read = await tenant.call('GET', `/v1/media/${answer.body.media_id}`);
    expect(read.body).toMatchObject({ ...answer.body, filename: 'parcel.jpg', origin: 'upload' });
  });

  test('of a text has its declared type, of the field before that of the part', async () => {
    const text = Buffer.from('plain words');
    const byPart = await uploadFile(kit, tenant.key, text, { filename: 'a.txt', type: 'text/plain' });
    expect(byPart.body).toMatchObject({ mime_type: 'text/plain', sendable_as: ['document'] });
    const byField = await uploadFile(kit, tenant.key, text, { type: 'text/plain', fields: { mime_type: 'text/csv' } });
    expect(byField.body).toMatchObject({ mime_type: 'text/csv', sendable_as: [] });
    const undeclared = await uploadFile(kit, tenant.key, text);
    expect(undeclared.body).toMatchObject({ mime_type: 'application/octet-stream', sendable_as: [] });
  });

  test('of 16 MiB exactly passes; of one byte more it is a 413 and nothing is kept', async () => {
    const bytes = jpegBytes(MAX_UPLOAD_BYTES);
    expect((await uploadFile(kit, tenant.key, bytes)).body).toMatchObject({ size: MAX_UPLOAD_BYTES });
    const before = [filesOf(kit).length, await countRows(kit.service.db, 'media', tenant.tenantId)];
    const larger = await uploadFile(kit, tenant.key, Buffer.concat([bytes, Buffer.from('x')]));
    expect([larger.status, larger.body.code]).toEqual([413, 'payload_too_large']);
    const much = await uploadFile(kit, tenant.key, Buffer.concat([bytes, bytes]));
    expect([much.status, much.body.code]).toEqual([413, 'payload_too_large']);
    expect([filesOf(kit).length, await countRows(kit.service.db, 'media', tenant.tenantId)]).toEqual(before);
    expect(stagedIn(kit)).toEqual([]);
  });

  test('of equal bytes is stored once per tenant, each under an id of its own', async () => {
    const other = await makeTestTenant(kit);
    const bytes = jpegBytes();
    const answers = await Promise.all([1, 2, 3, 4].map(() => uploadFile(kit, tenant.key, bytes)));
    expect(new Set(answers.map(({ body }) => body.media_id)).size).toBe(4);
    await uploadFile(kit, other.key, bytes);
    expect(filesOf(kit).filter((name) => name.startsWith(sha256Of(bytes))).length).toBe(2);
  });

  test('without a file, with an empty one or with surplus parts is a 400 that names each fault', async () => {
    const post = async (form: FormData) => {
      const { status, body } = await postForm(kit, tenant.key, form);
      return [status, body.code, body.details?.map(({ path }: { path: string }) => path)];
    };
    const file = () => new File([new Uint8Array(jpegBytes())], 'a.jpg');
    const withField = (name: string, value: string | File) => {
      const form = new FormData();
      form.append(name, value as string);
      return form;
    };
    expect(await post(new FormData())).toEqual([400, 'validation_failed', ['body.file']]);
    expect(await post(withField('mime_type', 'image/png'))).toEqual([400, 'validation_failed', ['body.file']]);
    expect(await post(withField('file', 'just a text'))).toEqual([400, 'validation_failed', ['body.file']]);
    expect(await post(withField('file', new File([], 'empty.jpg')))).toEqual([400, 'validation_failed', ['body.file']]);
    const surplus = withField('file', file());
    surplus.append('colour', 'red');
    surplus.append('second', file());
    expect(await post(surplus)).toEqual([400, 'validation_failed', ['body.colour', 'body.second']]);
    const badType = withField('file', file());
    badType.append('mime_type', 'not a type');
    expect(await post(badType)).toEqual([400, 'validation_failed', ['body.mime_type']]);
    const badNumber = withField('file', file());
    badNumber.append('phone_number_id', '999');
    expect(await post(badNumber)).toEqual([400, 'unknown_phone_number', ['body.phone_number_id']]);
    expect(stagedIn(kit)).toEqual([]);
  });

  test('in another content type is a 415; of a form that ends too early a 400', async () => {
    const json = await tenant.call('POST', '/v1/media', { file: 'x' });
    expect([json.status, json.body]).toEqual([
      415,
      { error: 'Send the body as multipart/form-data.', code: 'unsupported_media_type' },
    ]);
    for (const type of ['multipart/form-data', 'multipart/form-data; boundary=x']) {
      const cut = await tenant.call('POST', '/v1/media', Buffer.from('--x\r\nContent-Disp'), { 'content-type': type });
      expect([type, cut.status, cut.body.code]).toEqual([type, 400, 'invalid_request']);
    }
  });

  test.each(['file', 'second'])('of a form that is cut anywhere is a 400 and harms nothing (part %s)', async (name) => {
    const part = `--x\r\ncontent-disposition: form-data; name="${name}"; filename="a.bin"\r\n\r\nabcdef\r\n--x-`;
    const type = { 'content-type': 'multipart/form-data; boundary=x' };
    for (let length = 1; length <= part.length; length += 1) {
      const cut = await tenant.call('POST', '/v1/media', Buffer.from(part.slice(0, length)), type);
      expect([length, cut.status, cut.body.code]).toEqual([length, 400, 'invalid_request']);
    }
    expect(stagedIn(kit)).toEqual([]);
    expect((await tenant.call('GET', '/v1/media')).status).toBe(200);
  });

  test('with an Idempotency-Key is stored once; with other bytes it is a 422', async () => {
    const bytes = jpegBytes();
    const headers = { 'idempotency-key': 'upload-1' };
    const [first, again] = [
      await uploadFile(kit, tenant.key, bytes, { headers }),
      await uploadFile(kit, tenant.key, bytes, { headers }),
    ];
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await uploadFile(kit, tenant.key, jpegBytes(), { headers })).status).toBe(422);
    expect(stagedIn(kit)).toEqual([]);
  });

  test('whose caller is killed half way leaves nothing behind', async () => {
    const url = new URL(kit.service.url);
    const socket = connect(Number(url.port), url.hostname);
    const head = `POST /v1/media HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${tenant.key}\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: 9000000\r\n\r\n`;
    const part = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n';
    socket.write(head + part);
    socket.write(randomBytes(3_000_000));
    await kit.until(
      async () => stagedIn(kit),
      (files) => files.length === 1,
      'the upload has begun',
    );
    socket.destroy();
    await kit.until(
      async () => stagedIn(kit),
      (files) => files.length === 0,
      'the rest is removed',
    );
  });

  test('beyond the quota is refused, and equal bytes still pass', async () => {
    const poor = await makeTestTenant(kit);
    const bytes = jpegBytes(MAX_UPLOAD_BYTES);
    expect((await uploadFile(kit, poor.key, bytes)).status).toBe(200);
    for (let count = 1; count < 4; count += 1) {
      expect((await uploadFile(kit, poor.key, jpegBytes(MAX_UPLOAD_BYTES))).status).toBe(200);
    }
    const refused = await uploadFile(kit, poor.key, jpegBytes());
    expect([refused.status, refused.body.code]).toEqual([400, 'media_quota_exceeded']);
    expect((await uploadFile(kit, poor.key, bytes)).status).toBe(200);
    expect(stagedIn(kit)).toEqual([]);
  });

  test('beyond the limit of the plan is refused at both doors, and a customer’s file is not', async () => {
    const small = await makeTestTenant(kit);
    const { tenantId, key } = small;
    const { rt, db } = { rt: kit.rt, db: kit.service.db };
    await addPlan(rt, db, 'small', { mediaBytes: 5_000 });
    await moveSubscription(rt, db, tenantId, { planId: 'small' });
    const first = jpegBytes(4_000);
    expect((await uploadFile(kit, key, first)).status).toBe(200);
    for (const path of ['/v1/media', '/v1/media/resumable']) {
      const refused = await uploadFile(kit, key, jpegBytes(1_001), { path });
      expect([path, refused.status, refused.body.code]).toEqual([path, 400, 'media_quota_exceeded']);
    }
    expect((await uploadFile(kit, key, first)).status).toBe(200);
    expect((await uploadFile(kit, key, jpegBytes(1_000))).status).toBe(200);
    const received = { tenantId, sha256: 'f'.repeat(64), size: 9_000, mimeType: 'image/jpeg', animated: false };
    const keep = async (): Promise<void> => undefined;
    const file = { ...received, filename: null, origin: 'inbound', keep } as const;
    await expect(storeMedia(rt, db, file)).resolves.toMatchObject({ size: 9_000 });
    await expect(storeMedia(rt, db, { ...file, sha256: 'e'.repeat(64), size: MAX_UPLOAD_BYTES * 4 })).rejects.toThrow();
  });

  test('needs a key with the scope', async () => {
    const reader = await makeTestTenant(kit, { scopes: ['media:read'] });
    expect((await uploadFile(kit, 'no-such-key-anywhere', jpegBytes())).status).toBe(401);
    expect((await uploadFile(kit, reader.key, jpegBytes())).status).toBe(403);
  });
});

describe('a download', () => {
  const bytes = jpegBytes(300_000);
  let path: string;
  beforeAll(async () => {
    tenant = await makeTestTenant(kit);
    const { body } = await uploadFile(kit, tenant.key, bytes, { filename: 'résumé "1".jpg' });
    path = `/v1/media/${body.media_id}/content`;
  });

  test('gives the bytes as a file to save, which no browser runs', async () => {
    const answer = await download(path);
    expect([answer.status, Buffer.compare(answer.bytes, bytes)]).toEqual([200, 0]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': '300000',
      'accept-ranges': 'bytes',
      etag: `"${sha256Of(bytes)}"`,
      'content-disposition': `attachment; filename="r_sum_ _1_.jpg"; filename*=UTF-8''r%C3%A9sum%C3%A9%20%221%22.jpg`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
  });

  test('gives the part that is asked for, and says what does not exist', async () => {
    const part = await download(path, { range: 'bytes=100000-100099' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 100000-100099/300000']);
    expect(Buffer.compare(part.bytes, bytes.subarray(100_000, 100_100))).toBe(0);
    const behind = await download(path, { range: 'bytes=300000-' });
    expect([behind.status, behind.headers.get('content-range')]).toEqual([416, 'bytes */300000']);
  });

  test('gives nothing to who has it already, and no body to HEAD', async () => {
    const known = await download(path, { 'if-none-match': `"${sha256Of(bytes)}"` });
    expect([known.status, known.bytes.length]).toEqual([304, 0]);
    const head = await fetch(kit.service.url + path, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${tenant.key}` },
    });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '300000']);
  });
});

test('media of another tenant is, byte for byte, media that does not exist', async () => {
  const [owner, stranger] = [await makeTestTenant(kit), await makeTestTenant(kit)];
  const { body } = await uploadFile(kit, owner.key, jpegBytes());
  const missing = '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01';
  for (const [method, suffix] of [
    ['GET', ''],
    ['GET', '/content'],
    ['DELETE', ''],
  ] as const) {
    const foreign = await stranger.call(method, `/v1/media/${body.media_id}${suffix}`);
    const absent = await stranger.call(method, `/v1/media/${missing}${suffix}`);
    expect([foreign.status, foreign.text]).toEqual([404, absent.text]);
  }
  expect((await stranger.call('GET', '/v1/media')).body.data).toEqual([]);
  expect((await owner.call('GET', `/v1/media/${body.media_id}`)).status).toBe(200);
});

test('the list walks all media, newest first, by offset and by cursor', async () => {
  tenant = await makeTestTenant(kit);
  const ids: string[] = [];
  for (let count = 0; count < 5; count += 1)
    ids.unshift((await uploadFile(kit, tenant.key, jpegBytes())).body.media_id);
  const idsOf = (page: { data: { media_id: string }[] }) => page.data.map((item) => item.media_id);
  const first = await tenant.call('GET', '/v1/media?limit=2');
  expect([idsOf(first.body), first.body.page.has_more]).toEqual([ids.slice(0, 2), true]);
  const second = await tenant.call('GET', `/v1/media?limit=2&cursor=${first.body.page.next_cursor}`);
  const rest = await tenant.call('GET', '/v1/media?limit=2&offset=4');
  expect([idsOf(second.body), idsOf(rest.body), rest.body.page.has_more]).toEqual([
    ids.slice(2, 4),
    ids.slice(4),
    false,
  ]);
  expect((await tenant.call('GET', '/v1/media?colour=red')).status).toBe(400);
});

describe('media that is gone', () => {
  let world: TestService;
  const clock = new TestClock(Date.now());
  beforeAll(async () => {
    world = await startTestService({ clock, config: { roles: 'api', mediaRetentionDays: 1 } });
  });
  afterAll(() => world.close());

  const HOUR_MS = 60 * 60 * 1000;
  const clean = () => cleanMedia(world.rt, world.service.db, places(world));

  test('is deleted at once, its bytes an hour later, unless other media has them', async () => {
    const bytes = jpegBytes();
    const [first, second] = [await uploadFile(world, world.key, bytes), await uploadFile(world, world.key, bytes)];
    const remove = (id: string) => world.call('DELETE', `/v1/media/${id}`);
    expect((await remove(first.body.media_id)).body).toEqual({ media_id: first.body.media_id, status: 'deleted' });
    expect((await remove(first.body.media_id)).status).toBe(404);
    clock.advance(2 * HOUR_MS);
    await clean();
    expect(filesOf(world).length).toBe(1);
    expect((await world.call('GET', `/v1/media/${second.body.media_id}/content`)).status).toBe(200);
    await remove(second.body.media_id);
    await clean();
    expect(filesOf(world).length).toBe(1);
    clock.advance(2 * HOUR_MS);
    expect(await clean()).toMatchObject({ blobs: 1 });
    expect([filesOf(world), await countRows(world.service.db, 'media_blobs')]).toEqual([[], 0]);
  });

  test('expires: it cannot be read from that moment on, and maintenance removes row and bytes', async () => {
    const { body } = await uploadFile(world, world.key, jpegBytes());
    clock.advance(24 * HOUR_MS);
    expect((await world.call('GET', `/v1/media/${body.media_id}`)).status).toBe(404);
    expect((await world.call('GET', '/v1/media')).body.data).toEqual([]);
    await clean();
    clock.advance(2 * HOUR_MS);
    await clean();
    expect([filesOf(world), await countRows(world.service.db, 'media')]).toEqual([[], 0]);
  });

  test('and uploaded again between its end and its removal is there', async () => {
    const bytes = jpegBytes();
    const first = await uploadFile(world, world.key, bytes);
    await world.call('DELETE', `/v1/media/${first.body.media_id}`);
    clock.advance(2 * HOUR_MS);
    const again = await uploadFile(world, world.key, bytes);
    await clean();
    expect((await world.call('GET', `/v1/media/${again.body.media_id}/content`)).status).toBe(200);
  });
});
