import type { TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { SqlRunner, Statement } from './database.ts';

const BEGIN: Statement = {
  name: 'idempotency_begin',
  text: `
insert into idempotency_keys (tenant_id, key_hash, fingerprint, created_ms) values ($1, $2, $3, $4)
on conflict (tenant_id, key_hash) do update set created_ms = excluded.created_ms
  where idempotency_keys.status_code is null and idempotency_keys.fingerprint = excluded.fingerprint
    and idempotency_keys.created_ms < $5
returning key_hash`,
};

/**
 * Marks a key as running. A mark older than `abandonedBeforeMs` was left by a killed process and is taken over.
 * @returns false when the key is taken
 */
export async function beginIdempotent(
  db: SqlRunner,
  key: {
    readonly tenantId: TenantId;
    readonly keyHash: string;
    readonly fingerprint: string;
    readonly nowMs: number;
    readonly abandonedBeforeMs: number;
  },
): Promise<boolean> {
  const { tenantId, keyHash, fingerprint, nowMs, abandonedBeforeMs } = key;
  return (await db.run(BEGIN, [tenantId, keyHash, fingerprint, nowMs, abandonedBeforeMs])).rowCount > 0;
}

const FINISH: Statement = {
  name: 'idempotency_finish',
  text: 'update idempotency_keys set status_code = $3, response = $4::jsonb where tenant_id = $1 and key_hash = $2',
};

/** Keeps the answer of a request for its repetitions. */
export async function finishIdempotent(
  db: SqlRunner,
  answer: {
    readonly tenantId: TenantId;
    readonly keyHash: string;
    readonly statusCode: number;
    readonly body: JsonObject;
  },
): Promise<void> {
  await db.run(FINISH, [answer.tenantId, answer.keyHash, answer.statusCode, JSON.stringify(answer.body)]);
}

const ABANDON: Statement = {
  name: 'idempotency_abandon',
  text: 'delete from idempotency_keys where tenant_id = $1 and key_hash = $2 and status_code is null',
};

/** Forgets a running mark whose request failed without effect, so that it can be repeated. */
export async function abandonIdempotent(db: SqlRunner, tenantId: TenantId, keyHash: string): Promise<void> {
  await db.run(ABANDON, [tenantId, keyHash]);
}
