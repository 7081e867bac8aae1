import { type DatabasePlace, openDatabase } from '../../harness/open-database.ts';
import { PHONE_NUMBER_ID } from '../../harness/server.ts';

interface SeedTexts {
  readonly messages: number;
  readonly nowMs: number;
  readonly seed: number;
}

/** Rows per statement: below what the embedded database's memory bears. */
const BATCH = 20_000;

/** Words of a text, beside those that the queries of the scenario look for. */
const WORDS = 12;
const VOCABULARY = 20_000;
/** One message in so many has the rare word. */
export const RARE = 50_000;

/**
 * Puts messages with texts straight into the table: words of a vocabulary, some far more often than others (the fourth power of a random
 * number), `the` in all of them, `even` and `odd` in every second one, and `needle` in very few. One in 500 is in the only
 * conversation, which is with Ada Obi, has number 1 and the tag delivery.
 */
export async function seedTexts(place: DatabasePlace, { messages, nowMs, seed }: SeedTexts): Promise<void> {
  const database = await openDatabase(place);
  try {
    await database.query('select setseed($1)', [(seed % 1_000) / 1_000]);
    for (let from = 1; from <= messages; from += BATCH) {
      const to = Math.min(messages, from + BATCH - 1);
      await database.query(TEXTS, [nowMs - messages, from, to, PHONE_NUMBER_ID, nowMs]);
    }
    for (const rows of [CONTACT, CONVERSATION]) await database.query(rows, [nowMs, PHONE_NUMBER_ID]);
    await database.query(LAST_NUMBER);
    await database.query(IN_CONVERSATION, [nowMs - messages, nowMs]);
    for (const table of ['outbound_messages', 'conversations', 'contacts'])
      await database.query(`vacuum analyze ${table}`);
  } finally {
    await database.close();
  }
}

const TEXTS = `
insert into outbound_messages (
  tenant_id, message_id, type, to_phone, phone_number_id, content, priority, expires_ms, created_ms, updated_ms, status)
select t.tenant_id, (lpad(to_hex($1::bigint + n), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid, 'text',
  (15550000000 + n % 200000)::text, $4::text, jsonb_build_object('body', concat_ws(' ', 'the',
    case when n % 2 = 0 then 'even' else 'odd' end, case when n % ${RARE} = 7 then 'needle' end,
    (select string_agg('w' || floor(power(random(), 4) * ${VOCABULARY})::integer, ' ') from generate_series(1, ${WORDS}) where n > 0))),
  1, $5::bigint, $1::bigint + n, $1::bigint + n, 'sent'
from (select tenant_id from tenants order by created_ms limit 1) t cross join generate_series($2::bigint, $3::bigint) n`;

const TENANT = '(select tenant_id from tenants order by created_ms limit 1) t';
const CONTACT_ID = "'0190a6f2-8c20-7f00-8000-000000000001'::uuid";
const CONVERSATION_ID = "'0190a6f2-8c20-7c00-8000-000000000001'::uuid";

const CONTACT = `
insert into contacts (tenant_id, contact_id, phone, name, created_ms, updated_ms)
select t.tenant_id, ${CONTACT_ID}, '447700900199', 'Ada Obi', $1::bigint, $1::bigint from ${TENANT} where $2::text <> ''`;

const CONVERSATION = `
insert into conversations (tenant_id, conversation_id, contact_id, phone_number_id, number, status, unread_count, last_message_ms, tags,
  created_ms, updated_ms, opened_ms)
select t.tenant_id, ${CONVERSATION_ID}, ${CONTACT_ID}, $2::text, 1, 'open', 0, $1::bigint, '{delivery}', $1::bigint, $1::bigint, $1::bigint
from ${TENANT}`;

const LAST_NUMBER = `insert into conversation_numbers (tenant_id, last_number) select tenant_id, 1 from conversations`;

const IN_CONVERSATION = `
update outbound_messages m set conversation_id = ${CONVERSATION_ID}, contact_id = ${CONTACT_ID}
from ${TENANT} where m.tenant_id = t.tenant_id and m.created_ms between $1::bigint and $2::bigint and m.created_ms % 500 = 3`;
