import { type Indexed, promisedIds } from './audit.ts';
import type { Violation } from './evidence.ts';

/**
 * Order: messages that one caller posted one after the other to one recipient reach the network in that order. Only
 * those that were sent in the ordinary way at the first attempt are compared; a retry may be overtaken.
 */
export function checkOrder({ client, rows, ledger }: Indexed): readonly Violation[] {
  const place = new Map<string, number>();
  for (const [position, { messageId }] of ledger.entries())
    if (messageId !== null && !place.has(messageId)) place.set(messageId, position);
  const streams = new Map<string, string[]>();
  for (const message of client) {
    const [id] = promisedIds(message);
    const row = id === undefined ? undefined : rows.get(id);
    if (message.stream === null || row === undefined || row.attempts !== 1 || row.hasHistory || row.possibleDuplicate)
      continue;
    streams.set(message.stream, [...(streams.get(message.stream) ?? []), row.messageId]);
  }
  return [...streams].flatMap(([stream, ids]) => inversions(stream, ids, place));
}

function inversions(stream: string, ids: readonly string[], place: ReadonlyMap<string, number>): readonly Violation[] {
  let latest = { id: '', position: -1 };
  return ids.flatMap((id): Violation[] => {
    const position = place.get(id);
    if (position === undefined) return [];
    if (position > latest.position) {
      latest = { id, position };
      return [];
    }
    return [
      { kind: 'order', what: `${stream}: ${id} reached the network before ${latest.id}, which was accepted earlier.` },
    ];
  });
}
