import { audit } from '#access/actions/audit';
import { OPERATOR, SERVICE } from '#access/domain/audit';
import { forgetOwners } from '#accounts/store/lane-owners';
import { holdCampaigns } from '#campaigns/actions/hold-campaigns';
import type { Origin } from '#core/caller/origin';
import type { Connection, Database, Transaction } from '#database/database';
import { type RememberedMark, readMarkFile, writeMarkFile } from '#database/mark-file';
import { type EventSink, withEvents } from '#events/actions/with-events';
import { type HistoryMark, type HistoryReason, historyChange, isBefore } from '#maintenance/domain/database-history';
import {
  beginHistory,
  disownLanes,
  findHistory,
  lockHistory,
  markHistory,
  readServerIdentity,
} from '#maintenance/store/database-history';
import type { TraceEntry } from '#messages/domain/message';
import { holdDue } from '#messages/store/held-messages';
import type { Runtime } from '#runtime/runtime';

/**
 * How often the database gets a mark: a restore to a more recent point is noticed by the identity of the server alone.
 */
export const MARK_MS = 5_000;

/** Notices that the database was restored, or that a replica took over, before anything is sent on its word. */
export interface HistoryKeeper {
  /** Before any role starts, and from then on for each new connection. @throws StorageUnavailable */
  open(): Promise<void>;
  /** The step of a loop: makes the next mark, and compares. */
  mark(): Promise<void>;
}

/** @param dataDir where the mark is remembered beside the database; each database needs a folder of its own */
export function makeHistoryKeeper(rt: Runtime, db: Database, dataDir = rt.config.dataDir): HistoryKeeper {
  let known: (RememberedMark & { readonly timeline: string }) | null = null;
  let isWritable = true;

  const learn = (history: RememberedMark & { readonly timeline: string }): void => {
    known = history;
    rt.metrics.databaseHistory.set(history.historyId);
    if (isWritable) isWritable = remember(rt, dataDir, history);
  };
  const look = async (connection: Connection): Promise<void> => {
    const { server, timeline } = await readServerIdentity(connection);
    if (known?.server === server && known.timeline === timeline) return;
    await compare(connection, known);
  };
  const compare = async (connection: Connection, remembered: HistoryMark | null): Promise<void> => {
    const found = await withEvents(rt, connection, (tx, events) => settleHistory({ rt, tx, events }, remembered));
    if (found.began !== null) rt.log.error(found.began, 'database.history_began');
    learn(found);
  };
  return {
    open: async () => {
      const { server } = await readServerIdentity(db);
      await compare(db, readMarkFile(dataDir, server));
      db.guard(look);
    },
    mark: async () => {
      const found = await markHistory(db, rt.clock.now());
      // Another timeline in the row: it is either this server's, or what a lost history left.
      const isOther = known !== null && (isBefore(found ?? known, known) || found?.timeline !== known.timeline);
      if (found === null || isOther) return compare(db, known);
      learn(found);
    },
  };
}

/** @returns false when the folder cannot be written to: the memory of the process remains */
function remember(rt: Runtime, dataDir: string, { server, historyId, mark }: RememberedMark): boolean {
  try {
    writeMarkFile(dataDir, { server, historyId, mark });
    return true;
  } catch (error) {
    rt.log.warn({ error: (error as Error).message, folder: dataDir }, 'database.mark_not_kept');
    return false;
  }
}

interface Parts {
  readonly rt: Runtime;
  readonly tx: Transaction;
  readonly events: EventSink;
}

interface SettledHistory extends RememberedMark {
  readonly timeline: string;
  /** Facts for the log; null when the history continues. */
  readonly began: Readonly<Record<string, unknown>> | null;
}

/** Compares the database with its server and with what is remembered, and begins a new history when they do not fit. */
async function settleHistory(parts: Parts, remembered: HistoryMark | null): Promise<SettledHistory> {
  const { rt, tx } = parts;
  await lockHistory(tx);
  const server = await readServerIdentity(tx);
  const history = await findHistory(tx);
  const nowMs = rt.clock.now();
  if (history === null) {
    await beginHistory(tx, { ...server, historyId: 1, beganMs: nowMs, reason: 'first', held: 0, lostSinceMs: null });
    return { ...server, historyId: 1, mark: 0, began: null };
  }
  const change = historyChange({ known: history, server, remembered, nowMs });
  if (change === null) return { ...history, began: null };
  // Beyond the lost one too: who remembers that one must not take the new one for it.
  const historyId = Math.max(history.historyId, remembered?.historyId ?? 0) + 1;
  const { held, paused } = change.isLoss ? await holdAll(parts, SERVICE, nowMs) : { held: 0, paused: 0 };
  const { reason } = change;
  await beginHistory(tx, { ...server, historyId, beganMs: nowMs, reason, held, lostSinceMs: history.markedMs });
  return {
    ...server,
    historyId,
    mark: 0,
    began: { historyId, reason, held, paused, lostSince: iso(history.markedMs) },
  };
}

/** Holds everything that may have been sent; the audit log of each tenant concerned says so. @returns how many messages are held and campaigns paused */
async function holdAll(
  { rt, tx, events }: Parts,
  origin: Origin,
  nowMs: number,
): Promise<{ held: number; paused: number }> {
  const trace: TraceEntry = {
    atMs: nowMs,
    event: 'held',
    detail:
      'The database was restored, or a replica took over: it is unknown whether the network already has it. It waits for a status or for the operator.',
  };
  await disownLanes(tx);
  await forgetOwners(tx, 'number');
  const tenants = await holdDue(tx, nowMs, trace);
  for (const { tenantId, messages } of tenants) {
    await audit(rt, tx, { tenantId, origin, action: 'messages.held', targetId: tenantId, details: { messages } });
  }
  const held = tenants.reduce((sum, { messages }) => sum + messages, 0);
  return { held, paused: await holdCampaigns(rt, tx, events) };
}

/** Holds everything that may have been sent, as after a restore: for one that nothing shows. @returns how many messages */
export async function holdByHand(rt: Runtime, db: Database): Promise<number> {
  const reason: HistoryReason = 'operator';
  return withEvents(rt, db, async (tx, events) => {
    await lockHistory(tx);
    const server = await readServerIdentity(tx);
    const history = await findHistory(tx);
    const beganMs = rt.clock.now();
    const { held } = await holdAll({ rt, tx, events }, OPERATOR, beganMs);
    const historyId = (history?.historyId ?? 0) + 1;
    await beginHistory(tx, { ...server, historyId, beganMs, reason, held, lostSinceMs: history?.markedMs ?? null });
    return held;
  });
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
