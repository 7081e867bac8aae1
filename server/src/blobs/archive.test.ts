import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '#runtime/config';
import { type Archive, ArchiveUnavailable } from './archive.ts';
import { openArchive } from './open-archive.ts';
import { S3_KEY, startS3 } from './testing/s3-server.ts';

/** One suite for both kinds of locations: their users cannot distinguish them. */
interface World {
  readonly archive: Archive;
  close(): Promise<void>;
}

const folders: string[] = [];
function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-archive-'));
  folders.push(folder);
  return folder;
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

async function diskWorld(): Promise<World> {
  const archive = openArchive(readConfig({}), join(freshFolder(), 'made', 'when-needed'));
  return { archive, close: () => archive.close() };
}

async function s3World(): Promise<World> {
  const s3 = await startS3(freshFolder());
  const config = readConfig({
    MESSAGING_DATA_DIR: freshFolder(),
    MESSAGING_S3_ENDPOINT: s3.endpoint,
    MESSAGING_S3_ACCESS_KEY_ID: S3_KEY,
    MESSAGING_S3_SECRET_ACCESS_KEY: S3_KEY,
  });
  const archive = openArchive(config, `s3://${s3.bucket}/some & where/`);
  const close = async (): Promise<void> => {
    await archive.close();
    await s3.close();
  };
  return { archive, close };
}

const bytesOf = (...texts: readonly string[]) => Readable.from(texts.map((one) => Buffer.from(one)));

describe.each([
  ['a folder', diskWorld],
  ['a bucket', s3World],
])('%s', (_label, open) => {
  let world: World;
  beforeAll(async () => {
    world = await open();
  });
  afterAll(() => world.close());

  test('gives back what was written, and lists it', async () => {
    const { archive } = world;
    await archive.write('one/tables/a.gz', bytesOf('first ', 'and second'));
    await archive.write('one/manifest.json', bytesOf('{}'));
    await archive.write('two/manifest.json', bytesOf('{ }'));
    expect(await text((await archive.read('one/tables/a.gz')) ?? bytesOf())).toBe('first and second');
    expect(await archive.size('two/manifest.json')).toBe(3);
    expect((await archive.folders()).toSorted()).toEqual(['one', 'two']);
    expect((await archive.list('one')).toSorted()).toEqual(['manifest.json', 'tables/a.gz']);
  });

  test('says of what is not there that it is not there', async () => {
    const { archive } = world;
    expect([await archive.read('none/x'), await archive.size('none/x'), await archive.list('none')]).toEqual([
      null,
      null,
      [],
    ]);
    await archive.remove('none/x');
  });

  test('removes a file, and the folder with its last one', async () => {
    const { archive } = world;
    await archive.write('gone/deep/x', bytesOf('x'));
    await archive.remove('gone/deep/x');
    expect(await archive.size('gone/deep/x')).toBeNull();
    expect(await archive.folders()).not.toContain('gone');
  });

  test('has nothing under a name whose source failed, and what was there before stays', async () => {
    const { archive } = world;
    await archive.write('kept/x', bytesOf('old'));
    async function* failing(...pieces: readonly string[]): AsyncGenerator<Buffer> {
      for (const piece of pieces) yield Buffer.from(piece);
      throw new Error('The source failed.');
    }
    // Many at once, so that some fail before their files are open.
    const names = Array.from({ length: 32 }, (_, n) => (n === 0 ? 'kept/x' : `kept/y${n}`));
    const writes = names.flatMap((name) => [archive.write(name, failing('new')), archive.write(name, failing())]);
    for (const write of await Promise.allSettled(writes))
      expect(write).toMatchObject({ status: 'rejected', reason: { message: 'The source failed.' } });
    expect(await text((await archive.read('kept/x')) ?? bytesOf())).toBe('old');
    expect(await archive.list('kept')).toEqual(['x']);
  });

  test('takes more than fits into one piece', async () => {
    const { archive } = world;
    const piece = Buffer.alloc(1024 * 1024, 'a');
    await archive.write('large/x', Readable.from(Array.from({ length: 20 }, () => piece)));
    expect((await buffer((await archive.read('large/x')) ?? bytesOf())).length).toBe(20 * piece.length);
  });

  test.each(['../x', '/x', 'a/../x', 'a//x', '', '.x', 'a/.x'])('takes no name like "%s"', async (name) => {
    await expect(world.archive.write(name, bytesOf('x'))).rejects.toThrow('is not the name of a file');
  });
});

