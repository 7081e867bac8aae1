import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import { contactFields } from '#contacts/domain/contact-fields';
import { parseCondition } from '#core/conditions/parse-condition';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { type PlanNode, plannedSteps } from '#testing/database/query-plans';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import { type ContactFilter, contactsPageSql } from './contact-lists.ts';

/*
 * Every list of contacts walks an index at 100,000 of them. Statistics come when autovacuum likes: the plans must hold
 * before it came and after.
 */

const rt = testRuntime();
const ROWS = 100_000;
const NOW_MS = Date.UTC(2030, 0, 1);
let database: TestDatabase;
let db: Database;
let tenantId: TenantId;

const ID = "('0190a6f2-8c20-7a10-8f00-' || lpad(to_hex(n), 12, '0'))::uuid";
/** One in a thousand is blocked, opted out, or tagged VIP; one in two says tea. */
const FILL = [
  'alter table contacts set (autovacuum_enabled = false)',
  'alter table contact_terms set (autovacuum_enabled = false)',
  'alter table contact_identities set (autovacuum_enabled = false)',
  `insert into contacts (tenant_id, contact_id, phone, name, external_id, status, marketing, tags, created_ms, updated_ms)
    select $1::uuid, ${ID}, '4477' || lpad(n::text, 8, '0'), 'Person ' || n, 'crm-' || n,
      case when n % 1000 = 0 then 'blocked' else 'active' end, case when n % 1000 = 1 then 'denied' else 'unknown' end,
      case when n % 1000 = 2 then '{VIP}'::text[] else '{tea}'::text[] end, n, n
    from generate_series(1, ${ROWS}) n`,
  `insert into contact_identities (tenant_id, kind, value, contact_id)
    select $1::uuid, 'phone', '4477' || lpad(n::text, 8, '0'), ${ID} from generate_series(1, ${ROWS}) n`,
  `insert into contact_terms (tenant_id, term, contact_id)
    select $1::uuid, t.term, ${ID} from generate_series(1, ${ROWS}) n
    cross join lateral (values ('w:person'), ('w:' || n), (case when n % 1000 = 2 then 't:vip' else 't:tea' end)) t (term)`,
];

beforeAll(async () => {
  database = await openTestDatabase(rt);
  db = database.db;
  tenantId = await createTenant(rt, db, { name: 'T', unknownResends: 0, windowPolicy: 'network' });
  for (const [index, text] of FILL.entries()) {
    await db.run({ name: `test_fill_${index}`, text }, text.includes('$1') ? [tenantId] : []);
  }
});
afterAll(() => database.drop());

function planOfPage(filter: ContactFilter, beforeId: string | null): Promise<readonly PlanNode[]> {
  const window = { limit: 50, offset: 0, beforeId };
  const { sql, parameters } = contactsPageSql(db, { tenantId, filter, nowMs: NOW_MS }, window);
  return plannedSteps(db, sql, parameters);
}

const parsed = parseCondition(
  { field: 'contact.tags', value: 'VIP' },
  { path: 'when', fields: contactFields(new Map()) },
);
const hasTag = parsed.ok ? { condition: parsed.condition } : {};
const LISTS: readonly { readonly list: string; readonly filter: ContactFilter; readonly index: RegExp }[] = [
  { list: 'everyone', filter: {}, index: /^contacts_pkey$/ },
  { list: 'a number', filter: { phone: '447700000042' }, index: /^contact_identities_pkey$/ },
  { list: 'an external id', filter: { externalId: 'crm-42' }, index: /^contacts_external_id$/ },
  { list: 'a rare word', filter: { q: '4242' }, index: /^contact_terms_pkey$/ },
  { list: 'two words', filter: { q: 'person 777' }, index: /^contact_terms_pkey$/ },
  { list: 'a rare tag', filter: { tag: 'VIP' }, index: /^contact_terms/ },
  { list: 'a frequent tag', filter: { tag: 'tea' }, index: /^contact/ },
  { list: 'who is blocked', filter: { status: 'blocked' }, index: /^contacts_(blocked|pkey)$/ },
  { list: 'who opted out', filter: { consent: 'denied' }, index: /^contacts_(marketing|pkey)$/ },
  { list: 'who was made lately', filter: { createdAfterMs: NOW_MS }, index: /^contacts_pkey$/ },
  { list: 'who was changed lately', filter: { updatedSinceMs: ROWS - 5 }, index: /^contacts_(updated|pkey)$/ },
  { list: 'a condition', filter: hasTag, index: /^contact/ },
];

describe.each([
  { statistics: 'without', analyze: false },
  { statistics: 'with', analyze: true },
])('100,000 contacts, $statistics statistics', ({ analyze }) => {
  beforeAll(async () => {
    if (analyze) await db.run({ name: 'test_analyze', text: 'analyze' }, []);
  });

  test.each(LISTS)('the list of $list walks an index by its tenant', async ({ filter, index }) => {
    for (const beforeId of [null, '0190a6f2-8c20-7a10-8f00-00000000c000']) {
      const nodes = await planOfPage(filter, beforeId);
      expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
      const scans = nodes.filter((node) => node['Index Name'] !== undefined);
      expect(scans.length).toBeGreaterThan(0);
      // Without statistics any index of a table counts as the same.
      const names = scans.map((node) => node['Index Name'] ?? '');
      if (analyze) expect(names.filter((name) => index.test(name))).not.toEqual([]);
      expect(scans.filter((node) => !/tenant_id/.test(node['Index Cond'] ?? ''))).toEqual([]);
    }
  });
});
