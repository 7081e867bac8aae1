import { type SqlRunner, statement } from '#database/database';
import type { WebhookEndpoint } from '#webhooks/domain/webhook';
import { type EndpointKey, findEndpoint } from './webhook-endpoints.ts';

/** The secrets of an endpoint as they are stored. */
export type SealedSecrets = Pick<WebhookEndpoint, 'secret' | 'oldSecret'>;

const WEBHOOK_ENDPOINT_OTHERWISE_SEALED = statement('webhook_endpoint_otherwise_sealed')`
select tenant_id, endpoint_id from webhook_endpoints
where (secret_key_id <> $1 or old_secret_key_id <> $1) and (tenant_id, endpoint_id) > ($2::uuid, $3::uuid)
order by tenant_id, endpoint_id
limit $4`;

/** Endpoints of all tenants with a secret that another key encrypts, from one on; for the operator. */
export async function listOtherwiseSealedEndpoints(
  db: SqlRunner,
  keyId: string,
  { after, limit }: { readonly after: EndpointKey; readonly limit: number },
): Promise<readonly WebhookEndpoint[]> {
  const values = [keyId, after.tenantId, after.endpointId, limit];
  const { rows } = await db.run<EndpointKey>(WEBHOOK_ENDPOINT_OTHERWISE_SEALED, values);
  const found: WebhookEndpoint[] = [];
  for (const row of rows) {
    const endpoint = await findEndpoint(db, row.tenantId, row.endpointId);
    if (endpoint !== null) found.push(endpoint);
  }
  return found;
}

/** What people see of an endpoint stays the same, so its version does too. */
const WEBHOOK_ENDPOINT_SEAL_ANEW = statement('webhook_endpoint_seal_anew')`
update webhook_endpoints set secret_sealed = $3, secret_key_id = $4, old_secret_sealed = $5, old_secret_key_id = $6,
  old_secret_until_ms = $7::bigint
where tenant_id = $1 and endpoint_id = $2 and secret_sealed = $8`;

/** Puts the same secrets there under another key. @returns false when they were changed meanwhile, or are gone */
export async function sealSecretsAnew(
  db: SqlRunner,
  { tenantId, endpointId, secret: before }: WebhookEndpoint,
  { secret, oldSecret }: SealedSecrets,
): Promise<boolean> {
  const old = [oldSecret?.sealed ?? null, oldSecret?.keyId ?? null, oldSecret?.untilMs ?? null];
  const values = [tenantId, endpointId, secret.sealed, secret.keyId, ...old, before.sealed];
  return (await db.run(WEBHOOK_ENDPOINT_SEAL_ANEW, values)).rowCount > 0;
}
