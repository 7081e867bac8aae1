import type { AccountId, TenantId } from '#core/ids';
import type { Keyring } from '#runtime/keyring';
import type { Runtime } from '#runtime/runtime';
import type { Database } from '#storage/database';
import { type LinkedAccount, listOtherwiseSealed, sealAnew } from '#storage/linked-accounts';
import { readToken, TokenUnreadable, writeToken } from './account-token.ts';

export interface Rotation {
  /** The key that encrypts from now on; null: this service has none. */
  readonly keyId: string | null;
  /** Tokens that were encrypted anew. */
  readonly rotated: number;
  /** Tokens whose key is not here: their accounts have to be linked again. */
  readonly unreadable: number;
}

const BATCH = 100;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * Encrypts every token under the first key; makes a new one first when the keys are ours to make. Each token changes by
 * itself, so that the command may be broken off and repeated, and all of them can be read meanwhile.
 */
export async function rotateTokens(rt: Runtime, db: Database, keyring: Keyring): Promise<Rotation> {
  keyring.renew();
  const key = keyring.current();
  const counts = { rotated: 0, unreadable: 0 };
  if (key === null) return { keyId: null, ...counts };
  let after = { tenantId: BEFORE_ALL as TenantId, accountId: BEFORE_ALL as AccountId };
  for (;;) {
    const accounts = await listOtherwiseSealed(db, key.id, { after, limit: BATCH });
    for (const account of accounts) counts[await rotateOne(db, keyring, account)] += 1;
    const last = accounts.at(-1);
    if (last === undefined) break;
    after = last;
  }
  rt.log.info({ keyId: key.id, ...counts }, 'tokens.rotated');
  return { keyId: key.id, ...counts };
}

async function rotateOne(db: Database, keyring: Keyring, account: LinkedAccount): Promise<'rotated' | 'unreadable'> {
  try {
    const fresh = writeToken(keyring, account, readToken(keyring, account));
    if (account.token !== null) await sealAnew(db, account, { before: account.token, after: fresh });
    return 'rotated';
  } catch (error) {
    if (error instanceof TokenUnreadable) return 'unreadable';
    throw error;
  }
}
