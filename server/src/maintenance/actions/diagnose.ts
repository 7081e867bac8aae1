import { type LaneOwner, listOwners } from '#accounts/store/lane-owners';
import type { Database } from '#database/database';
import type { DatabaseHistory } from '#maintenance/domain/database-history';
import { findHistory } from '#maintenance/store/database-history';
import {
  type CallbackBacklog,
  type Checksums,
  countCallbackBacklog,
  countNotStored,
  countQueue,
  countUnhandledItems,
  listAppliedVersions,
  listPausedNumbers,
  listUnsafeSettings,
  type PausedNumber,
  type QueueCounts,
  readChecksums,
  readServerVersion,
  type UnhandledCount,
} from '#maintenance/store/diagnosis';
import { countHeld } from '#messages/store/held-messages';
import { listOutages, type OutageRow } from '#messages/store/leases';
import type { Runtime } from '#runtime/runtime';
import { followClock } from './follow-clock.ts';

/** The state of the database as an operator needs it; nothing of it names a customer. */
export interface Diagnosis {
  readonly kind: Database['kind'];
  readonly serverVersion: string;
  readonly appliedVersions: readonly number[];
  readonly unsafeSettings: readonly string[];
  readonly checksums: Checksums;
  /** By how much the clock of this machine is ahead of the database's; null when it is not compared. */
  readonly clockAheadMs: number | null;
  /** Null when the schema is not there yet. */
  readonly work: WorkState | null;
}

export interface WorkState {
  readonly queue: QueueCounts;
  readonly callbacks: CallbackBacklog;
  readonly leftovers: readonly UnhandledCount[];
  /** Messages that ended because their outcome could not be stored. */
  readonly notStored: number;
  readonly pausedNumbers: readonly PausedNumber[];
  readonly dispatchers: readonly LaneOwner[];
  /** Of dispatchers that send nothing because the network does not answer. */
  readonly outages: readonly OutageRow[];
  /** The history that counts; null before the first start. */
  readonly history: DatabaseHistory | null;
  /** Messages that may have been sent before it began. */
  readonly held: number;
}

/** Reads the state of the service, and changes nothing. @param newestVersion the migration that this program needs */
export async function diagnose(rt: Runtime, db: Database, newestVersion: number): Promise<Diagnosis> {
  const appliedVersions = await listAppliedVersions(db);
  return {
    kind: db.kind,
    serverVersion: await readServerVersion(db),
    appliedVersions,
    unsafeSettings: await listUnsafeSettings(db),
    checksums: await readChecksums(db),
    clockAheadMs: (await followClock(rt, db))?.machineAheadMs ?? null,
    work: appliedVersions.includes(newestVersion) ? await readWork(rt, db) : null,
  };
}

async function readWork(rt: Runtime, db: Database): Promise<WorkState> {
  return {
    queue: await countQueue(db, rt.clock.now()),
    callbacks: await countCallbackBacklog(db),
    leftovers: await countUnhandledItems(db),
    notStored: await countNotStored(db),
    pausedNumbers: await listPausedNumbers(db),
    dispatchers: await listOwners(db, 'number'),
    outages: await listOutages(db),
    history: await findHistory(db),
    held: (await countHeld(db, rt.clock.now())).reduce((sum, { messages }) => sum + messages, 0),
  };
}
