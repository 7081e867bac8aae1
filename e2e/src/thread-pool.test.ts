import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { postrider } from './postrider-process.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'postrider-threads-'));
  // Loaded the way that makes no thread pool; at the end all threads are there, because the program read files.
  const count = `process.on('exit', () => console.error('threads', require('fs').readdirSync('/proc/self/task').length));`;
  writeFileSync(join(folder, 'count.cjs'), count);
});
afterAll(() => rmSync(folder, { recursive: true }));

async function threads(settings: Readonly<Record<string, string>>): Promise<number> {
  const args = ['--require', join(folder, 'count.cjs'), postrider, 'config'];
  const { stderr } = await promisify(execFile)(process.execPath, args, { env: { ...settings } });
  return Number(/threads (\d+)/.exec(stderr)?.[1]);
}

test('the program has 16 threads for files and names, unless UV_THREADPOOL_SIZE says otherwise', async () => {
  const four = await threads({ UV_THREADPOOL_SIZE: '4' });
  expect(await threads({})).toBe(four + 12);
});
