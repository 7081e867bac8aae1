import { ApiProblem } from '#core/errors';
import type { TenantId } from '#core/ids';
import { openToken, type SealedToken, sealToken } from '#core/sealed-token';
import type { Keyring } from '#runtime/keyring';
import type { ProviderClient, SsoConnection } from '#users/domain/sso';

/** @throws ApiProblem secrets_unavailable when this service has no key to encrypt it with */
export function sealClientSecret(keyring: Keyring, tenantId: TenantId, secret: string): SealedToken {
  const key = keyring.current();
  if (key === null) throw new ApiProblem('secrets_unavailable');
  return sealToken(key, ownerOf(tenantId), secret);
}

/** What the provider of a connection needs to know. @returns null when the secret cannot be decrypted: its key is not here */
export function providerClientOf(keyring: Keyring, connection: SsoConnection): ProviderClient | null {
  const { tenantId, issuer, clientId, secret, updatedMs } = connection;
  const key = keyring.find(secret.keyId);
  const clientSecret = key === null ? null : openToken(key, ownerOf(tenantId), secret.sealed);
  return clientSecret === null ? null : { tenantId, issuer, clientId, clientSecret, updatedMs };
}

/** Not that of a webhook or an account: a row copied from one table to another does not open there. */
function ownerOf(tenantId: TenantId): string {
  return `sso/${tenantId}`;
}
