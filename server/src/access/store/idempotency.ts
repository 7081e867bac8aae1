import type { MessageId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { SqlRunner, Statement } from '#database/database';

const IDEMPOTENCY_BEGIN: Statement = {
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
  return (await db.run(IDEMPOTENCY_BEGIN, [tenantId, keyHash, fingerprint, nowMs, abandonedBeforeMs])).rowCount > 0;
}

const IDEMPOTENCY_FINISH: Statement = {
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
  await db.run(IDEMPOTENCY_FINISH, [answer.tenantId, answer.keyHash, answer.statusCode, JSON.stringify(answer.body)]);
}

const ABANDON: Statement = {
  name: 'idempotency_abandon',
  text: 'delete from idempotency_keys where tenant_id = $1 and key_hash = $2 and status_code is null',
};

/** Forgets a running mark whose request failed without effect, so that it can be repeated. */
export async function abandonIdempotent(db: SqlRunner, tenantId: TenantId, keyHash: string): Promise<void> {
  await db.run(ABANDON, [tenantId, keyHash]);
}

/** What an idempotency key stands for. `statusCode` null: the first request is still running. */
export interface IdempotencyRecord {
  readonly fingerprint: string;
  readonly statusCode: number | null;
  readonly response: unknown;
  readonly createdMs: number;
  readonly message: { readonly id: MessageId; readonly type: string; readonly to: string } | null;
}

export const FIND_IDEMPOTENCY: Statement = {
  name: 'find_idempotency',
  text: `
select k.fingerprint, k.status_code, k.response, k.created_ms, k.message_id, m.type, m.to_phone
from idempotency_keys k
left join outbound_messages m on m.tenant_id = k.tenant_id and m.message_id = k.message_id
where k.tenant_id = $1 and k.key_hash = $2`,
};

export interface IdempotencyRow {
  readonly fingerprint: string;
  readonly status_code: number | null;
  readonly response: unknown;
  readonly created_ms: number;
  readonly message_id: MessageId | null;
  readonly type: string | null;
  readonly to_phone: string | null;
}

export async function findIdempotency(
  db: SqlRunner,
  tenantId: TenantId,
  keyHash: string,
): Promise<IdempotencyRecord | null> {
  const { rows } = await db.run<IdempotencyRow>(FIND_IDEMPOTENCY, [tenantId, keyHash]);
  const row = rows[0];
  if (!row) return null;
  return {
    fingerprint: row.fingerprint,
    statusCode: row.status_code,
    response: row.response,
    createdMs: row.created_ms,
    message: row.message_id ? { id: row.message_id, type: row.type ?? 'text', to: row.to_phone ?? '' } : null,
  };
}
