import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findIdempotency } from '#access/store/idempotency';
import type { MessageId, PhoneNumberId, TenantId } from '#core/ids';
import type { Statement } from '#database/database';
import { GroupCommit, MAX_BATCH_ROWS } from '#database/group-commit';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import { type AcceptRow, insertAcceptedBatch } from './accept-batch.ts';

/* Messages of several tenants are stored by one statement: what it writes and answers for one of them is as if the others were not there. */

const rt = testRuntime();
let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase(rt);
});
afterAll(() => database.drop());

/** A post of one of three tenants, who use the same few idempotency keys; some are rows that the database refuses. */
const post = fc.record({
  tenant: fc.nat(2),
  key: fc.option(fc.constantFrom('order-1', 'order-2', 'order-3')),
  isRefused: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
});
type Post = { readonly tenant: number; readonly key: string | null; readonly isRefused: boolean };
/** Posts that arrive together, several times in a row. */
const history = fc.array(fc.array(post, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 4 });

const REFUSED = 'a\0b';

function rowOf(tenantId: TenantId, { key, isRefused }: Post, place: string): AcceptRow {
  const message = {
    tenantId,
    messageId: rt.newId<MessageId>(),
    content: { type: 'text', body: isRefused ? REFUSED : `${place} of ${tenantId}`, previewUrl: false },
    // The same for all tenants, as far as it can be.
    to: '447700900123',
    phoneNumberId: '100' as PhoneNumberId,
    campaignName: 'spring',
    clientRef: 'the same',
    replyTo: null,
    resendOf: null,
    author: null,
    priority: 'normal',
    sendAtMs: null,
    expiresMs: 2_000_000_000_000,
    createdMs: 1_700_000_000_000,
  } as const;
  return { message, idempotency: key === null ? null : { keyHash: key, fingerprint: 'the same' } };
}

const STORED: Statement = {
  name: 'test_stored_of_tenant',
  text: `
select m.message_id, m.content ->> 'body' as body, q.message_id is not null as queued,
  exists (select from event_pages p where p.tenant_id = m.tenant_id and m.message_id = any(p.message_ids)) as told
from outbound_messages m left join send_queue q on q.tenant_id = m.tenant_id and q.message_id = m.message_id
where m.tenant_id = $1 order by m.message_id`,
};
const COUNTED: Statement = {
  name: 'test_counted_of_tenant',
  text: `select coalesce(sum(amount), 0)::integer as amount from usage_counters where tenant_id = $1`,
};

/** What a tenant finds afterwards, and what it is answered for each of its posts. */
async function outcomeOf(posts: readonly (readonly Post[])[], only: number | null) {
  const tenants = [0, 1, 2].map(() => rt.newId<TenantId>());
  const commits = new GroupCommit<AcceptRow, boolean>({
    name: 'test',
    maxBatch: MAX_BATCH_ROWS,
    maxQueued: 1_000,
    maxInFlight: 1,
    write: async (rows) => {
      const stored = await insertAcceptedBatch(database.db, rows);
      return rows.map(({ message }) => stored.has(message.messageId));
    },
  });
  const answers: string[][] = [[], [], []];
  for (const [turn, together] of posts.entries()) {
    const settled = together.map(async (one, place) => {
      if (only !== null && one.tenant !== only) return;
      const row = rowOf(tenants[one.tenant] as TenantId, one, `${turn}/${place}`);
      answers[one.tenant]?.push(`${turn}/${place} ${await commits.add(row).then(String, () => 'refused')}`);
    });
    await Promise.all(settled);
  }
  return Promise.all(
    tenants.map(async (tenantId, tenant) => ({ answers: answers[tenant]?.toSorted(), ...(await foundBy(tenantId)) })),
  );
}

async function foundBy(tenantId: TenantId) {
  const { rows } = await database.db.run<{ message_id: string; body: string; queued: boolean; told: boolean }>(STORED, [
    tenantId,
  ]);
  const bodies = new Map(rows.map((row) => [row.message_id, row.body]));
  const keys = ['order-1', 'order-2', 'order-3'].map(async (key) => {
    const found = await findIdempotency(database.db, tenantId, key);
    return found === null ? null : (bodies.get(found.message?.id ?? '') ?? 'a message of somebody else');
  });
  const counted = await database.db.run<{ amount: number }>(COUNTED, [tenantId]);
  const own = (text: string) => text.replace(tenantId, 'its own');
  return {
    stored: rows.map(({ body, queued, told }) => [own(body), queued, told]),
    keys: (await Promise.all(keys)).map((body) => body && own(body)),
    counted: counted.rows[0]?.amount,
  };
}

describe('the statement that stores messages of several tenants', () => {
  test('does for each of them what it would do for it alone, with equal keys, repeats and refused rows among them', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (posts) => {
        const together = await outcomeOf(posts, null);
        for (const tenant of [0, 1, 2]) expect(together[tenant]).toEqual((await outcomeOf(posts, tenant))[tenant]);
      }),
      { numRuns: 15 },
    );
  });
});
