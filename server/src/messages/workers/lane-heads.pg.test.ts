import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import type { DispatcherId, PhoneNumberId, TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { LaneHeads, MARGIN_MS } from './lane-heads.ts';

const NUMBER = '7000' as PhoneNumberId;
const SENT = 30_000;
/** At most so many rows of the queue are on a page. */
const ROWS_PER_PAGE = 100;
/** Between two due times. */
const GAP_MS = 100;
const clock = new TestClock();
const rt = testRuntime({}, clock);
const owner = rt.newId<DispatcherId>();
let database: TestDatabase;
let tenantId: TenantId;
let holder: pg.Client;

beforeAll(async () => {
  database = await openTestDatabase(rt);
  tenantId = await createTenant(rt, database.db, { name: 'Test', unknownResends: 1, windowPolicy: 'network' });
  await run(
    'number',
    `insert into phone_numbers (tenant_id, phone_number_id, display_phone, created_ms) values ($1, $2, '1', 1)`,
    [NUMBER],
  );
  await run('lane', 'insert into lane_owners (tenant_id, lane_id, owner_id, epoch) values ($1, $2, $3, 1)', [
    NUMBER,
    owner,
  ]);
  holder = new pg.Client({ connectionString: database.url ?? '' });
  await holder.connect();
});
afterAll(async () => {
  await holder.end();
  await database.drop();
});

async function run(name: string, text: string, parameters: readonly unknown[] = []): Promise<void> {
  await database.db.run({ name: `test_snapshot_${name}`, text }, [tenantId, ...parameters]);
}

/** A database that also says how many pages each statement reads. */
function watchPages(): { readonly db: Pick<Database, 'run'>; readonly pages: number[] } {
  const pages: number[] = [];
  const run: Database['run'] = async (statement, parameters) => {
    const text = `explain (analyze, buffers, timing off, format json) ${statement.text}`;
    const { rows } = await database.db.run<Explained>({ name: 'test_pages', text }, parameters);
    const plan = rows[0]?.['QUERY PLAN'][0]?.Plan ?? {};
    pages.push((plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0));
    return database.db.run(statement, parameters);
  };
  return { db: { run }, pages };
}

interface Explained {
  readonly 'QUERY PLAN': readonly { readonly Plan: Readonly<Record<string, number>> }[];
}

test('while another session holds a snapshot, a read scans what left within the margin, not all that left since', async () => {
  await holder.query('begin isolation level repeatable read');
  await holder.query('select 1 from tenants');
  const columns = 'tenant_id, message_id, phone_number_id, priority, due_ms, expires_ms, to_phone';
  const values = `$1, gen_random_uuid(), $2, 1, $3::bigint + n * ${GAP_MS}, $3::bigint * 2, '447700900123'`;
  const queue = `insert into send_queue (${columns}) select ${values} from generate_series(1, ${SENT}) n`;
  await run('queue', queue, [NUMBER, clock.now() - SENT * GAP_MS]);
  await run('sent', 'delete from send_queue where tenant_id = $1 and due_ms < $2', [clock.now() - 5 * GAP_MS]);
  const { db, pages } = watchPages();
  const heads = new LaneHeads(rt, db, owner);
  for (let look = 0; look < 2; look += 1)
    expect(await heads.find([{ tenantId, phoneNumberId: NUMBER }], 100)).toHaveLength(6);
  const [fromStart = 0, bounded = 0] = pages;
  expect(fromStart).toBeGreaterThan(SENT / ROWS_PER_PAGE);
  expect(bounded).toBeLessThan(MARGIN_MS / GAP_MS);
});
