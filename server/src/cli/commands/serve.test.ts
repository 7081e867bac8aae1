import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runWith } from '#cli/testing/fake-context';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'postrider-serve-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  [
    'a real network and the default secrets',
    { MESSAGING_NETWORK_URL: 'https://graph.example' },
    'MESSAGING_APP_SECRET',
  ],
  [
    'a bootstrap key that anybody guesses',
    { MESSAGING_BOOTSTRAP_API_KEY: 'a'.repeat(20) },
    'MESSAGING_BOOTSTRAP_API_KEY',
  ],
  ['a demo on every address', { MESSAGING_DEMO: 'on', HOST: '0.0.0.0' }, 'MESSAGING_DEMO_PUBLIC'],
])('with %s nothing starts and nothing is created', async (_label, settings, name) => {
  const dataDir = join(folder, 'data');
  const env = { MESSAGING_DATA_DIR: dataDir, LOG_LEVEL: 'silent', PORT: '0', ...settings };
  const { exitCode, stderr } = await runWith({ env }, 'serve');
  expect(exitCode).toBe(2);
  expect(stderr).toContain(name);
  expect(existsSync(dataDir)).toBe(false);
});

test('the doctor fails where the service would refuse to start', async () => {
  const env = { MESSAGING_DATA_DIR: join(folder, 'data'), MESSAGING_NETWORK_URL: 'https://graph.example' };
  const { exitCode, stdout } = await runWith({ env }, 'doctor');
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/FAIL +secrets +MESSAGING_APP_SECRET .*MESSAGING_VERIFY_TOKEN .*MESSAGING_NETWORK_TOKEN /);
});
