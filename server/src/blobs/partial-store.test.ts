import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { BlobStoreUnavailable } from './blob-store.ts';
import { DigestMismatch, makePartialStore, type PartialStore } from './partial-store.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const folder = mkdtempSync(join(tmpdir(), 'postrider-partial-'));
let store: PartialStore;
let count = 0;
let key: string;

beforeEach(async () => {
  store = makePartialStore(folder);
  count += 1;
  key = `upload-${count}`;
  await store.create(key);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function* pieces(...chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

async function* broken(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield chunk;
  throw new Error('the caller went away');
}

async function content(): Promise<Buffer> {
  return Buffer.concat((await (await store.open(key))?.toArray()) ?? []);
}

test('pieces grow into one file, also after a restart', async () => {
  const bytes = randomBytes(10_000);
  expect(await store.append(key, pieces(bytes.subarray(0, 3_000), bytes.subarray(3_000, 4_000)), null)).toBe(4_000);
  store = makePartialStore(folder);
  expect(await store.append(key, pieces(bytes.subarray(4_000)), null)).toBe(10_000);
  expect(Buffer.compare(await content(), bytes)).toBe(0);
});

test('what arrived before a stream broke stays, unless the piece has a digest', async () => {
  const digest = { algorithm: 'sha1', base64: 'of something else' } as const;
  await expect(store.append(key, broken(randomBytes(500)), null)).rejects.toThrow('the caller went away');
  expect(await store.size(key)).toBe(500);
  await expect(store.append(key, broken(randomBytes(500)), digest)).rejects.toThrow('the caller went away');
  await expect(store.append(key, pieces(randomBytes(500)), digest)).rejects.toThrow(DigestMismatch);
  expect(await store.size(key)).toBe(500);
});

test.each(['sha1', 'sha256', 'md5'] as const)('a piece with its own %s is kept', async (algorithm) => {
  const bytes = randomBytes(700);
  const base64 = createHash(algorithm).update(bytes).digest('base64');
  expect(await store.append(key, pieces(bytes), { algorithm, base64 })).toBe(700);
});

test('a file that no process writes to is swept, any other stays', async () => {
  const anHourAgo = new Date(Date.now() - HOUR_MS - MINUTE_MS);
  utimesSync(join(folder, key), anHourAgo, anHourAgo);
  await store.create(`${key}-fresh`);
  expect(await store.sweep(HOUR_MS)).toBe(1);
  expect([await store.size(key), await store.size(`${key}-fresh`)]).toEqual([null, 0]);
});

test('a file that is gone is unknown, and removing it again does nothing', async () => {
  await store.remove(key);
  await store.remove(key);
  expect([await store.size(key), await store.open(key)]).toEqual([null, null]);
});

test('a folder that cannot be read is not an empty file: no uploader is asked to start over', async () => {
  const away = join(folder, 'away');
  writeFileSync(away, '');
  const unreadable = makePartialStore(away);
  await expect(unreadable.size(key)).rejects.toBeInstanceOf(BlobStoreUnavailable);
  await expect(unreadable.open(key)).rejects.toBeInstanceOf(BlobStoreUnavailable);
});

test('what cannot be removed now is left to the sweep: the upload is over all the same', async () => {
  const away = join(folder, 'away-too');
  writeFileSync(away, '');
  await expect(makePartialStore(away).remove(key)).resolves.toBeUndefined();
});
