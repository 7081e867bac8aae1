import { createECDH } from 'node:crypto';
import { settingOnce } from '#access/store/tenants';
import type { Database } from '#database/database';

const KEY_BYTES = 32;

/** The pair of keys that pushes are signed with (VAPID, RFC 8292), in base64url. */
export interface PushKey {
  /** 65 bytes. Browsers bind their subscriptions to it. */
  readonly publicKey: string;
  readonly privateKey: string;
}

/**
 * The key of this installation, made at the first start and shared by all of its processes. It is never exchanged: every
 * subscription would end with it.
 */
export async function installationPushKey(db: Pick<Database, 'kysely'>): Promise<PushKey> {
  return JSON.parse(await settingOnce(db, 'push_key', JSON.stringify(newKey()))) as PushKey;
}

function newKey(): PushKey {
  const pair = createECDH('prime256v1');
  const publicKey = pair.generateKeys('base64url');
  // Without its leading zeros, about one of 256 would be too short.
  const secret = pair.getPrivateKey();
  const privateKey = Buffer.concat([Buffer.alloc(KEY_BYTES - secret.length), secret]).toString('base64url');
  return { publicKey, privateKey };
}
