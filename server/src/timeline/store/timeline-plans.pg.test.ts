import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import type { ContactId, TenantId } from '#core/ids';
import type { Statement } from '#database/database';
import { planOf, reached } from '#testing/database/query-plans';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import { listContactChanges, listContactDecisions, listContactNotes } from './conversation-entries.ts';
import { listCampaignSkips } from './skipped-entries.ts';

/* 100,000 entries of each kind, of 10,000 contacts: the timeline of one of them reads its own through an index. */

const rt = testRuntime();
const ENTRIES = 100_000;
const CONTACTS = 10_000;
const CAMPAIGNS = 100;
/** One contact has ten entries of each kind. */
const MAX_READ = 50;
const NOW_MS = 1_700_000_000_000;
let database: TestDatabase;
let tenantId: TenantId;

const idOf = (kind: string, n: number): string => `0190a6f2-000${kind}-7000-8000-${String(n).padStart(12, '0')}`;
const sqlId = (kind: string, n: string): string =>
  `('0190a6f2-000${kind}-7000-8000-' || lpad((${n})::text, 12, '0'))::uuid`;
const CONTACT = idOf('1', 4_711) as ContactId;

const FILLS: readonly string[] = [
  `insert into contacts (tenant_id, contact_id, phone, created_ms, updated_ms)
   select $1, ${sqlId('1', 'n')}, '4477' || lpad(n::text, 8, '0'), $2, $2 from generate_series(0, ${CONTACTS - 1}) n`,
  `insert into contact_identities (tenant_id, kind, value, contact_id)
   select $1, 'phone', '4477' || lpad(n::text, 8, '0'), ${sqlId('1', 'n')} from generate_series(0, ${CONTACTS - 1}) n
   where $2::bigint > 0`,
  `insert into conversations (
     tenant_id, conversation_id, contact_id, phone_number_id, number, status, last_message_ms, opened_ms, created_ms, updated_ms)
   select $1, ${sqlId('2', 'n')}, ${sqlId('1', 'n')}, '7000', n + 1, 'open', $2, $2, $2, $2 from generate_series(0, ${CONTACTS - 1}) n`,
  `insert into conversation_notes (tenant_id, conversation_id, note_id, body, author_kind, author_id, created_ms)
   select $1, ${sqlId('2', `n % ${CONTACTS}`)}, ${sqlId('3', 'n')}, 'x', 'key', 'k', $2 from generate_series(0, ${ENTRIES - 1}) n`,
  `insert into conversation_events (tenant_id, conversation_id, event_id, at_ms, actor_kind, actor_id, cause, changes)
   select $1, ${sqlId('2', `n % ${CONTACTS}`)}, ${sqlId('4', 'n')}, $2, 'key', 'k', 'api', '{}' from generate_series(0, ${ENTRIES - 1}) n`,
  `insert into campaigns (tenant_id, campaign_id, name, template, created_ms, updated_ms)
   select $1, ${sqlId('5', 'n')}, 'C' || n, '{}', $2, $2 from generate_series(0, ${CAMPAIGNS - 1}) n`,
  `insert into campaign_recipients (tenant_id, campaign_id, place, phone, status, reason)
   select $1, ${sqlId('5', 'c')}, p, '4477' || lpad(p::text, 8, '0'), case when p % 10 = 1 then 'skipped' else 'waiting' end,
     case when p % 10 = 1 then '{"code": "recipient_opted_out", "message": "x"}'::jsonb end
   from generate_series(0, ${CAMPAIGNS - 1}) c, generate_series(0, ${CONTACTS / 10 - 1} ) q, lateral (select q * 10 + 1 as p) s
   where $2::bigint > 0`,
];

beforeAll(async () => {
  database = await openTestDatabase(rt);
  tenantId = await createTenant(rt, database.db, { name: 'T', unknownResends: 0, windowPolicy: 'network' });
  for (const [index, text] of FILLS.entries()) {
    await database.db.run({ name: `test_fill_${index}`, text }, [tenantId, NOW_MS]);
  }
});
afterAll(() => database.drop());

const PART = { contactId: CONTACT, beforeId: null, limit: 50 };
const READS = {
  conversation_notes: (db: TestDatabase['db']) => listContactNotes(db, { tenantId, ...PART }),
  conversation_events: (db: TestDatabase['db']) => listContactChanges(db, { tenantId, ...PART }),
  rule_decisions: (db: TestDatabase['db']) => listContactDecisions(db, { tenantId, ...PART }),
  campaign_recipients: (db: TestDatabase['db']) => listCampaignSkips(db, { tenantId, ...PART }),
} as const;
type Table = keyof typeof READS;

describe.each([
  { statistics: 'without', analyze: false },
  { statistics: 'with', analyze: true },
])('a timeline, $statistics statistics', ({ analyze }) => {
  beforeAll(async () => {
    if (analyze) await database.db.run({ name: 'test_analyze', text: 'analyze' }, []);
  });

  test.each(Object.keys(READS) as Table[])('reads %s through an index', async (table) => {
    const seen: { statement: Statement; parameters: readonly unknown[] }[] = [];
    const run = (statement: Statement, parameters: readonly unknown[]) => {
      seen.push({ statement, parameters });
      return database.db.run(statement, parameters);
    };
    await READS[table]({ ...database.db, run } as TestDatabase['db']);
    const [asked] = seen;
    if (asked === undefined) throw new Error('Nothing was asked.');
    const found = reached(await planOf(database.db, asked.statement.text, asked.parameters), [table]);
    // What is empty may be walked as well as an index of it.
    if (table !== 'rule_decisions') expect(found.walked).toEqual([]);
    if (analyze) for (const rows of found.rows) expect(rows).toBeLessThanOrEqual(MAX_READ * 2);
  });
});
