import { randomBytes } from 'node:crypto';
import { ApiProblem } from '#core/errors';
import type { EndpointId, TenantId } from '#core/ids';
import { openToken, type SealedToken, sealToken } from '#core/sealed-token';
import type { Keyring } from '#runtime/keyring';
import type { WebhookEndpoint } from '#webhooks/domain/webhook';
import { makeWebhookSecret } from '#webhooks/domain/webhook-secret';
import type { SealedSecrets } from '#webhooks/store/webhook-secrets';

/** A secret that was just made, in clear and as it is stored. */
export interface MadeSecret {
  readonly secret: string;
  readonly sealed: SealedToken;
}

/** @throws ApiProblem secrets_unavailable when this service has no key to encrypt it with */
export function newSecret(keyring: Keyring, tenantId: TenantId, endpointId: EndpointId): MadeSecret {
  const key = keyring.current();
  if (key === null) throw new ApiProblem('secrets_unavailable');
  const secret = makeWebhookSecret(randomBytes);
  return { secret, sealed: sealToken(key, ownerOf(tenantId, endpointId), secret) };
}

/**
 * The secrets that sign now, the newest first: one, or two while they are rotated.
 * @returns null when the newest cannot be decrypted: its key is not here
 */
export function openSecrets(keyring: Keyring, endpoint: WebhookEndpoint, nowMs: number): readonly string[] | null {
  const { tenantId, endpointId, secret, oldSecret } = endpoint;
  const owner = ownerOf(tenantId, endpointId);
  const current = open(keyring, owner, secret);
  if (current === null) return null;
  const old = oldSecret === null || oldSecret.untilMs <= nowMs ? null : open(keyring, owner, oldSecret);
  return old === null ? [current] : [current, old];
}

/**
 * The secrets of an endpoint under the first key. One whose time is over is left out.
 * @returns null when one that still counts cannot be decrypted
 */
export function resealSecrets(
  keyring: Keyring,
  { tenantId, endpointId, secret, oldSecret }: WebhookEndpoint,
  nowMs: number,
): SealedSecrets | null {
  const owner = ownerOf(tenantId, endpointId);
  const key = keyring.current();
  const current = open(keyring, owner, secret);
  if (key === null || current === null) return null;
  const sealed = sealToken(key, owner, current);
  if (oldSecret === null || oldSecret.untilMs <= nowMs) return { secret: sealed, oldSecret: null };
  const old = open(keyring, owner, oldSecret);
  if (old === null) return null;
  return { secret: sealed, oldSecret: { ...sealToken(key, owner, old), untilMs: oldSecret.untilMs } };
}

function open(keyring: Keyring, owner: string, { sealed, keyId }: SealedToken): string | null {
  const key = keyring.find(keyId);
  return key === null ? null : openToken(key, owner, sealed);
}

/** Not that of a linked account: a row copied from one table to the other does not open there. */
function ownerOf(tenantId: TenantId, endpointId: EndpointId): string {
  return `webhook/${tenantId}/${endpointId}`;
}
