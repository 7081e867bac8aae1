import { checkDuplicates } from './audit-duplicates.ts';
import { checkInbound } from './audit-inbound.ts';
import { checkNeighbour } from './audit-neighbour.ts';
import { checkOrder } from './audit-order.ts';
import { checkSilence } from './audit-silence.ts';
import { checkDeliveryStates } from './audit-states.ts';
import { checkTimes } from './audit-times.ts';
import type { ClientMessage, Evidence, LedgerEntry, MessageRow, Violation } from './evidence.ts';

export interface AuditReport {
  readonly violations: readonly Violation[];
  readonly counts: {
    readonly posted: number;
    readonly accepted: number;
    readonly ledger: number;
    /** Second accepts that the rules allow: the wait was over and no status had come. */
    readonly explainedDuplicates: number;
    /** Failed because their outcome stayed unknown after the last copy that was allowed. */
    readonly givenUp: number;
    readonly inbound: number;
    readonly statusesReported: number;
  };
}

/** Evidence with the indexes that the checks share. */
export interface Indexed extends Evidence {
  readonly rows: ReadonlyMap<string, MessageRow>;
  readonly accepts: ReadonlyMap<string, readonly LedgerEntry[]>;
  readonly acceptedIds: readonly string[];
}

/** Compares what the caller was promised, what the network accepted and what the database knows. A pure function. */
export function audit(evidence: Evidence): AuditReport {
  const indexed = index(evidence);
  const duplicates = checkDuplicates(indexed);
  const violations = [
    ...checkLost(indexed),
    ...duplicates.violations,
    ...checkUnrecorded(indexed, duplicates.explained),
    ...checkIdempotency(indexed),
    ...checkOrder(indexed),
    ...checkDeliveryStates(indexed),
    ...checkInbound(indexed),
    ...checkNeighbour(indexed),
    ...checkSilence(indexed),
    ...checkTimes(indexed),
    ...checkRest(indexed),
  ];
  const counts = {
    posted: evidence.client.length,
    accepted: indexed.acceptedIds.length,
    ledger: evidence.ledger.length,
    explainedDuplicates: duplicates.explained.size,
    givenUp: indexed.acceptedIds.filter((id) => isGivenUp(indexed, indexed.rows.get(id))).length,
    inbound: evidence.inbound.length,
    statusesReported: evidence.database.reported.length,
  };
  return { violations, counts };
}

function index(evidence: Evidence): Indexed {
  const rows = new Map(evidence.database.messages.map((row) => [row.messageId, row]));
  const accepts = new Map<string, LedgerEntry[]>();
  for (const entry of evidence.ledger) {
    if (entry.messageId === null) continue;
    const list = accepts.get(entry.messageId) ?? [];
    list.push(entry);
    accepts.set(entry.messageId, list);
  }
  const beside = evidence.neighbour.flatMap(({ id }) => id ?? []);
  return {
    ...evidence,
    rows,
    accepts,
    acceptedIds: [...new Set([...evidence.client.flatMap(promisedIds), ...beside])],
  };
}

/** The ids that a caller was given with a 202. */
export function promisedIds({ answers }: ClientMessage): readonly string[] {
  return answers.flatMap(({ status, id }) => (status === 202 && id !== null ? [id] : []));
}

/** A1: what was answered with 202 exists, is at its end, and was really taken by the network. */
function checkLost(indexed: Indexed): readonly Violation[] {
  const { acceptedIds, rows, accepts } = indexed;
  return acceptedIds.flatMap((id): Violation[] => {
    const row = rows.get(id);
    if (row === undefined) return [{ kind: 'lost', what: `${id} was answered with 202 and is not in the database.` }];
    if (row.status === 'queued') return [{ kind: 'lost', what: `${id} was answered with 202 and was never sent.` }];
    // Nothing the network did in these runs is a final refusal.
    if (isGivenUp(indexed, row)) return [];
    if (row.status === 'failed') return [{ kind: 'lost', what: `${id} was answered with 202 and given up.` }];
    if (!accepts.has(id)) return [{ kind: 'lost', what: `${id} counts as sent and the network never accepted it.` }];
    return [];
  });
}

/** Nobody could learn what became of it, nor of any copy that its tenant allowed. */
function isGivenUp({ unknownResends }: Indexed, row: MessageRow | undefined): boolean {
  return (
    row?.status === 'failed' && row.errorCode === 'delivery_unknown' && row.resendsDecidedMs.length === unknownResends
  );
}

/** A3: nothing left without a message row, and every id of the network can be placed. */
function checkUnrecorded(indexed: Indexed, explained: ReadonlySet<string>): readonly Violation[] {
  const { ledger, rows, database } = indexed;
  return ledger.flatMap((entry): Violation[] => {
    const { messageId, networkId } = entry;
    const row = messageId === null ? undefined : rows.get(messageId);
    if (row === undefined)
      return [{ kind: 'unrecorded', what: `The network accepted ${networkId}, of which the database has no message.` }];
    // The accept whose answer and statuses were all lost is the one thing that cannot be known.
    const isUnknowable = explained.has(row.messageId) || isGivenUp(indexed, row);
    if (database.knownNetworkIds.has(networkId) || isUnknowable) return [];
    return [
      { kind: 'unrecorded', what: `${row.messageId}: the database does not know the network's id ${networkId}.` },
    ];
  });
}

/** A4: one key, one id in all answers, one row. */
function checkIdempotency({ client, database }: Indexed): readonly Violation[] {
  const perRef = new Map<string, number>();
  for (const { clientRef } of database.messages)
    if (clientRef !== null) perRef.set(clientRef, (perRef.get(clientRef) ?? 0) + 1);
  return client.flatMap((message): Violation[] => {
    const ids = new Set(promisedIds(message));
    const rows = perRef.get(message.clientRef) ?? 0;
    if (ids.size > 1)
      return [{ kind: 'idempotency', what: `Key ${message.key} was answered with ${[...ids].join(' and ')}.` }];
    if (rows > 1) return [{ kind: 'idempotency', what: `Key ${message.key} made ${rows} messages.` }];
    return [];
  });
}

function checkRest({ database }: Indexed): readonly Violation[] {
  const { sendQueue, callbackQueue, example } = database.remaining;
  if (sendQueue === 0 && callbackQueue === 0) return [];
  const what = `${sendQueue} sends and ${callbackQueue} callbacks were still waiting at the end${example === null ? '' : `, one as ${example}`}.`;
  return [{ kind: 'not_at_rest', what }];
}
