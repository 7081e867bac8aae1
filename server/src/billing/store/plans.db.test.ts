import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import { addPhoneNumber } from '#accounts/actions/add-number';
import { acquireLanes } from '#accounts/store/lane-owners';
import { migrationsFolder } from '#bin/service';
import { linkEarlier } from '#conversations/store/conversation-links';
import type { ContactId, ConversationId, DispatcherId, MessageId, PhoneNumberId, TenantId } from '#core/ids';
import { queueState } from '#core/queue-state';
import type { OpenDatabase, SqlRunner, Statement, Transaction } from '#database/database';
import { readMigrations } from '#database/migration-file';
import { migrate } from '#database/migrator';
import { type AcceptRow, insertAcceptedBatch } from '#messages/store/accept-batch';
import { noteStatuses, readCallbackHealth } from '#messages/store/callback-health';
import { findDueLanes, findUnknownSends } from '#messages/store/queue-due';
import { claimQueued, findCandidates, markOrphans } from '#messages/store/send-queue';
import { settleOthers, settleSent } from '#messages/store/settle-batch';
import { applyStatuses, takeAnyStatuses, takeStatuses } from '#messages/store/status-batch';
import { declaredStatements } from '#testing/database/declared-statements';
import { plannedSteps, planOf } from '#testing/database/query-plans';
import { openEmptyDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';

/*
 * The trap that costs a factor of twenty: plans made on one connection while the tables are empty, kept while the
 * backlog grows. Everything here runs on one connection. Statistics come when autovacuum likes: the plans must hold
 * before it came and after.
 */

const rt = testRuntime();
const ROWS = 100_000;
const BATCH = 500;
const LANES = 8;
const NOW_MS = 1_700_000_000_000;
/** Each without a walk; the last two are met on the way of a message that was sent. */
const GROWING = ['send_queue', 'outbound_messages', 'contact_identities', 'conversations'];
const owner = rt.newId<DispatcherId>();
let db: OpenDatabase;
let drop: () => Promise<void>;
let tenantId: TenantId;
const numbers = Array.from({ length: LANES }, (_, lane) => String(7_000 + lane) as PhoneNumberId);

beforeAll(async () => {
  ({ db, drop } = await openEmptyDatabase(rt, 1));
  await migrate(db, readMigrations(migrationsFolder()), { nowMs: 1 });
  for (const table of GROWING)
    await db.run(
      { name: `test_no_statistics_${table}`, text: `alter table ${table} set (autovacuum_enabled = false)` },
      [],
    );
  tenantId = await createTenant(rt, db, { name: 'Test', unknownResends: 1, windowPolicy: 'network' });
  for (const [lane, phoneNumberId] of numbers.entries()) {
    await addPhoneNumber(rt, db, {
      tenantId,
      phoneNumberId,
      displayPhone: `1555000${1000 + lane}`,
      name: null,
      ratePerSecond: 0,
    });
  }
  await addContacts();
  await acquireLanes(
    db,
    owner,
    numbers.map((laneId) => ({ tenantId, laneId, epoch: 0 })),
  );
  for (const rows of [1_000, ROWS]) {
    await growTo(rows);
    await workThrough();
  }
});
afterAll(() => drop());

/** Every tenth recipient is a contact, each with an open conversation, as in a large inbox. */
async function addContacts(): Promise<void> {
  const id = (prefix: string) => `('${prefix}-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;
  const phone = `'4477' || lpad((n * 10)::text, 8, '0')`;
  const from = `from generate_series(0, ${ROWS / 10}) n`;
  const insert = `
    with made as (
      insert into contacts (tenant_id, contact_id, phone, created_ms, updated_ms)
      select $1, ${id('00000001')}, ${phone}, 1, 1 ${from}
    ), known as (
      insert into contact_identities (tenant_id, kind, value, contact_id) select $1, 'phone', ${phone}, ${id('00000001')} ${from}
    )
    insert into conversations (tenant_id, conversation_id, contact_id, phone_number_id, number, status,
      last_message_ms, opened_ms, created_ms, updated_ms)
    select $1, ${id('00000002')}, ${id('00000001')}, $2, n + 1000, 'open', 1, 1, 1, 1 ${from}`;
  await db.run({ name: 'test_contacts', text: insert }, [tenantId, numbers[0]]);
}

let grown = 0;

function lanesOf(epoch: number) {
  return numbers.map((phoneNumberId) => ({ tenantId, phoneNumberId, epoch }));
}

async function growTo(rows: number): Promise<void> {
  for (; grown < rows; grown += BATCH) {
    await insertAcceptedBatch(
      db,
      Array.from({ length: BATCH }, (_, index) => newRow(grown + index)),
    );
    // Inserts have connections of their own: the one that is looked at here would be closed as idle meanwhile.
    await db.run({ name: 'test_in_use', text: 'select 1' }, []);
  }
}

function newRow(index: number): AcceptRow {
  const message = {
    tenantId,
    messageId: rt.newId<MessageId>(),
    content: { type: 'text', body: 'Hello', previewUrl: false },
    to: `4477${String(index).padStart(8, '0')}`,
    phoneNumberId: numbers[index % LANES] ?? ('' as PhoneNumberId),
    campaignName: null,
    clientRef: null,
    replyTo: null,
    resendOf: null,
    author: null,
    priority: index % 10 === 0 ? 'bulk' : 'normal',
    sendAtMs: null,
    expiresMs: NOW_MS * 2,
    createdMs: NOW_MS + index,
  } as const;
  return { message, idempotency: null };
}

/** Often enough that PostgreSQL would keep a plan if it may: it tries five with the values first. */
const ROUNDS = 7;

/** Finds, claims and settles 500 rows, which new ones replace. */
async function workThrough(): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const claimed = await claimSome();
    await settleSent(
      db,
      claimed.map((row) => ({ ...row, networkMessageId: `wamid.${row.messageId}`, acceptedMs: NOW_MS })),
      NOW_MS,
    );
    expect(claimed.length).toBe(BATCH);
    await growTo(grown + BATCH);
  }
}

async function claimSome(runner: SqlRunner = db) {
  const found = await findCandidates(runner, {
    owner,
    lanes: numbers.map((phoneNumberId) => ({ tenantId, phoneNumberId })),
    nowMs: NOW_MS * 2,
    limit: BATCH,
  });
  return claimQueued(
    runner,
    owner,
    found.slice(0, BATCH).map((row) => ({ ...row, epoch: 1 })),
  );
}

/** Remembers the statements that go through it, so that exactly those can be explained. */
function recorder(): {
  readonly runner: Transaction;
  readonly seen: { statement: Statement; parameters: readonly unknown[] }[];
} {
  const seen: { statement: Statement; parameters: readonly unknown[] }[] = [];
  const runner: Transaction = {
    atCommit: () => undefined,
    run: (statement, parameters) => {
      seen.push({ statement, parameters });
      return db.run(statement, parameters);
    },
  };
  return { runner, seen };
}

/** Counts the pairs of rows that statements compare for nothing; what they do is undone. */
function vainCounter(): { readonly runner: Transaction; readonly counts: Map<string, number> } {
  const counts = new Map<string, number>();
  const count = async ({ name, text }: Statement, parameters: readonly unknown[]) => {
    const undone = db.transaction(async (tx) => {
      const nodes = await planOf(tx, text, parameters);
      counts.set(
        name,
        nodes.reduce((sum, node) => sum + (node['Rows Removed by Join Filter'] ?? 0), 0),
      );
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    return { rows: [], rowCount: 0 };
  };
  return { runner: { run: count as SqlRunner['run'], atCommit: () => undefined }, counts };
}

/** What a plan does to the tables that grow; nothing of it may be a walk. */
async function expectNoWalk(statement: Statement, parameters: readonly unknown[]) {
  const nodes = await plannedSteps(db, statement.text, parameters);
  const onBig = nodes.filter((node) => GROWING.includes(node['Relation Name'] ?? ''));
  expect(
    onBig.filter((node) => node['Node Type'] === 'Seq Scan'),
    statement.name,
  ).toEqual([]);
  return nodes;
}

async function expectIndexed(statement: Statement, parameters: readonly unknown[]): Promise<void> {
  const nodes = await expectNoWalk(statement, parameters);
  const scans = nodes.filter(
    (node) => /Index/.test(node['Node Type']) && /^(send_queue|outbound_messages)/.test(node['Index Name'] ?? ''),
  );
  expect(scans.length, statement.name).toBeGreaterThan(0);
  expect(
    scans.filter((node) => !/tenant_id/.test(node['Index Cond'] ?? '')),
    statement.name,
  ).toEqual([]);
}

function customerRows(contactId: ContactId, conversationId: ConversationId, phone: string) {
  const contact = `insert into contacts (tenant_id, contact_id, phone, created_ms, updated_ms) values ($1, $2, $3, 1, 1)`;
  const identity = `insert into contact_identities (tenant_id, kind, value, contact_id) values ($1, 'phone', $3, $2)`;
  const conversation = `insert into conversations (tenant_id, conversation_id, contact_id, phone_number_id, number, status,
    last_message_ms, opened_ms, created_ms, updated_ms) values ($1, $3, $2, $4, $5, 'open', 1, 1, 1, 1)`;
  return [
    [contact, [tenantId, contactId, phone]],
    [identity, [tenantId, contactId, phone]],
    [conversation, [tenantId, conversationId, contactId, numbers[0], Number(phone.slice(-3)) + 1]],
  ] as const;
}

describe.each([
  { statistics: 'without', analyze: false },
  { statistics: 'with', analyze: true },
])('one connection from empty tables to 100,000 queued messages, $statistics statistics', ({ statistics, analyze }) => {
  beforeAll(async () => {
    if (analyze) await db.run({ name: 'test_analyze', text: 'analyze' }, []);
  });

  test('finding the heads of lanes walks the index of the lane, by every column up to the due time', async () => {
    const { runner, seen } = recorder();
    await findCandidates(runner, {
      owner,
      lanes: numbers.map((phoneNumberId) => ({ tenantId, phoneNumberId })),
      nowMs: NOW_MS * 2,
      limit: 100,
    });
    const [query] = seen;
    const nodes = await plannedSteps(db, query?.statement.text ?? '', query?.parameters ?? []);
    const scans = nodes.filter((node) => node['Index Name'] === 'send_queue_lane');
    expect(scans.length).toBeGreaterThan(0);
    for (const column of ['tenant_id', 'phone_number_id', 'state', 'priority', 'due_ms']) {
      for (const scan of scans) expect(scan['Index Cond']).toContain(column);
    }
    expect(nodes.filter((node) => node['Relation Name'] === 'send_queue' && node['Node Type'] === 'Seq Scan')).toEqual(
      [],
    );
  });

  test('asking which lanes have work due, or outcomes that stayed unknown, walks no table that grows', async () => {
    const { runner, seen } = recorder();
    await findDueLanes(runner, owner, NOW_MS * 2);
    const nowMs = NOW_MS * 2;
    await findUnknownSends(runner, { owner, overMs: nowMs, nowMs, mayRepeat: true, waitMs: 60_000 });
    await markOrphans(runner, lanesOf(1), NOW_MS * 2);
    for (const { statement, parameters } of seen) await expectIndexed(statement, parameters);
  });

  test('asking how callbacks fare, and noting that statuses come in, walks no table that grows', async () => {
    const { runner, seen } = recorder();
    await readCallbackHealth(runner);
    await noteStatuses(runner, [{ tenantId, phoneNumberId: numbers[0] as PhoneNumberId, statusMs: NOW_MS }]);
    expect(seen).toHaveLength(2);
    for (const { statement, parameters } of seen) await expectNoWalk(statement, parameters);
  });

  test('what was sent to a customer before a conversation was opened is found by the number of the customer', async () => {
    const { runner, seen } = recorder();
    const [contactId, conversationId] = [rt.newId<ContactId>(), rt.newId<ConversationId>()];
    const phone = newRow(statistics === 'with' ? 4 : 3).message.to;
    for (const [index, [text, values]] of customerRows(contactId, conversationId, phone).entries())
      await db.run({ name: `test_customer_${index}`, text }, values);
    await linkEarlier(runner, { tenantId, conversationId }, '00000000-0000-7000-8000-000000000000');
    const [link] = seen;
    const nodes = await plannedSteps(db, link?.statement.text ?? '', link?.parameters ?? []);
    const scans = nodes.filter((node) => node['Index Name'] === 'outbound_messages_to');
    expect(scans.map((node) => node['Index Cond'])).toEqual([expect.stringMatching(/tenant_id.*to_phone.*message_id/)]);
  });

  test('claiming, settling and applying statuses reach their rows by key', async () => {
    const { runner, seen } = recorder();
    const claimed = await claimSome(runner);
    seen.shift();
    const [sent, failed] = [claimed.slice(0, 250), claimed.slice(250)];
    await settleSent(
      runner,
      sent.map((row) => ({ ...row, networkMessageId: `wamid.${row.messageId}`, acceptedMs: NOW_MS })),
      NOW_MS,
    );
    const settlement = { kind: 'again', dueMs: NOW_MS, possibleDuplicate: false, uncounted: false } as const;
    const trace = { atMs: NOW_MS, event: 'retry', detail: 'A test.' };
    await settleOthers(
      runner,
      failed.map((row) => ({ ...row, fromState: queueState.claimed, nowMs: NOW_MS, settlement, trace })),
    );
    const batch = { rows: sent.map(statusRow), nowMs: NOW_MS, reconciledTrace: '[]', batchId: rt.newId() };
    await applyStatuses(runner, batch);
    await takeAnyStatuses(runner, batch);
    await takeStatuses(runner, batch);
    expect(seen.length).toBeGreaterThanOrEqual(7);
    for (const { statement, parameters } of seen) await expectIndexed(statement, parameters);
    const [settle] = seen.filter(({ statement }) => statement.name === 'settle_sent');
    const nodes = await plannedSteps(db, settle?.statement.text ?? '', settle?.parameters ?? []);
    const conditions = (index: string) =>
      nodes.filter((node) => node['Index Name'] === index).map((node) => node['Index Cond']);
    // The contact by its number, and its conversation by the contact: never all contacts or all conversations of a number.
    for (const condition of conditions('contact_identities_pkey')) expect(condition).toMatch(/tenant_id.*kind.*value/);
    expect(conditions('contact_identities_pkey')).toHaveLength(1);
    const found = nodes.filter((node) => node['Relation Name'] === 'conversations' && node['Index Cond'] !== undefined);
    expect(found.length).toBeGreaterThan(1);
    for (const node of found) expect(node['Index Cond']).toMatch(/contact_id|conversation_id/);
  });

  test('a batch costs what its rows do, not their square', async () => {
    const { runner, counts } = vainCounter();
    const claimed = await claimSome();
    const sent = claimed.map((row) => ({ ...row, networkMessageId: `wamid.${row.messageId}`, acceptedMs: NOW_MS }));
    await settleSent(runner, sent, NOW_MS);
    const batch = { rows: claimed.map(statusRow), nowMs: NOW_MS, reconciledTrace: '[]', batchId: rt.newId() };
    await applyStatuses(runner, batch);
    await takeAnyStatuses(runner, batch);
    await takeStatuses(runner, batch);
    expect([...counts.keys()]).toEqual(['settle_sent', 'apply_statuses', 'take_statuses', 'take_ordinary_statuses']);
    for (const [name, pairs] of counts) expect(pairs, name).toBeLessThan(10 * BATCH);
    // Sent for real, so that the next ones find the same.
    await settleSent(db, sent, NOW_MS);
  });

  function statusRow(row: {
    readonly tenantId: TenantId;
    readonly messageId: MessageId;
    readonly phoneNumberId: PhoneNumberId;
  }) {
    const times = { sentMs: NOW_MS, deliveredMs: NOW_MS, readMs: null, failedMs: null, error: null, pricing: null };
    return { ...row, networkMessageId: `wamid.${row.messageId}`, attempt: 1, ...times };
  }

  test('no statement kept a plan from before: each was planned for its values, every time, but for those that may keep theirs for a second', async () => {
    const text = `select name, generic_plans::int as kept, custom_plans::int as made from pg_prepared_statements
      where cardinality(parameter_types) > 0`;
    const { rows } = await db.run<{ name: string; kept: number; made: number }>({ name: 'test_plans', text }, []);
    const mayKeep = (await declaredStatements()).filter(({ hot, insertsOnly }) => hot || insertsOnly);
    const names = new Set(mayKeep.map(({ name }) => name));
    expect(rows.filter(({ name, kept }) => kept > 0 && !names.has(name))).toEqual([]);
    const often = rows.filter(({ kept, made }) => kept + made >= 2 * ROUNDS).map(({ name }) => name);
    expect(often).toEqual(expect.arrayContaining(['queue_candidates', 'queue_claim', 'settle_sent']));
  });
});
