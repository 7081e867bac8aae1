import { createHash, randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EncryptionKey } from '#core/sealed-token';
import { type Config, ConfigError } from './config.ts';
import { openPrivateFolder } from './private-folder.ts';
import { networkIsSimulated } from './simulated.ts';

/** The keys that access tokens are encrypted with. */
export interface Keyring {
  /** The key for new tokens; null when this service has none and must store no token. */
  current(): EncryptionKey | null;
  find(keyId: string): EncryptionKey | null;
  /**
   * Puts a new key in front when we generate the keys. @returns false when they come from the settings, or there are
   * none
   */
  renew(): boolean;
}

const KEY_BYTES = 32;
const ID_CHARACTERS = 12;
/** In the data folder, for its owner alone; in the form of the setting. */
const KEY_FILE = 'encryption.key';

/**
 * The keys of MESSAGING_ENCRYPTION_KEY, the first of which encrypts. Without the setting a key is made in the data
 * folder, where only one process reads it: on the embedded database, or while the network is the simulator.
 * @throws ConfigError when the setting holds something else than keys
 */
export function openKeyring(config: Config): Keyring {
  if (config.encryptionKey !== '') return fixedKeys(keysOf(config.encryptionKey));
  if (config.databaseUrl !== '' && !networkIsSimulated(config)) return fixedKeys([]);
  return ownKeys(config.dataDir);
}

/** The keys that there are, without making one. @throws ConfigError as `openKeyring` */
export function readKeys(config: Pick<Config, 'encryptionKey' | 'dataDir'>): readonly EncryptionKey[] {
  if (config.encryptionKey !== '') return keysOf(config.encryptionKey);
  const path = join(config.dataDir, KEY_FILE);
  return existsSync(path) ? keysOf(readFileSync(path, 'utf8')) : [];
}

function fixedKeys(keys: readonly EncryptionKey[]): Keyring {
  return {
    current: () => keys[0] ?? null,
    find: (keyId) => keys.find((key) => key.id === keyId) ?? null,
    renew: () => false,
  };
}

function ownKeys(folder: string): Keyring {
  const path = join(folder, KEY_FILE);
  const read = () => keysOf(readFileSync(path, 'utf8'));
  openPrivateFolder(folder);
  makeOnce(path, newKey());
  let keys = read();
  return {
    // Read again: a command may have put a new key in front since, and linking is rare.
    current: () => {
      keys = read();
      return keys[0] ?? null;
    },
    find: (keyId) => {
      if (!keys.some((key) => key.id === keyId)) keys = read();
      return keys.find((key) => key.id === keyId) ?? null;
    },
    renew: () => {
      writeFileSync(`${path}.new`, `${newKey()},${readFileSync(path, 'utf8')}`, { mode: 0o600 });
      renameSync(`${path}.new`, path);
      return true;
    },
  };
}

function keysOf(setting: string): readonly EncryptionKey[] {
  return setting.split(',').map((text) => {
    const bytes = Buffer.from(text.trim(), 'base64');
    if (bytes.length === KEY_BYTES) return toKey(bytes);
    throw new ConfigError('MESSAGING_ENCRYPTION_KEY: each key must be 32 bytes in base64 (openssl rand -base64 32).');
  });
}

function newKey(): string {
  return randomBytes(KEY_BYTES).toString('base64');
}

/** The file appears whole or not at all, whenever the process is killed; of two that start together one makes it. */
function makeOnce(path: string, text: string): void {
  const own = `${path}.${process.pid}`;
  writeFileSync(own, `${text}\n`, { mode: 0o600 });
  try {
    linkSync(own, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

function toKey(bytes: Buffer): EncryptionKey {
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, ID_CHARACTERS), bytes };
}
