import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { sumReader } from '#analytics/store/analytics-sums';
import type { TenantId } from '#core/ids';
import { EMPTIED_TABLES, removeTenantRows } from '#maintenance/store/delete-tenant';
import { readTenantRows } from '#maintenance/store/export-tenant';
import { declaredStatements, STATEMENT_FILES } from '#testing/database/declared-statements';
import { type Fault, tablesOfTenants, tenantFaults } from '#testing/database/tenant-bounds';
import type { SqlRunner, Statement } from './database.ts';

/*
 * Every statement of a store/, read by PostgreSQL's own parser: the rows of each table of tenants are bound to a tenant that the caller
 * gave. What Kysely writes is checked where it runs, in http/security/row-fence.pg.test.ts.
 */

/** Statements over rows of all tenants, by the reason for which there is no tenant to be named. */
const ACROSS_TENANTS: Readonly<Record<string, readonly string[]>> = {
  'A key, and nothing else of its request, says whose it is.': [
    'key_find_by_hash',
    'key_any_foreign',
    'session_find_by_hash',
    ...['residents_by_key', 'residents_by_session'],
  ],
  'A person works in several tenants, and sees and ends their own sessions in all of them.': [
    ...['moved_passkeys_forget', 'moved_links_forget', 'moved_users_forget'],
    ...['session_list', 'session_end', 'sessions_end', 'user_memberships', 'user_works_elsewhere'],
  ],
  'A browser has one address at its push service: whoever uses it now is notified there, and nobody else.': [
    'push_subscription_release',
  ],
  'The network and the gateway name numbers, accounts and subscriptions of theirs.': [
    'residents_by_account',
    ...['number_find_told', 'template_lock_told', 'subscription_of_gateway', 'unpark_statuses', 'any_parked_status'],
    ...['meet_parked_changes', 'any_parked_change', 'account_notice_of_number', 'account_notice_of_account'],
  ],
  'A worker takes what is due, whosever it is.': [
    ...[
      'agent_expired',
      'assignment_claim_reviews',
      'audit_claim_unforwarded',
      'audit_take_unsealed',
      'campaign_claim',
    ],
    ...['bulk_change_claim', 'network_blocks_claim'],
    ...['import_claim', 'inbound_media_claim', 'resumable_claim', 'rule_queue_claim', 'rule_reply_claim'],
    ...['rule_timer_claim', 'template_account_claim_stale', 'topup_find_due', 'topup_find_refunds_owed'],
    ...['usage_alerts_take', 'wallet_alerts_take', 'wallet_find_holds', 'conversation_find_unlinked'],
    ...['conversation_find_overslept', 'conversation_find_idle', 'conversation_find_closing'],
    ...['queue_expired', 'queue_unknown_due', 'push_queue_claim'],
  ],
  'A worker asks whether, or for whom, there is anything to do.': [
    ...['agent_any_expired', 'analytics_behind', 'assignment_any_review', 'assignment_teams_with_work'],
    ...['audit_has_unsealed', 'contact_erasure_next', 'conversation_counts_crowded', 'tenant_deletions_unfinished'],
    'notification_behind',
    ...['lane_list', 'lane_digest', 'due_work', 'queue_lanes', 'queue_due_lanes', 'subscription_linked'],
    ...['webhook_lane_list', 'webhook_lane_read_behind', 'search_behind'],
  ],
  'Retention removes by age.': [
    ...[
      'retention_idempotency',
      'retention_parked',
      'retention_parked_changes',
      'retention_account_notices',
      'retention_events',
      'retention_webhook_deliveries',
    ],
    ...['retention_rule_decisions', 'retention_assignment_log', 'resumable_expire', 'media_expire', 'blob_condemn'],
    ...['retention_bulk_items', 'retention_bulk_changes', 'retention_suggestions', 'canned_reply_files_keep'],
    ...['retention_notifications', 'retention_push_subscriptions'],
    ...['usage_alerts_forget', 'wallet_alerts_forget', 'retention_sessions', 'retention_users'],
    ...['retention_sso_states', 'retention_sso_sessions'],
  ],
  'The operator looks after the whole installation.': [
    ...['audit_read_heads', 'campaign_lock_sending', 'diagnosis_queue', 'diagnosis_not_stored', 'diagnosis_paused'],
    ...['history_hold', 'held_count', 'held_release', 'account_otherwise_sealed', 'webhook_endpoint_otherwise_sealed'],
    'sso_connection_otherwise_sealed',
    ...['state_campaigns', 'state_numbers', 'state_queue', 'state_webhooks', 'state_webhooks_disabled'],
    ...['account_forget_runs', 'plan_tenants', 'wallet_tenants'],
  ],
};

