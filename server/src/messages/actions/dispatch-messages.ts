import { deliveryErrors } from '#core/delivery-errors';
import type { DispatcherId } from '#core/ids';
import type { Database } from '#database/database';
import { MAX_BATCH_ROWS } from '#database/group-commit';
import { faultKind } from '#database/pg-errors';
import { noteFailure } from '#database/readiness';
import { TenantCommits } from '#database/tenant-commits';
import { untilStored } from '#database/until-stored';
import { emitChanges, withEvents } from '#events/actions/with-events';
import { TAKEN_TWICE, type TraceEntry } from '#messages/domain/message';
import { areRefused, waitsOverMs } from '#messages/domain/repeat-hold';
import { readCallbackHealth } from '#messages/store/callback-health';
import { type EndedSend, endSend } from '#messages/store/end-send';
import type { NumberLaneKey } from '#messages/store/leases';
import { findQueuedLanes, findUnknownSends, type UnknownDue } from '#messages/store/queue-due';
import { deferForPair, markOrphans, type QueueKey, setAside } from '#messages/store/send-queue';
import { appendHistory, type SentRow, type SettleRow, settleOthers, settleSent } from '#messages/store/settle-batch';
import type { Runtime } from '#runtime/runtime';
import { UNREADABLE_WAIT_MS } from './claim-messages.ts';
import type { OutcomeWaiters } from './outcome-waiters.ts';

/**
 * Settles sends. Outcomes are facts: they are written again and again until the database takes them. One that it refuses
 * for what it holds is stored without that, and in the end as a dead letter, so that it holds up no other.
 */
export interface Settler {
  sent(row: SentRow): Promise<void>;
  other(row: SettleRow): Promise<void>;
  drain(): Promise<void>;
}

/** Sends in flight bound what can wait here; this only guards against a mistake. */
const MAX_WAITING = 50_000;
/** Nobody waits for a settlement but its own connection, of which there are many: under load fewer, larger ones. */
const SETTLE_TOGETHER = 200;
const SETTLE_GATHER_MS = 20;

function commitOptions(rt: Runtime, db: Database) {
  return {
    clock: rt.clock,
    isShared: db.kind === 'postgres',
    tenantOf: (row: SentRow | SettleRow) => row.tenantId,
    maxBatch: MAX_BATCH_ROWS,
    maxQueued: MAX_WAITING,
    maxInFlight: 1,
    minBatch: SETTLE_TOGETHER,
    gatherMs: SETTLE_GATHER_MS,
    onBatch: (rows: number) => {
      rt.metrics.batchRows.observe({ batch: 'settle' }, rows);
      rt.workHealth.succeeded('settle');
    },
    onFailure: (error: unknown, rows: number) => {
      rt.metrics.storageFailures.inc({ batch: 'settle' });
      noteFailure(rt, 'settle', error);
      // A row that is refused for its content is reported when it is alone.
      if (faultKind(error) !== 'row') rt.log.warn({ error: (error as Error).message, rows }, 'settle.failed');
    },
  };
}

/** @param watch notified of every message that is sent or failed */
export function makeSettler(rt: Runtime, db: Database, watch: OutcomeWaiters): Settler {
  const common = commitOptions(rt, db);
  const sent = new TenantCommits<SentRow, undefined>({
    ...common,
    name: 'settle_sent',
    write: async (rows) => {
      const { twice, told } = await settleSent(db, rows, rt.clock.now());
      rt.eventSignal.notify(told);
      if (twice.length > 0) await noteDuplicates(rt, db, twice);
      if (!watch.idle) for (const row of rows) watch.changed(row.messageId);
      return rows.map(() => undefined);
    },
  });
  const other = new TenantCommits<SettleRow, undefined>({
    ...common,
    name: 'settle_other',
    write: async (rows) => {
      await withEvents(rt, db, async (tx, events) => emitChanges(events, await settleOthers(tx, rows)));
      for (const { settlement } of rows)
        if (settlement.kind === 'failed') rt.metrics.failures.inc({ by: 'send', code: settlement.error.code });
      if (!watch.idle) for (const row of rows) watch.changed(row.messageId);
      return rows.map(() => undefined);
    },
  });
  return {
    sent: (row) => {
      const end = { ...idsOf(row), fromState: null, epoch: null, error: null, nowMs: row.acceptedMs };
      const ways = [() => sent.add(row), () => sent.add({ ...row, networkMessageId: null }), () => endSend(db, end)];
      return untilStored({ rt, what: 'send', ids: idsOf(row), ways });
    },
    other: (row) => {
      // A row that is settled without having been claimed is found again, and must not wait for one that cannot be
      // stored.
      const again = () => setAside(db, row, rt.clock.now() + UNREADABLE_WAIT_MS);
      const last = row.epoch === null ? [again] : [];
      const ways = [() => other.add(row), () => other.add(strippedOf(row)), () => endSend(db, endOf(row)), ...last];
      return untilStored({ rt, what: 'send', ids: idsOf(row), ways });
    },
    drain: async () => {
      await sent.drain();
      await other.drain();
    },
  };
}

