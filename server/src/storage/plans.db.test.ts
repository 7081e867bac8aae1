import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DispatcherId, MessageId, PhoneNumberId, TenantId } from '#core/ids';
import { addPhoneNumber, createTenant } from '#operations/manage-tenants';
import { makeDatabase } from '#testing/test-database';
import { testRuntime } from '#testing/test-runtime';
import { migrationsFolder } from '../../bin/service.ts';
import { type AcceptRow, insertAcceptedBatch } from './accept-batch.ts';
import type { Database, SqlRunner, Statement } from './database.ts';
import { acquireLanes } from './leases.ts';
import { migrate, readMigrations } from './migrator.ts';
import { openPglite } from './pglite.ts';
import { openPostgres } from './postgres.ts';
import { claimMessages, findCandidates, findDueLanes } from './send-queue.ts';
import { settleOthers, settleSent } from './settle-batch.ts';
import { applyStatuses } from './status-batch.ts';

/*
 * The trap that costs a factor of twenty: plans made on one connection while the tables are empty, kept while the
 * backlog grows. Everything here runs on one connection, without ANALYZE by us.
 */

const rt = testRuntime();
const ROWS = 100_000;
const BATCH = 500;
const LANES = 8;
const NOW_MS = 1_700_000_000_000;
const owner = rt.newId<DispatcherId>();
let db: Database;
let drop: () => Promise<void>;
let tenantId: TenantId;
const numbers = Array.from({ length: LANES }, (_, lane) => String(7_000 + lane) as PhoneNumberId);
const costs = new Map<number, number>();

beforeAll(async () => {
  const made = await makeDatabase();
  drop = made.drop;
  db = made.url === null ? await openPglite(null) : openPostgres({ url: made.url, poolSize: 1, log: rt.log });
  await migrate(db, readMigrations(migrationsFolder()), 1);
  tenantId = await createTenant(rt, db, { name: 'Test', onUnknown: 'resend', windowPolicy: 'network' });
  for (const [lane, phoneNumberId] of numbers.entries()) {
    await addPhoneNumber(rt, db, {
      tenantId,
      phoneNumberId,
      displayPhone: `1555000${1000 + lane}`,
      name: null,
      ratePerSecond: 0,
    });
  }
  await acquireLanes(
    db,
    owner,
    numbers.map((phoneNumberId) => ({ tenantId, phoneNumberId, epoch: 0 })),
  );
  for (const rows of [1_000, ROWS]) {
    await growTo(rows);
    costs.set(rows, await medianCost());
  }
});
afterAll(async () => {
  await db.close();
  await drop();
});

let grown = 0;

async function growTo(rows: number): Promise<void> {
  for (; grown < rows; grown += BATCH)
    await insertAcceptedBatch(
      db,
      Array.from({ length: BATCH }, (_, index) => newRow(grown + index)),
    );
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
    priority: index % 10 === 0 ? 'bulk' : 'normal',
    sendAtMs: null,
    expiresMs: NOW_MS * 2,
    createdMs: NOW_MS + index,
  } as const;
  return { message, idempotency: null };
}

/** Finds, claims and settles 500 rows, which new ones replace; the middle of five rounds, in milliseconds. */
async function medianCost(): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const startMs = performance.now();
    const claimed = await claimSome();
    await settleSent(
      db,
      claimed.map((row) => ({ ...row, networkMessageId: `wamid.${row.messageId}`, acceptedMs: NOW_MS })),
    );
    times.push(performance.now() - startMs);
    expect(claimed.length).toBe(BATCH);
    await growTo(grown + BATCH);
  }
  return times.sort((a, b) => a - b)[2] ?? 0;
}

async function claimSome(runner: SqlRunner = db) {
  const found = await findCandidates(runner, { owner, phoneNumberIds: numbers, nowMs: NOW_MS * 2, limit: BATCH });
  return claimMessages(
    runner,
    owner,
    found.slice(0, BATCH).map((row) => ({ ...row, epoch: 1 })),
  );
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** Remembers the statements that go through it, so that exactly those can be explained. */
function recorder(): {
  readonly runner: SqlRunner;
  readonly seen: { statement: Statement; parameters: readonly unknown[] }[];
} {
  const seen: { statement: Statement; parameters: readonly unknown[] }[] = [];
  const runner: SqlRunner = {
    run: (statement, parameters) => {
      seen.push({ statement, parameters });
      return db.run(statement, parameters);
    },
  };
  return { runner, seen };
}

async function planNodes(statement: Statement, parameters: readonly unknown[]): Promise<readonly PlanNode[]> {
  const explain = { name: `explain_${statement.name}`, text: `explain (format json) ${statement.text}` };
  const { rows } = await db.run<{ 'QUERY PLAN': readonly { Plan: PlanNode }[] | string }>(explain, parameters);
  const plan = rows[0]?.['QUERY PLAN'] ?? '[]';
  const [root] = (typeof plan === 'string' ? JSON.parse(plan) : plan) as { Plan: PlanNode }[];
  return root ? flatten(root.Plan) : [];
}

function flatten(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)];
}

