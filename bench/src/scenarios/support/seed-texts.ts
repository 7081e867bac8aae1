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
 * number), `the` in all of them, `even` and `odd` in every second one, and `needle` in very few.
 */
export async function seedTexts(place: DatabasePlace, { messages, nowMs, seed }: SeedTexts): Promise<void> {
  const database = await openDatabase(place);
  try {
    await database.query('select setseed($1)', [(seed % 1_000) / 1_000]);
    for (let from = 1; from <= messages; from += BATCH) {
      const to = Math.min(messages, from + BATCH - 1);
      await database.query(TEXTS, [nowMs - messages, from, to, PHONE_NUMBER_ID, nowMs]);
    }
    await database.query('vacuum analyze outbound_messages');
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
