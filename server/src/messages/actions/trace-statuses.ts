import type { SqlRunner } from '#database/database';
import { readTraceParents } from '#messages/store/message-traces';
import type { Runtime } from '#runtime/runtime';
import type { PlacedStatus } from './merge-statuses.ts';

/** Adds delivery reports to the traces of their messages, once they are applied. Without traces it does nothing. */
export async function traceStatuses(
  { tracing }: Runtime,
  db: SqlRunner,
  placed: readonly PlacedStatus[],
  startMs: number,
): Promise<void> {
  if (tracing === null || placed.length === 0) return;
  const parents = await readTraceParents(db, placed);
  for (const { messageId, item } of placed) {
    const parent = parents.get(messageId);
    if (parent === undefined) continue;
    const facts = { 'postrider.message_id': messageId, 'postrider.status': item.status };
    tracing.start('callback', { kind: 'consumer', parent, startMs, facts }).end();
  }
}