/** What a plan does to the two tables that grow; nothing of it may be a walk. */
async function expectIndexed(statement: Statement, parameters: readonly unknown[]): Promise<void> {
  const nodes = await planNodes(statement, parameters);
  const onBig = nodes.filter((node) => ['send_queue', 'outbound_messages'].includes(node['Relation Name'] ?? ''));
  expect(
    onBig.filter((node) => node['Node Type'] === 'Seq Scan'),
    statement.name,
  ).toEqual([]);
  const scans = nodes.filter(
    (node) => /Index/.test(node['Node Type']) && /^(send_queue|outbound_messages)/.test(node['Index Name'] ?? ''),
  );
  expect(scans.length, statement.name).toBeGreaterThan(0);
  expect(
    scans.filter((node) => !/tenant_id/.test(node['Index Cond'] ?? '')),
    statement.name,
  ).toEqual([]);
}

describe('one connection from empty tables to 100,000 queued messages', () => {
  test('finding the heads of lanes walks the index of the lane, by every column up to the due time', async () => {
    const { runner, seen } = recorder();
    await findCandidates(runner, { owner, phoneNumberIds: numbers, nowMs: NOW_MS * 2, limit: 100 });
    const [query] = seen;
    const nodes = await planNodes(query?.statement ?? { name: '', text: '' }, query?.parameters ?? []);
    const scans = nodes.filter((node) => node['Index Name'] === 'send_queue_lane');
    expect(scans.length).toBeGreaterThan(0);
    for (const column of ['tenant_id', 'phone_number_id', 'state', 'priority', 'due_ms']) {
      for (const scan of scans) expect(scan['Index Cond']).toContain(column);
    }
    expect(nodes.filter((node) => node['Relation Name'] === 'send_queue' && node['Node Type'] === 'Seq Scan')).toEqual(
      [],
    );
  });

  test('asking which lanes have work due walks no table that grows', async () => {
    const { runner, seen } = recorder();
    await findDueLanes(runner, owner, NOW_MS * 2);
    for (const { statement, parameters } of seen) await expectIndexed(statement, parameters);
  });

  test('claiming, settling and applying statuses reach their rows by key', async () => {
    const { runner, seen } = recorder();
    const claimed = await claimSome(runner);
    seen.shift();
    const [sent, failed] = [claimed.slice(0, 250), claimed.slice(250)];
    await settleSent(
      runner,
      sent.map((row) => ({ ...row, networkMessageId: `wamid.${row.messageId}`, acceptedMs: NOW_MS })),
    );
    const settlement = { kind: 'again', dueMs: NOW_MS, possibleDuplicate: false, uncounted: false } as const;
    const trace = { atMs: NOW_MS, event: 'retry', detail: 'A test.' };
    await settleOthers(
      runner,
      failed.map((row) => ({ ...row, fromState: 1, nowMs: NOW_MS, settlement, trace })),
    );
    await applyStatuses(runner, {
      rows: sent.map(statusRow),
      nowMs: NOW_MS,
      reconciledTrace: '[]',
      batchId: rt.newId(),
    });
    expect(seen.length).toBeGreaterThanOrEqual(5);
    for (const { statement, parameters } of seen) await expectIndexed(statement, parameters);
  });

  function statusRow(row: {
    readonly tenantId: TenantId;
    readonly messageId: MessageId;
    readonly phoneNumberId: PhoneNumberId;
  }) {
    const times = { sentMs: NOW_MS, deliveredMs: NOW_MS, readMs: null, failedMs: null, error: null, pricing: null };
    return { ...row, networkMessageId: `wamid.${row.messageId}`, attempt: 1, ...times };
  }

  test('claiming and settling 500 costs at most five times what it cost at 1,000 queued', () => {
    const [small = 0, large = 0] = [costs.get(1_000), costs.get(ROWS)];
    expect(small).toBeGreaterThan(0);
    expect(large / small).toBeLessThan(5);
  });
});
