import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Upload } from 'tus-js-client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fillDataFolder } from './data-folder.ts';
import { freePort, type Program, postrider, startProgram } from './postrider-process.ts';

/*
 * An upload by a real tus client to the built service, which is killed (SIGKILL) in the middle of a piece and started
 * again on the same folder and port. The client is not informed; it finds out by its broken connection.
 */
const KEY = 'key-of-the-first-tenant';
const SIZE = 24 * 1024 * 1024;
/** Pauses between tries of the client: together longer than any start of the service. */
const RETRY_DELAYS_MS = Array.from({ length: 960 }, () => 250);

let folder: string;
let port: number;
let service: Program;

async function start(): Promise<void> {
  service = startProgram(postrider, ['serve'], {
    PORT: String(port),
    MESSAGING_DATA_DIR: join(folder, 'data'),
    MESSAGING_NETWORK_URL: 'http://127.0.0.1:9',
    MESSAGING_BOOTSTRAP_API_KEY: KEY,
    LOG_LEVEL: 'error',
  });
  await service.printed(/listening on (\S+)/);
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postrider-tus-'));
  fillDataFolder(join(folder, 'data'));
  port = await freePort();
  await start();
});
afterEach(async () => {
  service.child.kill('SIGKILL');
  await service.finished;
  rmSync(folder, { recursive: true, force: true });
});

async function killAndStart(): Promise<void> {
  service.child.kill('SIGKILL');
  await service.finished;
  await start();
}

test('P12: an upload survives that the service is killed in the middle of it', async () => {
  const bytes = randomBytes(SIZE);
  let restarted: Promise<void> | null = null;
  const url = await new Promise<string>((resolve, reject) => {
    const upload = new Upload(bytes as unknown as Blob, {
      endpoint: `http://127.0.0.1:${port}/v1/media/resumable`,
      headers: { authorization: `Bearer ${KEY}` },
      metadata: { filename: 'film.bin' },
      chunkSize: 3_000_000,
      retryDelays: RETRY_DELAYS_MS,
      // What the client has written so far: somewhere inside a piece.
      onProgress: (sent) => {
        if (sent > SIZE / 2) restarted ??= killAndStart();
      },
      onError: reject,
      onSuccess: () => resolve(upload.url ?? ''),
    });
    upload.start();
  });
  expect(restarted).not.toBeNull();
  await restarted;
  const headers = { authorization: `Bearer ${KEY}` };
  // biome-ignore lint/suspicious/noExplicitAny: the test looks into answers of several shapes
  const read = async (address: string): Promise<any> => (await fetch(address, { headers })).json();
  const { media_id: mediaId, offset } = await read(url);
  const media = await read(`http://127.0.0.1:${port}/v1/media/${mediaId}`);
  expect([offset, media.size, media.sha256]).toEqual([SIZE, SIZE, createHash('sha256').update(bytes).digest('hex')]);
});
