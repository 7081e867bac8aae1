import type { ContactId, MessageId, PhoneNumberId, TenantId } from '#core/ids';
import { queueState } from '#core/queue-state';
import { columnsOf } from '#database/arrays';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import { groupRows } from '#database/rows';

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

export interface SuppressionChanges {
  readonly changes: readonly Suppression[];
  /** The number of the last change. */
  readonly lastSeq: number;
}

const CHANGES = statement('suppression_changes')`
select phone_key, blocked, opted_out, stopped_numbers, change_seq from suppressions
where tenant_id = $1 and change_seq > $2 order by change_seq`;

/** What changed after the change numbered `afterSeq`; all of it with 0. */
export async function findSuppressionChanges(
  db: SqlRunner,
  tenantId: TenantId,
  afterSeq: number,
): Promise<SuppressionChanges> {
  const { rows } = await db.run<ChangeRow>(CHANGES, [tenantId, afterSeq]);
  return { changes: rows, lastSeq: rows.at(-1)?.changeSeq ?? afterSeq };
}

/** Most changes of one tenant in a statement for many. An import makes more; those are read apart, and no other tenant waits for them. */
const MAX_CHANGES = 500;
const CHANGES_OF_MANY = statement('suppression_changes_of_many')`
select w.place::int as place, s.phone_key, s.blocked, s.opted_out, s.stopped_numbers, s.change_seq
from unnest($1::uuid[], $2::bigint[]) with ordinality as w (tenant_id, after_seq, place)
cross join lateral (
  select c.phone_key, c.blocked, c.opted_out, c.stopped_numbers, c.change_seq from suppressions c
  where c.tenant_id = w.tenant_id and c.change_seq > w.after_seq order by c.change_seq limit ${MAX_CHANGES}
) s
order by w.place, s.change_seq`;

/** Where somebody has read the changes of a tenant to. */
export interface SuppressionsRead {
  readonly tenantId: TenantId;
  readonly afterSeq: number;
}

type ChangeRow = Suppression & { readonly changeSeq: number };

/** The changes of each since then, in the order of `read`. Of a tenant that has many, the first of them, with `isMore`. */
export async function findChangesOfMany(
  db: SqlRunner,
  read: readonly SuppressionsRead[],
): Promise<readonly (SuppressionChanges & { readonly isMore: boolean })[]> {
  const values = columnsOf(read, 'tenantId', 'afterSeq');
  const { rows } = await db.run<ChangeRow & { readonly place: number }>(CHANGES_OF_MANY, values);
  const byPlace = groupRows(rows, ({ place }) => place);
  return read.map(({ afterSeq }, index) => {
    const changes = byPlace.get(index + 1) ?? [];
    return { changes, lastSeq: changes.at(-1)?.changeSeq ?? afterSeq, isMore: changes.length === MAX_CHANGES };
  });
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
