import { type DatabasePlace, openDatabase } from '../../harness/open-database.ts';
import { PHONE_NUMBER_ID } from '../../harness/server.ts';

interface SeedRows {
  readonly count: number;
  /** Queued: a row of the queue for each. Sent: read by their recipients, as most rows of a long-lived tenant are. */
  readonly state: 'queued' | 'sent';
  /** Milliseconds since 1970; the rows lie before it, a millisecond apart. */
  readonly nowMs: number;
  /** Numbers of the tenant that they are spread over; default that of the bootstrap alone. */
  readonly phoneNumberIds?: readonly string[];
}

/** A uuid of version 7 made of a row's time and its number, so that ids are in the order of time as ours are. */
const MESSAGE_ID = `(lpad(to_hex($2::bigint - $1::bigint + n), 12, '0') || '7000' || '8000' || lpad(to_hex(n), 12, '0'))::uuid`;
const TTL_MS = 7 * 24 * 3600 * 1000;

/** Puts messages straight into the tables: the fast way to a large tenant. Every batch is one statement. */
export async function seedRows(
  place: DatabasePlace,
  { count, state, nowMs, phoneNumberIds = [PHONE_NUMBER_ID] }: SeedRows,
): Promise<void> {
  const database = await openDatabase(place);
  try {
    const statement = state === 'queued' ? QUEUED : SENT;
    for (let from = 0; from < count; from += BATCH) {
      const to = Math.min(count, from + BATCH) - 1;
      await database.query(statement, [count, nowMs, from, to, phoneNumberIds, TTL_MS]);
    }
    for (const table of ['outbound_messages', 'send_queue']) await database.query(`vacuum analyze ${table}`);
    await database.query('checkpoint');
  } finally {
    await database.close();
  }
}

/** Rows per statement: below what the embedded database's memory bears. */
const BATCH = 50_000;

const COLUMNS = `tenant_id, message_id, type, to_phone, phone_number_id, content, priority, expires_ms, created_ms, updated_ms`;
const VALUES = `t.tenant_id, ${MESSAGE_ID}, 'text', (15550000000 + n % 200000)::text, ($5::text[])[1 + n % cardinality($5::text[])],
  jsonb_build_object('body', 'Your order 4711 left the warehouse and arrives tomorrow between 9 and 12.'), 1,
  $2::bigint + $6::bigint, $2::bigint - $1::bigint + n, $2::bigint - $1::bigint + n`;
const SOURCE = 'from (select tenant_id from tenants limit 1) t cross join generate_series($3::bigint, $4::bigint) n';

const QUEUED = `
with stored as (insert into outbound_messages (${COLUMNS}) select ${VALUES} ${SOURCE} returning *)
insert into send_queue (tenant_id, message_id, phone_number_id, priority, due_ms, expires_ms, to_phone)
select tenant_id, message_id, phone_number_id, priority, created_ms, expires_ms, to_phone from stored`;

const SENT = `
insert into outbound_messages (${COLUMNS}, status, attempts, network_message_id, accepted_ms, sent_ms, sent_learned_ms,
  delivered_ms, delivered_learned_ms, read_ms, read_learned_ms)
select ${VALUES}, 'sent', 1, 'wamid.seed' || n, $2::bigint, $2::bigint, $2::bigint, $2::bigint, $2::bigint, $2::bigint, $2::bigint
${SOURCE}`;
