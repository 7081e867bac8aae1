import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { S3_KEY, startS3, type TestS3 } from '#blobs/testing/s3-server';
import { makeNameLookup } from '#runtime/name-lookup';
import { type BlobStore, BlobStoreUnavailable, BlobTooLarge, HEAD_BYTES } from './blob-store.ts';
import { makeDiskStore } from './disk-store.ts';
import { makeS3Store } from './s3-store.ts';

/** One suite for both stores: their users cannot distinguish them. */
interface World {
  readonly store: BlobStore;
  /** Where bytes lie while they arrive. */
  readonly staging: string;
  close(): Promise<void>;
}

const MAX = 4 * 1024 * 1024;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const folders: string[] = [];

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-blobs-'));
  folders.push(folder);
  return folder;
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

async function diskWorld(): Promise<World> {
  const folder = freshFolder();
  return { store: makeDiskStore(folder), staging: join(folder, 'staging'), close: async () => undefined };
}

function s3Store(s3: Pick<TestS3, 'endpoint' | 'bucket'>, folder: string, accessKeyId = S3_KEY): BlobStore {
  return makeS3Store({
    endpoint: s3.endpoint,
    region: 'us-east-1',
    bucket: s3.bucket,
    accessKeyId,
    secretAccessKey: S3_KEY,
    lookup: makeNameLookup({ dnsServers: '' }),
    prefix: 'postrider/',
    stagingFolder: folder,
  });
}

async function s3World(): Promise<World> {
  const s3 = await startS3(freshFolder());
  const folder = freshFolder();
  const store = s3Store(s3, folder);
  const close = async (): Promise<void> => {
    await store.close();
    await s3.close();
  };
  return { store, staging: join(folder, 'staging'), close };
}

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** In chunks of a prime size, so that no boundary is a round one. */
async function* inChunks(bytes: Uint8Array, size = 65_521): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(stream: Readable | null): Promise<Buffer | null> {
  return stream === null ? null : Buffer.concat(await stream.toArray());
}

let count = 0;
function freshKey(): string {
  count += 1;
  return `${sha256Of(Buffer.from(String(count)))}.0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01`;
}

