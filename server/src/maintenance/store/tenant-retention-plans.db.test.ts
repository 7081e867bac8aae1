import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TenantId } from '#core/ids';
import type { SqlRunner } from '#database/database';
import { type PlanNode, plannedSteps, reached } from '#testing/database/query-plans';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import { removeOldMessages } from './old-messages.ts';
import { removeOldEventsOfTenant, removeOldOfTenant } from './tenant-retention.ts';

/* Millions of rows of others must not be looked at for the few of a tenant. */

const TENANT = '0190a6f2-8c20-7a10-8f00-0000000000aa' as TenantId;
const OTHER = '0190a6f2-8c20-7a10-8f00-0000000000bb';
const ID = "('0190a6f2-8c20-7a10-8f00-' || lpad(to_hex(n), 12, '0'))::uuid";
const GROWING = ['webhook_deliveries', 'event_pages', 'rule_decisions', 'outbound_messages', 'inbound_messages'];
const FILL: Readonly<Record<string, string>> = {
  webhook_deliveries: `(tenant_id, delivery_id, endpoint_id, event_id, type, body, state, created_ms, updated_ms)
    select $1::uuid, ${ID}, $1::uuid, ${ID}, 'x', '{}', 'delivered', n, 1`,
  event_pages: `(tenant_id, last_seq, first_seq, recorded_ms, types, body) select $1::uuid, n, n, n, '{}', '[]'`,
  rule_decisions: `(tenant_id, decision_id, message_id, contact_id, conversation_id, set_version, opened, facts, verdicts, actions,
      matched_rules, decided_ms) select $1::uuid, ${ID}, ${ID}, ${ID}, ${ID}, 1, false, '{}', '[]', '[]', '{}', n`,
  outbound_messages: `(tenant_id, message_id, type, to_phone, phone_number_id, content, priority, expires_ms, created_ms, updated_ms)
    select $1::uuid, ${ID}, 'text', '1', '1', '{}', 1, 1, 1, 1`,
  inbound_messages: `(tenant_id, message_id, network_message_id, phone_number_id, sender, type, content, contact_id, network_ms, created_ms)
    select $1::uuid, ${ID}, n::text, '1', '1', 'text', '{}', ${ID}, 1, 1`,
};
const ROWS = 20_000;
const OF_TENANT = 500;

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase(testRuntime());
  for (const [table, columns] of Object.entries(FILL)) {
    for (const [tenantId, rows] of [
      [OTHER, ROWS],
      [TENANT, OF_TENANT],
    ] as const) {
      const text = `insert into ${table} ${columns} from generate_series(1, ${rows}) n`;
      await database.db.run({ name: '', text }, [tenantId]);
    }
    await database.db.run({ name: `test_analyze_${table}`, text: `analyze ${table}` }, []);
  }
});
afterAll(() => database.drop());

const old = { after: null, beforeMs: 1_800_000_000_000, quietSinceMs: 1_800_000_000_000 };

test.each<readonly [string, (db: SqlRunner) => Promise<unknown>]>([
  ['deliveries', (db) => removeOldOfTenant(db, TENANT, 'webhook_deliveries', old.beforeMs)],
  ['decisions', (db) => removeOldOfTenant(db, TENANT, 'rule_decisions', old.beforeMs)],
  ['events', (db) => removeOldEventsOfTenant(db, TENANT, { beforeMs: old.beforeMs, upTo: 1_000 })],
  ['outbound messages', (db) => removeOldMessages(db, TENANT, { direction: 'outbound', ...old })],
  ['inbound messages', (db) => removeOldMessages(db, TENANT, { direction: 'inbound', ...old })],
])('the sweep of a tenant reaches %s by a key, and walks no table', async (_what, sweep) => {
  let nodes: readonly PlanNode[] = [];
  await sweep({
    run: async <Row>(statement: { readonly text: string }, parameters: readonly unknown[]) => {
      nodes = await plannedSteps(database.db, statement.text, parameters);
      return { rows: [] as Row[], rowCount: 0 };
    },
  });
  const { walked, indexes } = reached(nodes, GROWING);
  expect(walked).toEqual([]);
  expect(indexes.length).toBeGreaterThan(0);
});
