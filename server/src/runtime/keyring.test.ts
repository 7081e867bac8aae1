import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { openKeyring } from './keyring.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'postrider-keys-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const configOf = (environment: Readonly<Record<string, string>> = {}) =>
  readConfig({ MESSAGING_DATA_DIR: dataDir, ...environment });
const newKey = () => randomBytes(32).toString('base64');

test('without the setting a key is made once, for its owner alone', () => {
  const first = openKeyring(configOf()).current();
  expect(openKeyring(configOf()).current()?.bytes).toEqual(first?.bytes);
  expect(readdirSync(dataDir)).toEqual(['encryption.key']);
  expect(statSync(join(dataDir, 'encryption.key')).mode & 0o777).toBe(0o600);
});

test('a renewed key is the current one, also for holders of an older keyring, and the old one is still found', () => {
  const [opened, other] = [openKeyring(configOf()), openKeyring(configOf())];
  const old = opened.current();
  expect(other.renew()).toBe(true);
  expect(opened.current()?.id).toBe(other.current()?.id);
  expect(opened.current()?.id).not.toBe(old?.id);
  expect(opened.find(old?.id ?? '')?.bytes).toEqual(old?.bytes);
  expect(opened.find('unknown')).toBeNull();
  expect(statSync(join(dataDir, 'encryption.key')).mode & 0o777).toBe(0o600);
});

test('of the keys in the setting the first encrypts and all are found, and no file is made', () => {
  const [first, second] = [newKey(), newKey()];
  const keyring = openKeyring(configOf({ MESSAGING_ENCRYPTION_KEY: `${first}, ${second}` }));
  const alone = openKeyring(configOf({ MESSAGING_ENCRYPTION_KEY: second })).current();
  expect(keyring.current()?.bytes.toString('base64')).toBe(first);
  expect(keyring.find(alone?.id ?? '')?.bytes.toString('base64')).toBe(second);
  expect(keyring.renew()).toBe(false);
  expect(readdirSync(dataDir)).toEqual([]);
});

test.each(['short', Buffer.alloc(16).toString('base64'), `${newKey()},`])('a setting of %s is refused', (setting) => {
  expect(() => openKeyring(configOf({ MESSAGING_ENCRYPTION_KEY: setting }))).toThrow('32 bytes in base64');
});

test('PostgreSQL with a real network generates no key; with the simulator it does', () => {
  const settings = { DATABASE_URL: 'postgres://127.0.0.1/x' };
  const real = openKeyring(configOf({ ...settings, MESSAGING_NETWORK_URL: 'https://graph.facebook.com' }));
  expect([real.current(), real.renew()]).toEqual([null, false]);
  expect(openKeyring(configOf(settings)).current()).not.toBeNull();
});
