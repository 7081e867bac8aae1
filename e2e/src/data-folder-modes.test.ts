import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fillDataFolder } from './data-folder.ts';
import { slice } from './depth.ts';
import { run } from './postrider-process.ts';
import { KEY, ProgramFolder, type Serving } from './program-folder.ts';

/* No other user of the machine may read or write what the service stores, whatever mask it was started with. */
const MESSAGES = 300;
const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };

let folder: ProgramFolder;
let maskBefore: number;
beforeEach(() => {
  folder = new ProgramFolder();
  // Programs inherit it.
  maskBefore = process.umask(0);
});
afterEach(async () => {
  process.umask(maskBefore);
  await folder.close();
});

function pathsIn(path: string): readonly string[] {
  const within = lstatSync(path).isDirectory() ? readdirSync(path).flatMap((name) => pathsIn(join(path, name))) : [];
  return [path, ...within];
}

function openToOthers(): readonly string[] {
  return pathsIn(folder.data).filter((path) => (lstatSync(path).mode & 0o077) !== 0);
}

async function work({ url }: Serving): Promise<void> {
  const send = (index: number) =>
    fetch(`${url}/v1/messages`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ to: `4477009${String(index).padStart(5, '0')}`, body: 'x'.repeat(4_000) }),
    });
  const sent = await Promise.all(Array.from({ length: MESSAGES }, (_, index) => send(index)));
  expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([202]));
  const form = new FormData();
  form.append('file', new Blob(['a text'], { type: 'text/plain' }), 'note.txt');
  const { authorization } = headers;
  const kept = await fetch(`${url}/v1/media`, { method: 'POST', headers: { authorization }, body: form });
  expect(kept.status).toBe(200);
  const tus = { authorization, 'tus-resumable': '1.0.0', 'upload-length': '10' };
  expect((await fetch(`${url}/v1/media/resumable`, { method: 'POST', headers: tus })).status).toBe(201);
}

async function stop(server: Serving): Promise<void> {
  server.child.kill('SIGTERM');
  expect((await server.finished).exitCode).toBe(0);
}

test('after a first start, under load, after a stop and after another start nothing is open to others', async () => {
  const first = await folder.serve();
  expect(openToOthers()).toEqual([]);
  await work(first);
  expect(openToOthers()).toEqual([]);
  await stop(first);
  expect(openToOthers()).toEqual([]);
  const second = await folder.serve();
  await work(second);
  expect(openToOthers()).toEqual([]);
  await stop(second);
});

const USES: readonly (readonly [string, () => Promise<void>])[] = [
  ['an operator command', async () => expect((await run(['tenants', 'list'], folder.settings)).exitCode).toBe(0)],
  ['the service', async () => stop(await folder.serve())],
  ['the migration', async () => expect((await run(['migrate'], folder.settings)).exitCode).toBe(0)],
];

test.each(slice(USES))('%s closes a folder that an older version left open', async (_label, use) => {
  fillDataFolder(folder.data);
  for (const path of pathsIn(folder.data)) chmodSync(path, lstatSync(path).isDirectory() ? 0o777 : 0o666);
  expect((await run(['doctor'], folder.settings)).stdout).toMatch(/FAIL +data folder .* open to other users/);
  for (const path of pathsIn(folder.data)) chmodSync(path, lstatSync(path).isDirectory() ? 0o777 : 0o666);
  await use();
  expect(openToOthers()).toEqual([]);
});
