import type { MadeKey } from '#access/actions/key-changes';
import type { ApiKey } from '#access/store/api-keys';
import type { JsonObject } from '#core/json';
import { formatRfc3339 } from '#http/validation/rfc3339';

/** A key as the API shows it: never the key itself, nor its hash. */
export function presentApiKey(key: ApiKey, nowMs: number): JsonObject {
  return {
    id: key.keyId,
    name: key.name,
    mode: key.mode,
    hint: key.hint,
    status: statusOf(key, nowMs),
    scopes: [...key.scopes],
    rate_limit: key.ratePerSecond,
    agent_id: key.agentId,
    allowed_ips: [...key.allowedIps],
    phone_number_ids: [...key.phoneNumberIds],
    created_at: formatRfc3339(key.createdMs),
    expires_at: timeOrNull(key.expiresMs),
    revoked_at: timeOrNull(key.revokedMs),
    last_used_at: timeOrNull(key.lastUsedMs),
  };
}

/** The one answer that shows the key. */
export function presentNewKey({ key, record }: MadeKey, nowMs: number): JsonObject {
  return { key, ...presentApiKey(record, nowMs) };
}

/** What is kept for repetitions: the same without the key, which must not lie in the database. */
export function presentKeptKey({ record }: MadeKey, nowMs: number): JsonObject {
  return { key: null, ...presentApiKey(record, nowMs) };
}

function statusOf({ revokedMs, expiresMs }: ApiKey, nowMs: number): 'active' | 'expired' | 'revoked' {
  if (revokedMs !== null) return 'revoked';
  return expiresMs !== null && expiresMs <= nowMs ? 'expired' : 'active';
}

function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : formatRfc3339(ms);
}
