/** What a database server says of itself. */
export interface ServerIdentity {
  /** The server, the database in it and a table in that. */
  readonly server: string;
  /** The timeline of its log. */
  readonly timeline: string;
}

/** A place in the history of a database. */
export interface HistoryMark {
  readonly historyId: number;
  readonly mark: number;
}

/** Why a history began. */
export type HistoryReason = 'first' | 'other_server' | 'other_timeline' | 'went_back' | 'operator';

/** The current history of a database. */
export interface DatabaseHistory extends ServerIdentity, HistoryMark {
  readonly reason: HistoryReason;
  readonly beganMs: number;
  /** When its last mark was made. */
  readonly markedMs: number;
  /** Whether commits waited for a replica then. */
  readonly isSynchronous: boolean;
}

/** Why a new history begins. */
export interface HistoryChange {
  readonly reason: HistoryReason;
  /** True when something of the one before may be missing. */
  readonly isLoss: boolean;
}

/** A failover that takes longer than this was not automatic: a backup of a synchronous server looks the same. */
export const SYNCHRONOUS_FAILOVER_MS = 60_000;

interface Sighting {
  /** The history as the database has it. */
  readonly known: DatabaseHistory;
  readonly server: ServerIdentity;
  /** The furthest place that this process knows of; null: none. */
  readonly remembered: HistoryMark | null;
  readonly nowMs: number;
}

/** What in the database shows that it was restored, or that a replica took over; null: it continues as before. */
export function historyChange({ known, server, remembered, nowMs }: Sighting): HistoryChange | null {
  if (known.server !== server.server) return { reason: 'other_server', isLoss: true };
  const wentBack = remembered !== null && isBefore(known, remembered);
  if (known.timeline !== server.timeline) {
    const isComplete = known.isSynchronous && nowMs - known.markedMs <= SYNCHRONOUS_FAILOVER_MS;
    return { reason: 'other_timeline', isLoss: wentBack || !isComplete };
  }
  return wentBack ? { reason: 'went_back', isLoss: true } : null;
}

/** True when the first place lies before the second. */
export function isBefore(one: HistoryMark, other: HistoryMark): boolean {
  return one.historyId < other.historyId || (one.historyId === other.historyId && one.mark < other.mark);
}
