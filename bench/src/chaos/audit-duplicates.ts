import type { Indexed } from './audit.ts';
import type { LedgerEntry, Violation } from './evidence.ts';

/** Two clocks of one machine and a timer that may fire a little early. */
const TOLERANCE_MS = 250;
/**
 * A callback that a killed process had stored is interpreted by the next one, which polls for those about once a
 * second.
 */
const LATE_INGEST_MS = 3_000;
/** A message that is to be sent again may wait for its turn: so long at most while a status that settles it lies there unread. */
const UNREAD_MS = 10_000;

/**
 * A2: the network accepted each message once. A second accept is explained only when all of these hold: the row says
 * `possible_duplicate`, its trace says when that was decided, the wait for a status was over, and until then no status of the
 * earlier accept had reached us. No message is sent again more often than its tenant allows.
 */
export function checkDuplicates(indexed: Indexed): {
  readonly violations: readonly Violation[];
  readonly explained: ReadonlySet<string>;
} {
  const firstReported = firstReportedAt(indexed);
  const explained = new Set<string>();
  const violations: Violation[] = [];
  for (const [messageId, entries] of indexed.accepts) {
    if (entries.length < 2) continue;
    const fault = faultOf(indexed, { messageId, entries, firstReported });
    if (fault === null) explained.add(messageId);
    else violations.push({ kind: 'duplicate', what: `${messageId} was accepted ${entries.length} times: ${fault}.` });
  }
  return { violations: [...violations, ...tooManyCopies(indexed), ...repeatedDeaf(indexed)], explained };
}

/** Each decision counts, whether or not the network accepted the copy. Nothing is requeued in these runs, so the count never restarts. */
function tooManyCopies({ rows, unknownResends }: Indexed): readonly Violation[] {
  return [...rows.values()]
    .filter(({ resendsDecidedMs }) => resendsDecidedMs.length > unknownResends)
    .map(({ messageId, resendsDecidedMs }) => {
      const what = `${messageId} was to be sent again ${resendsDecidedMs.length} times, ${unknownResends} allowed.`;
      return { kind: 'duplicate', what };
    });
}

/** A missing status proves nothing while the network cannot reach the service. */
function repeatedDeaf({ rows, deafTimes }: Indexed): readonly Violation[] {
  return [...rows.values()].flatMap(({ messageId, resendsDecidedMs }) =>
    resendsDecidedMs
      .filter((atMs) => deafTimes.some(({ fromMs, toMs }) => atMs >= fromMs && atMs < toMs))
      .map((): Violation => {
        return { kind: 'duplicate', what: `${messageId} was to be sent again while callbacks were refused.` };
      }),
  );
}

function firstReportedAt({ database }: Indexed): ReadonlyMap<string, number> {
  const first = new Map<string, number>();
  for (const { networkId, receivedMs } of database.reported)
    first.set(networkId, Math.min(receivedMs, first.get(networkId) ?? receivedMs));
  return first;
}

interface Repeated {
  readonly messageId: string;
  readonly entries: readonly LedgerEntry[];
  readonly firstReported: ReadonlyMap<string, number>;
}

/** Why the repetition is not allowed; null when it is. */
function faultOf(
  { rows, unknownWaitMs, unknownResends }: Indexed,
  { messageId, entries, firstReported }: Repeated,
): string | null {
  const row = rows.get(messageId);
  if (row?.possibleDuplicate !== true) return 'nothing says that it may be a duplicate';
  if (entries.length > 1 + unknownResends) return `${1 + unknownResends} copies are allowed`;
  for (const [index, later] of entries.entries()) {
    const earlier = entries[index - 1];
    if (earlier === undefined) continue;
    const gapMs = later.acceptedAtMs - earlier.acceptedAtMs;
    if (gapMs < unknownWaitMs - TOLERANCE_MS)
      return `again after ${gapMs} ms, before the wait of ${unknownWaitMs} ms was over`;
    const decidedMs = row.resendsDecidedMs.findLast((atMs) => atMs <= later.acceptedAtMs + TOLERANCE_MS);
    if (decidedMs === undefined) return 'nobody decided to send it again';
    const reportedMs = firstReported.get(earlier.networkId) ?? Number.POSITIVE_INFINITY;
    const late = `again ${later.acceptedAtMs - reportedMs} ms after a status of the first had been stored`;
    if (reportedMs < decidedMs - LATE_INGEST_MS) return `${late}, decided ${decidedMs - reportedMs} ms after it`;
    if (reportedMs < later.acceptedAtMs - UNREAD_MS) return late;
  }
  return null;
}
