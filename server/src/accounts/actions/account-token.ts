import { findLinkedAccount, type LinkedAccount } from '#accounts/store/linked-accounts';
import { findPhoneNumber } from '#accounts/store/phone-numbers';
import type { AccountId, TenantId } from '#core/ids';
import { openToken, type SealedToken, sealToken } from '#core/sealed-token';
import type { Database } from '#database/database';
import type { Keyring } from '#runtime/keyring';
import type { Runtime } from '#runtime/runtime';
import { TtlCache } from '#runtime/ttl-cache';

/** The token of a linked account cannot be used; a person must act. The message says why and holds no secret. */
export class TokenUnreadable extends Error {
  override name = 'TokenUnreadable';
}

/** Which access token a call for a number carries. Null: that of the settings, for numbers of the operator. */
export interface TokenProvider {
  /**
   * Without a promise when it is remembered: the hot path. A token never changes under its account: linking again
   * makes another one.
   * @throws TokenUnreadable, as a rejection
   */
  ofAccount(tenantId: TenantId, accountId: AccountId | null): string | null | Promise<string | null>;
  /** Finds the token of a number. @throws TokenUnreadable */
  ofNumber(tenantId: TenantId, phoneNumberId: string): Promise<NumberAccess>;
}

export interface NumberAccess {
  readonly token: string | null;
  /** Whose token it is. */
  readonly accountId: AccountId | null;
}

/** A token that was replaced is refused by the network anyway; this only bounds how long it lies in memory. */
const REMEMBER_MS = 10 * 60_000;
const MAX_ACCOUNTS = 20_000;

export function makeTokenProvider(rt: Runtime, db: Database, keyring: Keyring): TokenProvider {
  const remembered = new TtlCache<string>({
    clock: rt.clock,
    maxAgeMs: REMEMBER_MS,
    maxEntries: MAX_ACCOUNTS,
    read: async (key) => {
      const [tenantId = '', accountId = ''] = key.split('/');
      const account = await findLinkedAccount(db, tenantId as TenantId, accountId);
      if (account === null) throw new TokenUnreadable('The linked account of the number was deleted. Link it again.');
      return readToken(keyring, account);
    },
  });
  const ofAccount: TokenProvider['ofAccount'] = (tenantId, accountId) =>
    accountId === null ? null : remembered.of(`${tenantId}/${accountId}`);
  return {
    ofAccount,
    ofNumber: async (tenantId, phoneNumberId) => {
      const number = await findPhoneNumber(db, tenantId, phoneNumberId);
      const accountId = number?.accountId ?? null;
      return { token: await ofAccount(tenantId, accountId), accountId };
    },
  };
}

/** @throws TokenUnreadable when there is none, or its key is not here */
export function readToken(keyring: Keyring, account: LinkedAccount): string {
  const { token } = account;
  if (token === null) throw new TokenUnreadable('The linked account no longer has an access token. Link it again.');
  const key = keyring.find(token.keyId);
  const opened = key === null ? null : openToken(key, ownerOf(account), token.sealed);
  if (opened !== null) return opened;
  const why = key === null ? `this service does not have the key ${token.keyId}` : 'it was changed';
  throw new TokenUnreadable(`The access token of the linked account cannot be decrypted: ${why}.`);
}

/** @throws TokenUnreadable when this service has no key: then it must not take tokens at all */
export function writeToken(
  keyring: Keyring,
  account: Pick<LinkedAccount, 'tenantId' | 'accountId'>,
  token: string,
): SealedToken {
  const key = keyring.current();
  if (key === null) throw new TokenUnreadable('This service does not have a key to encrypt access tokens.');
  return sealToken(key, ownerOf(account), token);
}

function ownerOf({ tenantId, accountId }: Pick<LinkedAccount, 'tenantId' | 'accountId'>): string {
  return `${tenantId}/${accountId}`;
}