function idsOf({ tenantId, messageId }: Pick<SettleRow, 'tenantId' | 'messageId'>) {
  return { tenantId, messageId };
}

/** The same without any foreign content. */
function strippedOf(row: SettleRow): SettleRow {
  const { settlement } = row;
  const { atMs, event } = row.trace;
  const trace = { atMs, event, detail: deliveryErrors.outcome_not_stored };
  if (settlement.kind !== 'failed') return { ...row, trace };
  const { code, retryable } = settlement.error;
  const error = { code, message: deliveryErrors.outcome_not_stored, networkCode: null, retryable };
  return { ...row, trace, settlement: { kind: 'failed', error } };
}

/** A message that was to be tried again ends as well: its row cannot be moved. */
function endOf(row: SettleRow): EndedSend {
  const { fromState, epoch, nowMs } = row;
  const error = {
    code: 'outcome_not_stored',
    message: deliveryErrors.outcome_not_stored,
    networkCode: null,
    retryable: false,
  } as const;
  return { ...idsOf(row), fromState, epoch, error, nowMs };
}

async function noteDuplicates(rt: Runtime, db: Database, rows: readonly SentRow[]): Promise<void> {
  const lines = rows.map((row) => {
    const data = { network_message_id: row.networkMessageId, attempt: row.attempt };
    const trace: TraceEntry = {
      atMs: row.acceptedMs,
      event: 'duplicate',
      detail: TAKEN_TWICE,
      data,
    };
    return { tenantId: row.tenantId, messageId: row.messageId, trace };
  });
  rt.log.warn({ messages: rows.map((row) => row.messageId) }, 'send.duplicate');
  await appendHistory(db, lines);
}

/**
 * Unknown rows about which there is something to decide. Nothing is repeated while callbacks are refused or none of the
 * number comes in: a missing status proves nothing then.
 */
export async function findUnknownDue(rt: Runtime, db: Database, owner: DispatcherId): Promise<readonly UnknownDue[]> {
  const nowMs = rt.clock.now();
  const health = await readCallbackHealth(db);
  const overMs = waitsOverMs(health, nowMs);
  const waitMs = rt.config.unknownWaitS * 1000;
  return findUnknownSends(db, { owner, overMs, nowMs, mayRepeat: !areRefused(health), waitMs });
}

/** Rows step aside until their recipient's next turn; their trace says so. */
export async function deferMessages(
  db: Database,
  rows: readonly (QueueKey & { readonly dueMs: number })[],
  nowMs: number,
): Promise<void> {
  await db.transaction(async (tx) => {
    // Messages are locked before their queue rows, as everywhere.
    await appendHistory(
      tx,
      rows.map((row) => ({ ...row, trace: pairWait(nowMs, row.dueMs) })),
    );
    await deferForPair(tx, rows);
  });
}

function pairWait(nowMs: number, dueMs: number): TraceEntry {
  return {
    atMs: nowMs,
    event: 'waiting',
    detail:
      'The recipient got many messages in a short time. After a burst of 45, the network accepts one every 6 seconds.',
    data: { until: new Date(dueMs).toISOString() },
  };
}

/**
 * Rows that another owner (a killed or frozen process) had claimed become unknown: their send may have reached the
 * network, so they wait for a status before anything else happens.
 */
export async function adoptOrphans(rt: Runtime, db: Database, lanes: readonly NumberLaneKey[]): Promise<number> {
  const nowMs = rt.clock.now();
  const dueMs = nowMs + rt.config.unknownWaitS * 1000;
  const trace: TraceEntry = {
    atMs: nowMs,
    event: 'unknown',
    detail:
      'The process that was sending it stopped, and it is unknown whether the network has it. It waits for a status.',
    data: { until: new Date(dueMs).toISOString() },
  };
  const orphans = await db.transaction(async (tx) => {
    const keys = await markOrphans(tx, lanes, dueMs);
    if (keys.length > 0)
      await appendHistory(
        tx,
        keys.map((key) => ({ ...key, trace })),
      );
    return keys;
  });
  if (orphans.length > 0) rt.log.warn({ messages: orphans.length }, 'send.orphans');
  return orphans.length;
}

/** The same for those of own lanes that have anything in the queue. @param ownedLane null: it is another's */
export async function sweepOrphans(
  rt: Runtime,
  db: Database,
  ownedLane: (lane: Omit<NumberLaneKey, 'epoch'>) => NumberLaneKey | null,
): Promise<number> {
  const lanes = (await findQueuedLanes(db)).flatMap((lane) => ownedLane(lane) ?? []);
  return lanes.length === 0 ? 0 : adoptOrphans(rt, db, lanes);
}