test('files of a folder are for this user alone', async () => {
  const folder = join(freshFolder(), 'backups');
  const archive = openArchive(readConfig({}), folder);
  await archive.write('one/x', bytesOf('x'));
  const modes = ['', 'one', 'one/x'].map((name) => statSync(join(folder, name)).mode & 0o777);
  expect(modes).toEqual([0o700, 0o700, 0o600]);
  expect(readdirSync(join(folder, 'one'))).toEqual(['x']);
});

test('a folder that cannot be used is named with the reason', async () => {
  const file = join(freshFolder(), 'file');
  writeFileSync(file, '');
  const archive = openArchive(readConfig({}), file);
  const refused = await archive.write('one/x', bytesOf('x')).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ArchiveUnavailable);
  expect((refused as Error).message).toContain(`${file} cannot be used: `);
});

test('a bucket that refuses is named with the reason', async () => {
  const s3 = await startS3(freshFolder());
  const config = { ...readConfig({}), dataDir: freshFolder(), s3Endpoint: s3.endpoint, s3SecretAccessKey: 'x' };
  const archive = openArchive({ ...config, s3AccessKeyId: 'nobody' }, `s3://${s3.bucket}/x`);
  await expect(archive.folders()).rejects.toThrow(
    /s3:\/\/media-test\/x\/ cannot be used: The bucket answered GET with 403/,
  );
  await archive.close();
  await s3.close();
});

test('a bucket is listed page by page, and a folder stands for all that is in it', async () => {
  const names = ['a/1', 'a/2', 'a/3', 'b&c/1', 'd', 'e/1'];
  const asked: (string | null)[] = [];
  const server = createServer((request, response) => {
    const query = new URL(request.url ?? '', 'http://x').searchParams;
    const after = query.get('start-after') ?? '';
    asked.push(query.get('start-after'));
    response.end(
      pageOf(
        names.filter((name) => name > after),
        query.get('delimiter') === '/',
        2,
      ),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const config = { ...readConfig({}), dataDir: freshFolder(), s3Endpoint: `http://127.0.0.1:${port}` };
  const archive = openArchive({ ...config, s3AccessKeyId: 'x', s3SecretAccessKey: 'x' }, 's3://some-bucket');
  expect(await archive.folders()).toEqual(['a', 'b&c', 'e']);
  expect(asked).toEqual([null, 'b&c/\u{10ffff}']);
  await archive.close();
  server.close();
});

/** A page of at most `size` names and folders, in the form of ListObjectsV2. */
function pageOf(names: readonly string[], isDelimited: boolean, size: number): string {
  const items = [...new Set(names.map((name) => (isDelimited ? name.replace(/\/.*/, '/') : name)))];
  const texts = items.slice(0, size).map((item) => {
    const text = item.replace('&', '&amp;');
    return item.endsWith('/')
      ? `<CommonPrefixes><Prefix>${text}</Prefix></CommonPrefixes>`
      : `<Contents><Key>${text}</Key><Size>1</Size></Contents>`;
  });
  return `<ListBucketResult><IsTruncated>${items.length > size}</IsTruncated>${texts.join('')}</ListBucketResult>`;
}

test.each([
  ['ftp://somewhere/x', 'neither a folder nor like s3://bucket/prefix'],
  ['s3://', 'neither a folder nor like s3://bucket/prefix'],
  ['s3://bucket/x', 'needs MESSAGING_S3_ENDPOINT'],
])('%s is refused with a sentence', (location, sentence) => {
  expect(() => openArchive(readConfig({}), location)).toThrow(ConfigError);
  expect(() => openArchive(readConfig({}), location)).toThrow(sentence);
});