/** Statements that are no constants: they read no rows of tenants, or are run by these tests (`*` is what differs). */
const MADE_WHERE_RUN: readonly string[] = [
  ...['migration_table', 'migration_breaking', 'migration_has_breaking', 'migration_record', 'migration_invalid_index'],
  ...['migration_lock_limit_off', 'migration_lock_limit_on', 'migration_has_table', 'migration_list', 'migration_lock'],
  ...['migration_unlock', 'migration_find_breaking', 'bootstrap_lock', 'history_patience', 'history_lock'],
  // Of dispatchers and notifiers.
  ...['*_beat', '*_list', '*_remove', '*_forget'],
  ...[
    'history_disown',
    'dispatcher_forget',
    'notifier_forget',
    'checkpoint',
    'notify',
    'plan_for_citus',
    'server_setting',
    'vacuum_*',
    'vacuum_analyze_*',
  ],
  ...[
    'analytics_add_*',
    'tenant_remove_*',
    'tenant_export_first_*',
    'tenant_export_next_*',
    '*_of_periods',
    '*_of_keys',
  ],
];

const folder = new URL('../', import.meta.url);

/** Of a table that is exported: its key, and a portion after which there may be more. */
const ROWS_OF: Readonly<Record<string, readonly never[]>> = {
  tenant_export_key: [{ name: 'tenant_id' }, { name: 'contact_id' }] as readonly object[] as readonly never[],
  tenant_export_first_contacts: Array.from({ length: 50 }, () => ({ line: '{}', place: '{}' })) as never[],
};

/** What functions of a store/ run that write their statements themselves. */
async function madeWhenRun(): Promise<readonly Statement[]> {
  const made: Statement[] = [];
  const run: SqlRunner['run'] = async (statement) => {
    made.push(statement);
    return { rows: ROWS_OF[statement.name] ?? [], rowCount: 0 };
  };
  const tenantId = 'of nobody' as TenantId;
  for (const table of EMPTIED_TABLES) await removeTenantRows({ run }, tenantId, table);
  for await (const _ of readTenantRows({ run }, tenantId, 'contacts'));
  const tables = { name: 'sums', quarters: 'analytics_messages', days: 'analytics_message_days' };
  const sums = sumReader({ ...tables, measures: ['sent', 'failed'], ranking: ['sent'] });
  const period = { startMs: 0, endMs: 86_400_000 };
  await sums.readTotals({ run }, { tenantId, scope: { dimension: 'all', key: '' }, period });
  await sums.readBreakdown({ run }, { tenantId, dimension: 'all', period, limit: 1 });
  return made;
}

let statements: readonly Statement[];
let tables: ReadonlySet<string>;
let faults: readonly (Fault & { readonly name: string })[];

beforeAll(async () => {
  statements = [...(await declaredStatements()), ...(await madeWhenRun())];
  const schema = readFileSync(new URL('../migrations/schema.sql', folder), 'utf8');
  tables = await tablesOfTenants(schema);
  const found = statements.map(async ({ name, text }) =>
    (await tenantFaults(text, tables)).map((fault) => ({ ...fault, name })),
  );
  faults = (await Promise.all(found)).flat();
});

function namesWith(kind: Fault['kind']): readonly string[] {
  return [...new Set(faults.filter((fault) => fault.kind === kind).map(({ name }) => name))].toSorted();
}

