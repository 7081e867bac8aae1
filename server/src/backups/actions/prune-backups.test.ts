import { expect, test } from 'vitest';
import { MANIFEST, type Manifest, mediaName } from '#backups/domain/manifest';
import { RowDigest } from '#backups/domain/row-digest';
import { type MemoryArchive, memoryArchive } from '#backups/testing/memory-archive';
import { listBackupIds } from './find-backup.ts';
import { pruneBackups } from './prune-backups.ts';
import { writeTable } from './row-files.ts';

const SHA = 'ab'.repeat(32);
const blobOf = (name: string) => `0190a6f2-8c1e-7d54-9b3a-${name.padStart(12, '0')}`;
const fileOf = (name: string) => mediaName(`${SHA}.${blobOf(name)}`);
const idAt = (day: number) => `202611${day}T020000Z-0000${day}`;
const nowMs = Date.parse('2026-11-14T03:00:00Z');

/** A backup with these files of media. */
async function put(archive: MemoryArchive, id: string, media: readonly string[]): Promise<void> {
  async function* portions() {
    yield media.map((name) => JSON.stringify([blobOf(name), SHA, '5']));
  }
  const blobs = { table: 'media_blobs', columns: ['blob_id', 'sha256', 'size'], portions: portions() };
  const tables = { media_blobs: await writeTable(archive, id, blobs) };
  const manifest: Partial<Manifest> & object = {
    format: 1,
    id,
    tables,
    media: { store: 'disk', copied: true, location: null, files: media.length, bytes: 0, missing: [] },
  };
  archive.files.set(`${id}/${MANIFEST}`, Buffer.from(JSON.stringify(manifest)));
  for (const name of media) archive.files.set(fileOf(name), Buffer.from('bytes'));
}

async function threeBackups(): Promise<MemoryArchive> {
  const archive = memoryArchive();
  await put(archive, idAt(11), ['a', 'b']);
  await put(archive, idAt(12), ['b', 'c']);
  await put(archive, idAt(13), ['c', 'd']);
  return archive;
}

const mediaOf = ({ files }: MemoryArchive) => [...files.keys()].filter((name) => name.startsWith('media/')).toSorted();

test('the newest backups stay, and the media that they need', async () => {
  const archive = await threeBackups();
  expect(await pruneBackups(archive, { keep: 2, nowMs })).toEqual({
    kept: [idAt(12), idAt(13)],
    removed: [idAt(11)],
    media: 1,
    unfinished: null,
  });
  expect(await listBackupIds(archive)).toEqual([idAt(12), idAt(13)]);
  expect(mediaOf(archive)).toEqual(['b', 'c', 'd'].map(fileOf));
});

test('fewer than are to be kept all stay', async () => {
  const archive = await threeBackups();
  expect(await pruneBackups(archive, { keep: 5, nowMs })).toMatchObject({ removed: [], media: 0 });
});

test('one that was killed goes and counts for nothing', async () => {
  const archive = await threeBackups();
  archive.files.set(`${idAt(12)}/begun.json`, Buffer.from('{}'));
  archive.files.delete(`${idAt(12)}/${MANIFEST}`);
  expect(await pruneBackups(archive, { keep: 2, nowMs })).toMatchObject({
    kept: [idAt(11), idAt(13)],
    removed: [idAt(12)],
  });
  expect(mediaOf(archive)).toEqual(['a', 'b', 'c', 'd'].map(fileOf));
});

test('while one is being made, it stays and so does all media, which it may need', async () => {
  const archive = await threeBackups();
  archive.files.set(`${idAt(14)}/begun.json`, Buffer.from('{}'));
  expect(await pruneBackups(archive, { keep: 1, nowMs })).toEqual({
    kept: [idAt(13)],
    removed: [idAt(11), idAt(12)],
    media: 0,
    unfinished: idAt(14),
  });
  expect(mediaOf(archive)).toHaveLength(4);
});

test('a digest is equal for the same lines in another order, and no other lines', () => {
  const digestOf = (...lines: readonly string[]) => {
    const digest = new RowDigest();
    for (const line of lines) digest.add(line);
    return digest.hex;
  };
  expect(digestOf('a', 'b')).toBe(digestOf('b', 'a'));
  const others = [digestOf('a'), digestOf('a', 'a', 'b'), digestOf('ab'), digestOf('a', 'a'), digestOf()];
  expect(new Set([...others, digestOf('a', 'b')]).size).toBe(6);
});
