import type { MessageId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { type SqlRunner, statement } from '#database/database';
import { type Find, firstRow } from '#database/rows';

const IDEMPOTENCY_BEGIN = statement('idempotency_begin')`
insert into idempotency_keys (tenant_id, key_hash, fingerprint, created_ms) values ($1, $2, $3, $4)
on conflict (tenant_id, key_hash) do update set created_ms = excluded.created_ms
  where idempotency_keys.status_code is null and idempotency_keys.fingerprint = excluded.fingerprint
    and idempotency_keys.created_ms < $5
returning key_hash`;

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

const IDEMPOTENCY_FINISH = statement('idempotency_finish')`
update idempotency_keys set status_code = $3, response = $4::jsonb where tenant_id = $1 and key_hash = $2`;

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

const ABANDON = statement('idempotency_abandon')`
delete from idempotency_keys where tenant_id = $1 and key_hash = $2 and status_code is null`;

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

const FIND_IDEMPOTENCY = statement('find_idempotency')`
select k.fingerprint, k.status_code, k.response, k.created_ms, k.message_id, m.type, m.to_phone
from idempotency_keys k
left join outbound_messages m on m.tenant_id = k.tenant_id and m.message_id = k.message_id
where k.tenant_id = $1 and k.key_hash = $2`;

interface IdempotencyRow extends Omit<IdempotencyRecord, 'message'> {
  readonly messageId: MessageId | null;
  readonly type: string | null;
  readonly toPhone: string | null;
}

export const findIdempotency: Find<IdempotencyRecord> = (db, ...key) =>
  firstRow(db.run<IdempotencyRow>(FIND_IDEMPOTENCY, key), toRecord);

function toRecord({ messageId, type, toPhone, ...record }: IdempotencyRow): IdempotencyRecord {
  return { ...record, message: messageId ? { id: messageId, type: type ?? 'text', to: toPhone ?? '' } : null };
}