describe('the statements of all stores', () => {
  test('are checked, all that the sources name', () => {
    const named = STATEMENT_FILES.flatMap((file) => {
      const source = readFileSync(new URL(file, folder), 'utf8');
      const begins = source.matchAll(
        /\bstatement\(['`]([^'`]+)['`]|\bname: ['`]([^'`]+)['`],\s*(?:insertsOnly: true,\s*)?text\b/g,
      );
      return [...begins].map(([, declared, name = declared ?? '']) => name.replaceAll(/\$\{\w+\}/g, '*'));
    });
    const checked = new Set([...statements.map(({ name }) => name), ...MADE_WHERE_RUN]);
    expect(named.filter((name) => !checked.has(name))).toEqual([]);
    expect(named.length).toBeGreaterThan(500);
  });

  test('bind every table of tenants to a tenant that is handed in, but for those listed with a reason', () => {
    expect(tables.size).toBeGreaterThan(70);
    expect(namesWith('unbound')).toEqual(Object.values(ACROSS_TENANTS).flat().toSorted());
  });

  test('never put rows of two tenants side by side, also when they serve several', () => {
    expect(namesWith('mixed')).toEqual([]);
  });

  test('leave nothing on their connection that the next request would meet', () => {
    const isQuery = (text: string): boolean => /^\s*(with|select|insert|update|delete)\b/.test(text);
    const ends = (text: string): boolean => /^set (local|transaction) /.test(text);
    const staying = statements.filter(({ text }) =>
      isQuery(text) ? /\b(set_config|pg_advisory_lock)\b/.test(text) : !ends(text),
    );
    expect(staying.map(({ name }) => name)).toEqual([]);
  });

  test('write a row for the tenant that it comes from, and never move it', () => {
    expect(namesWith('moved')).toEqual([]);
  });
});

describe('a statement is found out when', () => {
  const kindsOf = async (text: string) =>
    (await tenantFaults(text, new Set(['messages', 'contacts']))).map(({ kind, table }) => `${kind} ${table}`);

  test.each([
    ['it names no tenant', 'select * from messages where id = $1', 'unbound messages'],
    ['it names one in a comment alone', 'select * from messages -- tenant_id = $1', 'unbound messages'],
    ['it returns the tenant only', 'select tenant_id from messages where id = $1', 'unbound messages'],
    [
      'the tenant is one of two conditions',
      'select * from messages where tenant_id = $1 or id = $2',
      'unbound messages',
    ],
    ['it excludes a tenant', 'select * from messages where tenant_id <> $1', 'unbound messages'],
    ['the tenant is not meant', 'select * from messages where not (tenant_id = $1)', 'unbound messages'],
    [
      'it compares the tenant with itself',
      'select * from messages m where m.tenant_id = m.tenant_id',
      'unbound messages',
    ],
    ['it changes rows of all', 'update messages set body = $1 where id = $2', 'unbound messages'],
    ['it removes rows of all', 'delete from messages where id = $1', 'unbound messages'],
    [
      'a subquery reads rows of all',
      'select * from contacts where tenant_id = $1 and id in (select contact_id from messages)',
      'unbound messages',
    ],
    [
      'a query in with does',
      'with m as (select * from messages) select * from contacts c join m on m.tenant_id = c.tenant_id',
      'unbound messages',
    ],
    [
      'what it selects does',
      'select id, (select count(*) from messages) from contacts where tenant_id = $1',
      'unbound messages',
    ],
    [
      'one of two arms does',
      'select id from contacts where tenant_id = $1 union all select id from messages',
      'unbound messages',
    ],
    [
      'only an outer join speaks of the tenant',
      'select * from contacts c left join messages m on m.tenant_id = c.tenant_id and c.tenant_id = $1',
      'unbound contacts unbound messages',
    ],
    [
      'a join is by an id alone',
      'select * from contacts c join messages m on m.contact_id = c.id where c.tenant_id = $1',
      'unbound messages mixed messages',
    ],
    [
      'both tables are of several tenants, not of the same',
      'select * from contacts c, messages m where c.tenant_id = any($1) and m.tenant_id = any($1) and m.contact_id = c.id',
      'mixed messages',
    ],
    [
      'a row is copied to another tenant',
      'insert into messages (id, tenant_id) select id, other_id from contacts where tenant_id = $1',
      'moved messages',
    ],
    ['a row is moved', 'update messages set tenant_id = $1 where tenant_id = $2', 'moved messages'],
  ])('%s', async (_label, text, found) => {
    expect((await kindsOf(text)).join(' ')).toBe(found);
  });

  test.each([
    'select * from messages where tenant_id = $1::uuid and (id = $2 or id = $3)',
    'select * from contacts c join messages m using (tenant_id, contact_id) where tenant_id = $1',
    'select * from contacts c left join messages m on m.tenant_id = c.tenant_id and m.id = c.last_id where c.tenant_id = $1',
    'select * from messages where (tenant_id, id) in (select tenant_id, id from unnest($1::uuid[], $2::uuid[]) as t (tenant_id, id))',
    'select * from contacts c where tenant_id = $1 and exists (select from messages m where m.tenant_id = c.tenant_id)',
    'with gone as (delete from messages where tenant_id = $1 returning *) insert into contacts (tenant_id) select tenant_id from gone',
    'insert into messages (tenant_id, id) values ($1, $2) on conflict (tenant_id, id) do update set body = excluded.body',
  ])('not when each row is bound: %s', async (text) => {
    expect(await kindsOf(text)).toEqual([]);
  });

  test('it does to rows what these tests do not know', async () => {
    await expect(kindsOf('declare c cursor for select * from messages')).rejects.toThrow(/DeclareCursorStmt/);
  });
});
