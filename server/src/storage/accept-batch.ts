import { storedContent } from '#core/content/content';
import type { MessageId, TenantId } from '#core/ids';
import type { NewMessage } from '#core/message';
import { priorityRank } from '#core/message';
import { plainArray, sparse, sparsePlain, tokenArray } from './arrays.ts';
import type { SqlRunner, Statement } from './database.ts';
import { slotOf } from './usage.ts';

/** A message to store, with the idempotency key it was posted under. */
export interface AcceptRow {
  readonly message: NewMessage;
  readonly idempotency: { readonly keyHash: string; readonly fingerprint: string } | null;
}

/**
 * Message row, queue row, idempotency row and usage in one statement, hence one commit. A row whose key exists already is
 * left out and not returned; of equal keys in one batch the first wins. Keys go in sorted, and so do counters: two
 * batches that share some wait for each other instead of deadlocking.
 */
const ACCEPT_BATCH: Statement = {
  name: 'accept_batch',
  insertsOnly: true,
  text: `
with input as materialized (
  select * from unnest(
    $1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::uuid[],
    $10::smallint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::text[], $15::text[], $16::uuid[]
  ) as t (
    tenant_id, message_id, type, to_phone, phone_number_id, content, campaign_name, client_ref, reply_to,
    priority, send_at_ms, expires_ms, created_ms, key_hash, fingerprint, resend_of)
), claimed as (
  insert into idempotency_keys (tenant_id, key_hash, fingerprint, status_code, message_id, created_ms)
  select tenant_id, key_hash, fingerprint, 202, message_id, created_ms from input where key_hash is not null
  order by tenant_id, key_hash, message_id
  on conflict do nothing
  returning message_id
), stored as (
  insert into outbound_messages (
    tenant_id, message_id, type, to_phone, phone_number_id, content, campaign_name, client_ref, reply_to,
    priority, send_at_ms, expires_ms, created_ms, updated_ms, resend_of)
  select tenant_id, message_id, type, to_phone, phone_number_id, content::jsonb, campaign_name, client_ref, reply_to,
    priority, send_at_ms, expires_ms, created_ms, created_ms, resend_of
  from input
  where key_hash is null or message_id in (select message_id from claimed)
  returning tenant_id, message_id, type, phone_number_id, priority, send_at_ms, expires_ms, created_ms, to_phone
), queued as (
  insert into send_queue (tenant_id, message_id, phone_number_id, priority, due_ms, expires_ms, to_phone)
  select tenant_id, message_id, phone_number_id, priority, coalesce(send_at_ms, created_ms), expires_ms, to_phone from stored
), counted as (
  insert into usage_counters (tenant_id, day, fact, phone_number_id, name, slot, amount)
  select tenant_id, (created_ms / 86400000)::integer, 'outbound', phone_number_id, type, $17::smallint, count(*)
  from stored
  group by 1, 2, 4, 5
  order by 1, 2, 4, 5
  on conflict (tenant_id, day, fact, phone_number_id, name, slot)
  do update set amount = usage_counters.amount + excluded.amount
)
select message_id from stored`,
};

/** Stores a batch; returns the ids that were stored. Absent ids are replays of an idempotency key. */
export async function insertAcceptedBatch(db: SqlRunner, rows: readonly AcceptRow[]): Promise<ReadonlySet<string>> {
  const messages = rows.map((row) => row.message);
  const result = await db.run<{ message_id: string }>(ACCEPT_BATCH, [
    plainArray(messages.map((m) => m.tenantId)),
    plainArray(messages.map((m) => m.messageId)),
    messages.map((m) => m.content.type),
    tokenArray(messages.map((m) => m.to)),
    tokenArray(messages.map((m) => m.phoneNumberId)),
    messages.map((m) => JSON.stringify(storedContent(m.content))),
    sparse(messages.map((m) => m.campaignName)),
    sparse(messages.map((m) => m.clientRef)),
    sparsePlain(messages.map((m) => m.replyTo)),
    plainArray(messages.map((m) => priorityRank[m.priority])),
    sparsePlain(messages.map((m) => m.sendAtMs)),
    plainArray(messages.map((m) => m.expiresMs)),
    plainArray(messages.map((m) => m.createdMs)),
    sparse(rows.map((row) => row.idempotency?.keyHash ?? null)),
    sparse(rows.map((row) => row.idempotency?.fingerprint ?? null)),
    sparsePlain(messages.map((m) => m.resendOf)),
    slotOf(messages[0]?.messageId ?? '0'),
  ]);
  return new Set(result.rows.map((row) => row.message_id));
}

/** What an idempotency key stands for. `statusCode` null: the first request is still running. */
export interface IdempotencyRecord {
  readonly fingerprint: string;
  readonly statusCode: number | null;
  readonly response: unknown;
  readonly createdMs: number;
  readonly message: { readonly id: MessageId; readonly type: string; readonly to: string } | null;
}

const FIND_IDEMPOTENCY: Statement = {
  name: 'find_idempotency',
  text: `
select k.fingerprint, k.status_code, k.response, k.created_ms, k.message_id, m.type, m.to_phone
from idempotency_keys k
left join outbound_messages m on m.tenant_id = k.tenant_id and m.message_id = k.message_id
where k.tenant_id = $1 and k.key_hash = $2`,
};

interface IdempotencyRow {
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