describe.each([
  ['disk', diskWorld],
  ['S3-compatible', s3World],
] as const)('the %s store', (_name, makeWorld) => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld();
  });
  afterAll(() => world.close());

  async function kept(bytes: Uint8Array): Promise<string> {
    const key = freshKey();
    const staged = await world.store.receive(inChunks(bytes), MAX);
    await staged.keep(key);
    await untilWritten(key, bytes.length);
    return key;
  }

  /** The S3-compatible server of the tests answers a PUT before the last bytes are in its file. */
  async function untilWritten(key: string, size: number): Promise<void> {
    while ((await world.store.size(key)) !== size);
  }

  test.each([
    1,
    HEAD_BYTES - 1,
    HEAD_BYTES,
    HEAD_BYTES + 1,
    1_000_003,
  ])('gives back %i bytes as they came', async (size) => {
    const bytes = randomBytes(size);
    const staged = await world.store.receive(inChunks(bytes), MAX);
    expect([staged.size, staged.sha256]).toEqual([size, sha256Of(bytes)]);
    expect(Buffer.compare(staged.head, bytes.subarray(0, HEAD_BYTES))).toBe(0);
    const key = freshKey();
    await staged.keep(key);
    await untilWritten(key, size);
    expect(Buffer.compare((await read(await world.store.open(key))) ?? Buffer.alloc(0), bytes)).toBe(0);
  });

  test('gives back exactly the range that is asked for', async () => {
    const bytes = randomBytes(200_000);
    const key = await kept(bytes);
    for (const [first, last] of [
      [0, 1],
      [0, 199_999],
      [199_999, 199_999],
      [65_535, 131_073],
    ] as const) {
      const part = await read(await world.store.open(key, { first, last }));
      expect([first, last, part && Buffer.compare(part, bytes.subarray(first, last + 1))]).toEqual([first, last, 0]);
    }
  });

  test('knows nothing of a key that was never kept, or was removed', async () => {
    const key = await kept(randomBytes(10));
    await world.store.remove(key);
    for (const missing of [key, freshKey()]) {
      expect(await world.store.open(missing)).toBeNull();
      expect(await world.store.size(missing)).toBeNull();
      await world.store.remove(missing);
    }
  });

  test('takes exactly the limit, and of one byte more keeps nothing', async () => {
    const staged = await world.store.receive(inChunks(randomBytes(100_000)), 100_000);
    await staged.discard();
    await expect(world.store.receive(inChunks(randomBytes(100_001)), 100_000)).rejects.toThrow(BlobTooLarge);
    expect(readdirSync(world.staging)).toEqual([]);
  });

  test('keeps nothing of a stream that breaks, and passes its failure on', async () => {
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      yield randomBytes(70_000);
      throw new Error('the caller went away');
    };
    await expect(world.store.receive(broken(), MAX)).rejects.toThrow('the caller went away');
    expect(readdirSync(world.staging)).toEqual([]);
  });

  test('leaves nothing staged after keep or discard, which can be repeated', async () => {
    const discarded = await world.store.receive(inChunks(randomBytes(10)), MAX);
    await discarded.discard();
    await discarded.discard();
    const staged = await world.store.receive(inChunks(randomBytes(10)), MAX);
    await staged.keep(freshKey());
    await staged.discard();
    expect(readdirSync(world.staging)).toEqual([]);
  });

  test('keeps identical bytes under one key, however often and however concurrently they are stored', async () => {
    const bytes = randomBytes(100_000);
    const key = freshKey();
    const staged = await Promise.all([1, 2, 3].map(() => world.store.receive(inChunks(bytes), MAX)));
    await Promise.all(staged.map((one) => one.keep(key)));
    expect(sha256Of((await read(await world.store.open(key))) ?? Buffer.alloc(0))).toBe(sha256Of(bytes));
    expect(readdirSync(world.staging)).toEqual([]);
  });

  test('sweeps what a killed process left behind, and nothing that is still written', async () => {
    const old = await world.store.receive(inChunks(randomBytes(10)), MAX);
    const [name] = readdirSync(world.staging);
    const anHourAgo = new Date(Date.now() - HOUR_MS - MINUTE_MS);
    utimesSync(join(world.staging, name ?? ''), anHourAgo, anHourAgo);
    const fresh = await world.store.receive(inChunks(randomBytes(10)), MAX);
    expect(await world.store.sweep(HOUR_MS)).toBe(1);
    await expect(old.keep(freshKey())).rejects.toThrow(BlobStoreUnavailable);
    await fresh.keep(freshKey());
  });

  test.each([
    '../../etc/passwd',
    'a/b',
    '',
    'UPPER-CASE-KEY',
    'has space',
    'ends..twice',
  ])('refuses the key %j, which no part of ours makes', async (key) => {
    await expect((async () => world.store.open(key))()).rejects.toThrow('not a key');
  });
});

describe('the disk store', () => {
  test('keeps files unreadable for other users', async () => {
    const folder = freshFolder();
    const store = makeDiskStore(folder);
    const staged = await store.receive(inChunks(randomBytes(10)), MAX);
    const key = freshKey();
    await staged.keep(key);
    const { mode } = statSync(join(folder, key.slice(0, 2), key.slice(2, 4), key));
    expect(mode & 0o777).toBe(0o600);
  });

  test('says that it is unavailable when its folder cannot be written', async () => {
    const store = makeDiskStore('/dev/null/no-folder');
    await expect(store.receive(inChunks(randomBytes(10)), MAX)).rejects.toThrow(BlobStoreUnavailable);
  });
});

describe('the S3-compatible store', () => {
  test('says that it is unavailable when the server does not answer, or the key is refused', async () => {
    const s3 = await startS3(freshFolder());
    const refused = s3Store(s3, freshFolder(), 'another-key');
    const staged = await refused.receive(Readable.from([randomBytes(10)]), MAX);
    await expect(staged.keep(freshKey())).rejects.toThrow(BlobStoreUnavailable);
    await refused.close();
    await s3.close();
    const nobody = s3Store(s3, freshFolder());
    await expect(nobody.open(freshKey())).rejects.toThrow(BlobStoreUnavailable);
    await nobody.close();
  });
});
