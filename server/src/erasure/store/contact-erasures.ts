import type { ContactId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import { firstRow } from '#database/rows';

/** An erasure whose events are still to be searched. */
export interface Erasure {
  readonly tenantId: TenantId;
  readonly contactId: ContactId;
  /** What the JSON of an event of the person contains at least one of. */
  readonly needles: readonly string[];
  /** Events up to this number are done. */
  readonly doneSeq: number;
}

const CONTACT_ERASURE_INSERT = statement('contact_erasure_insert')`
insert into contact_erasures (tenant_id, contact_id, needles, started_ms) values ($1, $2, $3::text[], $4)
on conflict (tenant_id, contact_id) do nothing`;

export async function insertErasure(
  tx: Transaction,
  { tenantId, contactId, needles }: Omit<Erasure, 'doneSeq'>,
  nowMs: number,
): Promise<void> {
  await tx.run(CONTACT_ERASURE_INSERT, [tenantId, contactId, needles, nowMs]);
}

/** Spans tenants: housekeeping. */
const NEXT = statement('contact_erasure_next')`
select tenant_id, contact_id, needles, done_seq from contact_erasures order by started_ms, contact_id limit 1`;

/** The oldest erasure that is not finished; null when there is none. */
export function findErasure(db: SqlRunner): Promise<Erasure | null> {
  return firstRow(db.run<Erasure>(NEXT, []));
}

/** Pages of one step: a few hundred kilobytes each at most. */
const PAGES = 200;

/**
 * The bodies of pages come back only where the person is named. Pages of messages have no body: they read what became
 * of the message's own row.
 */
const PAGES_NAMING = statement('contact_erasure_pages')`
select p.last_seq, case when exists (
    select 1 from unnest($3::text[]) as n (needle) where strpos(p.body, n.needle) > 0
  ) then p.body end as body
from event_pages p
where p.tenant_id = $1 and p.last_seq > $2
order by p.last_seq limit ${PAGES}`;

export interface NamingPage {
  readonly lastSeq: number;
  /** Null: the page does not name the person. */
  readonly body: string | null;
}

/** The next pages of events of an erasure, in order; none when it has reached the end. */
export async function findPagesNaming(
  db: SqlRunner,
  { tenantId, doneSeq, needles }: Erasure,
): Promise<readonly NamingPage[]> {
  return (await db.run<NamingPage>(PAGES_NAMING, [tenantId, doneSeq, needles])).rows;
}

const REWRITE = statement('contact_erasure_rewrite')`
update event_pages set body = $3 where tenant_id = $1 and last_seq = $2 and body is not null`;

/** Replaces the events of a page: as many as before, of the same types. */
export async function rewritePage(
  tx: Transaction,
  tenantId: TenantId,
  lastSeq: number,
  events: readonly JsonObject[],
): Promise<void> {
  await tx.run(REWRITE, [tenantId, lastSeq, JSON.stringify(events)]);
}

const CONTACT_ERASURE_ADVANCE = statement('contact_erasure_advance')`
update contact_erasures set done_seq = $3 where tenant_id = $1 and contact_id = $2 and done_seq < $3`;

export async function advanceErasure(
  tx: Transaction,
  { tenantId, contactId }: Erasure,
  doneSeq: number,
): Promise<void> {
  await tx.run(CONTACT_ERASURE_ADVANCE, [tenantId, contactId, doneSeq]);
}

const CONTACT_ERASURE_FINISH = statement('contact_erasure_finish')`
delete from contact_erasures where tenant_id = $1 and contact_id = $2`;

/** Nothing is left to search; with the row goes the last trace of the number. */
export async function finishErasure(tx: Transaction, { tenantId, contactId }: Erasure): Promise<void> {
  await tx.run(CONTACT_ERASURE_FINISH, [tenantId, contactId]);
}
