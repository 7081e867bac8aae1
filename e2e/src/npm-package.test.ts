import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort, type Program, root, startProgram } from './postrider-process.ts';

/* `postrider` as somebody without the repository has it: packed, installed into an empty folder and started from there. */
let folder: string;
let started: Program | undefined;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'postrider-package-'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'app', private: true }));
  execFileSync(process.execPath, [join(root, 'scripts', 'package.mjs'), folder], { stdio: 'pipe' });
  const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz')) ?? '';
  const options = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  execFileSync('npm', ['install', join(folder, tarball), ...options], { cwd: folder, stdio: 'pipe' });
});
afterAll(async () => {
  started?.child.kill('SIGKILL');
  await started?.finished;
  rmSync(folder, { recursive: true, force: true });
});

const installed = () => join(folder, 'node_modules', 'postrider');

test('holds neither tests nor source maps nor sources of the service', () => {
  const files = readdirSync(installed(), { recursive: true, encoding: 'utf8' });
  expect(files).toContain('LICENSE');
  expect(files.filter((file) => /\.test\.|\/testing\/|\.map$|server\/src\//.test(file))).toEqual([]);
});

test('"postrider start" sends a message, serves the console and stops on Ctrl-C', async () => {
  const program = join(folder, 'node_modules', '.bin', 'postrider');
  const { version } = JSON.parse(readFileSync(join(root, 'server', 'package.json'), 'utf8')) as { version: string };
  expect(execFileSync(process.execPath, [program, '--version'], { encoding: 'utf8' })).toBe(`${version}\n`);
  started = startProgram(program, ['start'], {
    PORT: String(await freePort()),
    MESSAGING_SIMULATOR_PORT: String(await freePort()),
    MESSAGING_DATA_DIR: join(folder, 'data'),
  });
  const [, base = '', key = ''] = await started.printed(/^export BASE=(\S+) SIM=\S+ KEY=(\S+)$/m);
  await started.printed(/Ctrl-C stops/);
  const sent = await fetch(`${base}/v1/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', prefer: 'wait=30' },
    body: JSON.stringify({ to: '99900000001', body: 'Hi' }),
  });
  expect(await sent.json()).toMatchObject({ status: 'sent' });
  const page = await (await fetch(base, { headers: { accept: 'text/html' } })).text();
  const [script = ''] = /\/[\w./-]+\.js/.exec(page) ?? [];
  expect((await fetch(base + script)).status).toBe(200);
  started.child.kill('SIGINT');
  expect((await started.finished).exitCode).toBe(0);
});
