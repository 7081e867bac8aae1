import { randomBytes } from 'node:crypto';
import { OPERATOR } from '#access/domain/audit';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import type { Config } from '#runtime/config';
import type { Keyring } from '#runtime/keyring';
import { createEndpoint, type EndpointFields } from '#webhooks/actions/manage-endpoints';
import type { WebhookEndpoint } from '#webhooks/domain/webhook';
import { testRuntime } from './test-runtime.ts';

const key = { id: 'k', bytes: randomBytes(32) };
/** One key, which seals the secrets of all endpoints that tests make here. */
export const endpointKeyring: Keyring = { current: () => key, find: () => key, renew: () => false };
/** Settings that allow the address of those endpoints. */
export const endpointConfig = { webhookAllow: '127.0.0.1', webhookEndpoints: 1_000 };

/** Adds an endpoint of all types, but for what is given. Nobody listens at its address. */
export async function makeEndpoint(
  db: Database,
  tenantId: TenantId,
  fields: Partial<EndpointFields> = {},
  config: Partial<Config> = endpointConfig,
): Promise<WebhookEndpoint> {
  const url = `http://127.0.0.1:9/${randomBytes(8).toString('hex')}`;
  const usual = { url, description: null, format: 'postrider', types: null, ordering: 'none', enabled: true } as const;
  const { endpoint } = await createEndpoint(
    { rt: testRuntime(config), db, keyring: endpointKeyring },
    { tenantId, origin: OPERATOR, granted: [], fields: { ...usual, ...fields } },
  );
  return endpoint;
}
