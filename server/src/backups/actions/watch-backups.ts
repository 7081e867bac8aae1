import { type BackupRecord, findFirstUse, findNewestBackup } from '#backups/store/backups';
import type { SqlRunner } from '#database/database';
import type { Runtime } from '#runtime/runtime';

const HOUR_MS = 60 * 60 * 1000;

/** How old the newest backup is. */
export interface BackupState {
  /** Null: none was ever made. */
  readonly newest: BackupRecord | null;
  /** Since its beginning, or since the first start of the service; null before that. */
  readonly ageMs: number | null;
  /** Always false when nothing is expected of backups (MESSAGING_BACKUP_WARN_H). */
  readonly isOverdue: boolean;
}

export async function readBackupState(
  { config, clock }: Pick<Runtime, 'config' | 'clock'>,
  db: SqlRunner,
): Promise<BackupState> {
  const newest = await findNewestBackup(db);
  const sinceMs = newest?.startedMs ?? (await findFirstUse(db));
  const ageMs = sinceMs === null ? null : Math.max(0, clock.now() - sinceMs);
  const limitMs = config.backupWarnH * HOUR_MS;
  return { newest, ageMs, isOverdue: limitMs > 0 && ageMs !== null && ageMs > limitMs };
}

/** Warns when the service starts without a backup that is young enough, and lets the metrics say it from then on. */
export async function watchBackups(rt: Runtime, db: SqlRunner): Promise<void> {
  const { config, log, metrics } = rt;
  const look = async (): Promise<BackupState> => {
    const state = await readBackupState(rt, db);
    if (state.newest !== null) metrics.backupAge.set((state.ageMs ?? 0) / 1_000);
    if (config.backupWarnH > 0) metrics.backupOverdue.set(state.isOverdue ? 1 : 0);
    return state;
  };
  let looking: Promise<unknown> | null = null;
  // Whoever reads the metrics does not wait for the database: what it says is shown the next time.
  metrics.onRead(async () => {
    if (looking !== null) return;
    looking = look()
      .catch((error: Error) => log.warn({ error: error.message }, 'metrics.state_not_read'))
      .finally(() => {
        looking = null;
      });
  });
  const { isOverdue, newest } = await look();
  if (isOverdue)
    log.warn(
      { newest: newest?.backupId ?? null, warnAfterHours: config.backupWarnH },
      'backup.overdue: no backup is younger than MESSAGING_BACKUP_WARN_H: run "postrider backup".',
    );
}
