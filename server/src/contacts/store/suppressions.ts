import type { ContactId, MessageId, PhoneNumberId, TenantId } from '#core/ids';
import { queueState } from '#core/queue-state';
import { columnsOf } from '#database/arrays';
import { type SqlRunner, statement, type Transaction } from '#database/database';

/** A number or user id that is not written to, or was not. */
export interface Suppression {
  readonly phoneKey: string;
  readonly blocked: boolean;
  readonly optedOut: boolean;
  /** Sending numbers that it takes no marketing from. */
  readonly stoppedNumbers: readonly PhoneNumberId[];
}

/** What holds for everything that a contact is recognised by. */
export interface ContactSuppression extends Omit<Suppression, 'phoneKey'> {
  readonly contactId: ContactId;
}

const SUPPRESSIONS_NUMBER = statement('suppressions_number')`
insert into suppression_heads (tenant_id, last_seq) values ($1, 1)
on conflict (tenant_id) do update set last_seq = suppression_heads.last_seq + 1
returning last_seq`;

const SUPPRESSIONS_SET = statement('suppressions_set')`
insert into suppressions (tenant_id, phone_key, blocked, opted_out, change_seq, stopped_numbers)
select $1, i.value, w.blocked, w.opted_out, $5, string_to_array(w.stopped_numbers, ' ')
from unnest($2::uuid[], $3::boolean[], $4::boolean[], $6::text[]) as w(contact_id, blocked, opted_out, stopped_numbers)
join contact_identities i on i.tenant_id = $1 and i.contact_id = w.contact_id
on conflict (tenant_id, phone_key) do update set
  blocked = excluded.blocked, opted_out = excluded.opted_out, change_seq = excluded.change_seq,
  stopped_numbers = excluded.stopped_numbers
returning phone_key, blocked or opted_out or cardinality(stopped_numbers) > 0 as silent`;

/** Suppresses all numbers and user ids of these contacts, or no longer. @returns the keys of those that are suppressed now */
export async function setSuppressions(
  tx: Transaction,
  tenantId: TenantId,
  wanted: readonly ContactSuppression[],
): Promise<readonly string[]> {
  const [head] = (await tx.run<{ lastSeq: number }>(SUPPRESSIONS_NUMBER, [tenantId])).rows;
  const { rows } = await tx.run<{ phoneKey: string; silent: boolean }>(SUPPRESSIONS_SET, [
    tenantId,
    ...columnsOf(wanted, 'contactId', 'blocked', 'optedOut'),
    head?.lastSeq,
    wanted.map((one) => one.stoppedNumbers.join(' ')),
  ]);
  return rows.flatMap((row) => (row.silent ? [row.phoneKey] : []));
}

const CHANGES = statement('suppression_changes')`
select phone_key, blocked, opted_out, stopped_numbers, change_seq from suppressions
where tenant_id = $1 and change_seq > $2 order by change_seq`;

/** What changed after the change numbered `afterSeq`; all of it with 0. */
export async function findSuppressionChanges(
  db: SqlRunner,
  tenantId: TenantId,
  afterSeq: number,
): Promise<{ readonly changes: readonly Suppression[]; readonly lastSeq: number }> {
  const { rows } = await db.run<Suppression & { readonly changeSeq: number }>(CHANGES, [tenantId, afterSeq]);
  return { changes: rows, lastSeq: rows.at(-1)?.changeSeq ?? afterSeq };
}

const WAITING = statement('suppression_waiting')`
select q.message_id from outbound_messages m
join send_queue q on q.tenant_id = m.tenant_id and q.message_id = m.message_id
where m.tenant_id = $1 and m.to_phone = any($2::text[]) and m.status = 'queued' and q.state = ${queueState.ready}
  and ($6::text[] is null or m.phone_number_id = any($6::text[]))
  and ($3 or m.campaign_name is not null or m.priority = $4 or (m.type = 'template' and m.content ->> 'category' = 'marketing'))
order by q.message_id limit $5`;

/** Messages that wait for a number: all of them, or only those that are marketing. */
export async function findWaitingFor(
  tx: Transaction,
  wanted: {
    readonly tenantId: TenantId;
    readonly phones: readonly string[];
    readonly all: boolean;
    /** Only what leaves from these numbers; null: from any. */
    readonly from: readonly PhoneNumberId[] | null;
    readonly bulkRank: number;
    readonly limit: number;
  },
): Promise<readonly MessageId[]> {
  const { tenantId, phones, all, bulkRank, limit, from } = wanted;
  const { rows } = await tx.run<{ messageId: MessageId }>(WAITING, [tenantId, [...phones], all, bulkRank, limit, from]);
  return rows.map((row) => row.messageId);
}
