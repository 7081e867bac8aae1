import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runWith } from '#cli/testing/fake-context';
import { ConfigError, readConfig, settings, unknownSettings } from './config.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'postrider-secrets-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fileWith(text: string): string {
  const file = join(folder, `secret-${text.length}`);
  writeFileSync(file, text);
  return file;
}

const secrets = Object.entries(settings).filter(([, { secret }]) => secret === true);

test.each(secrets)('%s can be read from a file, without the end of its line', (name, { key }) => {
  const value = name === 'smtpUrl' ? 'smtp://mail.example.com' : 'a secret with = and spaces ';
  const config = readConfig({ [`${key}_FILE`]: fileWith(`${value}\n`) });
  expect(config[name as keyof typeof config]).toBe(value);
  expect(unknownSettings({ [`${key}_FILE`]: 'x' })).toEqual([]);
});

test.each([
  [
    'both are set',
    () => ({ DATABASE_URL: 'postgres://x', DATABASE_URL_FILE: fileWith('y') }),
    /DATABASE_URL and DATABASE_URL_FILE are both set/,
  ],
  [
    'the file is not there',
    () => ({ MESSAGING_APP_SECRET_FILE: '/nowhere/secret' }),
    /^MESSAGING_APP_SECRET_FILE: \/nowhere\/secret is not there\.$/,
  ],
  ['it is a folder', () => ({ MESSAGING_APP_SECRET_FILE: folder }), /is a folder\.$/],
  ['the file is empty', () => ({ MESSAGING_APP_SECRET_FILE: fileWith('\n') }), /is empty\.$/],
])('nothing starts when %s, and a sentence says so', (_label, environment, sentence) => {
  expect(() => readConfig(environment())).toThrow(sentence);
  expect(() => readConfig(environment())).toThrow(ConfigError);
});

test('what a file holds is never shown, also when it cannot be used', async () => {
  const env = { MESSAGING_SMTP_URL_FILE: fileWith('ftp://user:hunter2@mail') };
  expect(() => readConfig(env)).toThrow(/^MESSAGING_SMTP_URL: (?!.*hunter2)/);
  const { stdout, stderr } = await runWith(
    { env: { DATABASE_URL_FILE: fileWith('postgres://u:hunter2@db/x') } },
    'config',
  );
  expect(stdout).toContain('DATABASE_URL=(set)');
  expect(stdout + stderr).not.toContain('hunter2');
});

test('only secrets have a file: a typing mistake in another setting is reported', () => {
  expect(unknownSettings({ MESSAGING_ROLES_FILE: 'x' })).toEqual(['MESSAGING_ROLES_FILE']);
});
