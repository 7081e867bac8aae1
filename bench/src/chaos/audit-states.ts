import type { Indexed } from './audit.ts';
import type { MessageRow, Violation } from './evidence.ts';

/**
 * A7: a message shows what the network reported, in whatever order it came; and while the network lost no status, every
 * accepted message was reported to the end.
 */
export function checkDeliveryStates(indexed: Indexed): readonly Violation[] {
  return [...checkReported(indexed), ...checkComplete(indexed)];
}

function checkReported({ database, ledger, rows }: Indexed): readonly Violation[] {
  const messageOf = new Map(ledger.map(({ networkId, messageId }) => [networkId, messageId]));
  const seen = new Set<string>();
  return database.reported.flatMap(({ networkId, status }): Violation[] => {
    const row = rows.get(messageOf.get(networkId) ?? '');
    const key = `${networkId}/${status}`;
    if (row === undefined || seen.has(key) || knows(row, status)) return [];
    seen.add(key);
    return [{ kind: 'delivery_state', what: `${row.messageId} does not show "${status}", which the network told.` }];
  });
}

function knows(row: MessageRow, status: string): boolean {
  if (status === 'sent') return row.sentKnown;
  if (status === 'delivered') return row.deliveredKnown;
  if (status === 'read') return row.readKnown;
  return true;
}

function checkComplete({ completeTimes, database, ledger, rows }: Indexed): readonly Violation[] {
  return ledger.flatMap(({ messageId, networkId, acceptedAtMs }): Violation[] => {
    const row = rows.get(messageId ?? '');
    const complete = completeTimes.some(({ fromMs, toMs }) => acceptedAtMs >= fromMs && acceptedAtMs < toMs);
    if (row === undefined || !complete || row.readKnown) return [];
    const told = database.reported.filter((one) => one.networkId === networkId).map(({ status }) => status);
    const how = `accepted at ${new Date(acceptedAtMs).toISOString()} as ${networkId}; it is ${row.status} (${row.errorCode}), callbacks told: ${told.join(', ') || 'nothing'}`;
    return [
      {
        kind: 'delivery_state',
        what: `${row.messageId} was read by its recipient, and the database does not know it (${how}).`,
      },
    ];
  });
}
