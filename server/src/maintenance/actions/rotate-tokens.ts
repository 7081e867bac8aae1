import { readToken, TokenUnreadable, writeToken } from '#accounts/actions/account-token';
import { type LinkedAccount, listOtherwiseSealed, sealAnew } from '#accounts/store/linked-accounts';
import type { AccountId, EndpointId, TenantId, UserId } from '#core/ids';
import type { EncryptionKey } from '#core/sealed-token';
import type { Database } from '#database/database';
import type { Keyring } from '#runtime/keyring';
import type { Runtime } from '#runtime/runtime';
import { providerClientOf, sealClientSecret } from '#users/actions/sso-secrets';
import { resealTotpSecret } from '#users/actions/totp-secret';
import { listTotpOtherwiseSealed, resealTotp } from '#users/store/credentials';
import { listOtherwiseSealedConnections, sealConnectionAnew } from '#users/store/sso-connections';
import { resealSecrets } from '#webhooks/actions/webhook-secrets';
import type { WebhookEndpoint } from '#webhooks/domain/webhook';
import { findEndpoint } from '#webhooks/store/webhook-endpoints';
import { listOtherwiseSealedEndpoints, sealSecretsAnew } from '#webhooks/store/webhook-secrets';

export interface Rotation {
  /** The key that encrypts from now on; null: this service has no key. */
  readonly keyId: string | null;
  /** Tokens of accounts, endpoints with their secrets, and secrets of authenticator apps and identity providers, that were encrypted again. */
  readonly rotated: number;
  /** Those whose key is not here: such accounts have to be linked again, such endpoints need a new secret, such apps are set up anew. */
  readonly unreadable: number;
}

type Outcome = 'rotated' | 'unreadable';

const BATCH = 100;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * Encrypts every token of an account and every secret of a webhook, an authenticator app or an identity provider under the first key; creates a new one first when we
 * generate the keys. Each changes separately, so that the command may be interrupted and repeated, and all of them can
 * be read in the meantime.
 */
export async function rotateTokens(rt: Runtime, db: Database, keyring: Keyring): Promise<Rotation> {
  keyring.renew();
  const key = keyring.current();
  if (key === null) return { keyId: null, rotated: 0, unreadable: 0 };
  const counts = { rotated: 0, unreadable: 0 };
  for await (const outcome of rotateAccounts(db, keyring, key)) counts[outcome] += 1;
  for await (const outcome of rotateEndpoints(rt, db, { keyring, key })) counts[outcome] += 1;
  for await (const outcome of rotateTotp(db, keyring, key)) counts[outcome] += 1;
  for await (const outcome of rotateConnections(db, keyring, key)) counts[outcome] += 1;
  rt.log.info({ keyId: key.id, ...counts }, 'tokens.rotated');
  return { keyId: key.id, ...counts };
}

async function* rotateAccounts(db: Database, keyring: Keyring, key: EncryptionKey): AsyncGenerator<Outcome> {
  let after = { tenantId: BEFORE_ALL as TenantId, accountId: BEFORE_ALL as AccountId };
  for (;;) {
    const accounts = await listOtherwiseSealed(db, key.id, { after, limit: BATCH });
    for (const account of accounts) yield await rotateOne(db, keyring, account);
    const last = accounts.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

async function rotateOne(db: Database, keyring: Keyring, account: LinkedAccount): Promise<Outcome> {
  try {
    const fresh = writeToken(keyring, account, readToken(keyring, account));
    if (account.token !== null) await sealAnew(db, account, { before: account.token, after: fresh });
    return 'rotated';
  } catch (error) {
    if (error instanceof TokenUnreadable) return 'unreadable';
    throw error;
  }
}

async function* rotateEndpoints(
  rt: Runtime,
  db: Database,
  { keyring, key }: { readonly keyring: Keyring; readonly key: EncryptionKey },
): AsyncGenerator<Outcome> {
  let after = { tenantId: BEFORE_ALL as TenantId, endpointId: BEFORE_ALL as EndpointId };
  for (;;) {
    const endpoints = await listOtherwiseSealedEndpoints(db, key.id, { after, limit: BATCH });
    for (const endpoint of endpoints) yield await rotateEndpoint(rt, db, { keyring, endpoint });
    const last = endpoints.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

async function* rotateConnections(db: Database, keyring: Keyring, key: EncryptionKey): AsyncGenerator<Outcome> {
  let after = BEFORE_ALL as TenantId;
  for (;;) {
    const connections = await listOtherwiseSealedConnections(db, key.id, { after, limit: BATCH });
    for (const connection of connections) {
      const client = providerClientOf(keyring, connection);
      if (client === null) yield 'unreadable';
      else {
        const { tenantId } = connection;
        await sealConnectionAnew(db, connection, sealClientSecret(keyring, tenantId, client.clientSecret));
        yield 'rotated';
      }
    }
    const last = connections.at(-1);
    if (last === undefined) return;
    after = last.tenantId;
  }
}

async function rotateEndpoint(
  rt: Runtime,
  db: Database,
  { keyring, endpoint }: { readonly keyring: Keyring; readonly endpoint: WebhookEndpoint },
): Promise<Outcome> {
  const { tenantId, endpointId } = endpoint;
  // A secret that was changed in the meantime is checked again: the one before it may still be under the old key.
  for (let now: WebhookEndpoint | null = endpoint; now !== null; now = await findEndpoint(db, tenantId, endpointId)) {
    const fresh = resealSecrets(keyring, now, rt.clock.now());
    if (fresh === null) return 'unreadable';
    if (await sealSecretsAnew(db, now, fresh)) break;
  }
  return 'rotated';
}

async function* rotateTotp(db: Database, keyring: Keyring, key: EncryptionKey): AsyncGenerator<Outcome> {
  let after = BEFORE_ALL as UserId;
  for (;;) {
    const people = await listTotpOtherwiseSealed(db, key.id, { after, limit: BATCH });
    for (const person of people) {
      const fresh = resealTotpSecret(keyring, person);
      if (fresh !== null && person.totpSealed !== null) await resealTotp(db, person.userId, person.totpSealed, fresh);
      yield fresh === null ? 'unreadable' : 'rotated';
    }
    const last = people.at(-1);
    if (last === undefined) return;
    after = last.userId;
  }
}
