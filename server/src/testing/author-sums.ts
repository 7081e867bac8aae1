import { expect } from 'vitest';
import { readBreakdown } from '#analytics/store/analytics-reads';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { NO_COUNTS } from '#events/domain/message-sums';
import type { NewMessage } from '#messages/domain/message';

/** Of messages that are accepted; also none. */
export const AUTHORS: readonly (NewMessage['author'] | undefined)[] = [
  { kind: 'agent', id: '0190a6f2-9a00-7b00-8c00-0a1b2c3d4e5f' },
  { kind: 'rule', id: '0190a6f2-9a00-7b00-8c00-0a1b2c3d4e60' },
  { kind: 'key', id: '0190a6f2-9a00-7b00-8c00-0a1b2c3d4e61' },
];
const RECOUNTED_AUTHORS = {
  name: 'recount_authors',
  text: `select (array['agent', 'rule', 'campaign', 'key'])[author_kind] as kind, author_id as id, count(*)::integer as n
    from outbound_messages where tenant_id = $1 and author_kind is not null group by 1, 2`,
};

/** Authors are counted for what was accepted, and for nothing that happens later. */
export async function expectAuthors(db: Database, tenantId: TenantId): Promise<void> {
  const { rows } = await db.run<{ kind: string; id: string; n: number }>(RECOUNTED_AUTHORS, [tenantId]);
  for (const [dimension, keyOf] of [
    ['author', ({ kind, id }: { kind: string; id: string }) => `${kind}:${id}`],
    ['author_kind', ({ kind }: { kind: string }) => kind],
  ] as const) {
    const read = await readBreakdown(db, {
      tenantId,
      dimension,
      period: { startMs: 0, endMs: 4_102_444_800_000 },
      limit: 100,
    });
    const sums = Object.fromEntries(read.map(({ key, counts }) => [key, counts]));
    const facts = rows.map((row) => [keyOf(row), { ...NO_COUNTS, accepted: row.n }]);
    expect([dimension, sums]).toEqual([dimension, Object.fromEntries(facts)]);
  }
}
