import { type BackupState, readBackupState } from '#backups/actions/watch-backups';
import type { JsonObject } from '#core/json';
import { readMigrations } from '#database/migration-file';
import { type Diagnosis, diagnose, type WorkState } from '#maintenance/actions/diagnose';
import type { Config } from '#runtime/config';
import type { OperatorWork } from './command.ts';
import { timeText } from './input.ts';

/** The state of the database and of the work in it, for `postrider doctor`. */
export const diagnoseWork: OperatorWork = async ({ rt, db, migrationsFolder }) => {
  const known = readMigrations(migrationsFolder).map((migration) => migration.version);
  const diagnosis = await diagnose(rt, db, known.at(-1) ?? 0);
  // Of another schema the table may be missing.
  const backup = diagnosis.work === null ? null : await readBackupState(rt, db);
  return { ...presentDiagnosis(diagnosis, known, rt.clock.now()), backup: backup && presentState(backup, rt.config) };
};

function presentState({ newest, ageMs, isOverdue }: BackupState, { backupWarnH }: Config): JsonObject {
  return {
    newest: newest && { id: newest.backupId, location: newest.location },
    age_h: ageMs === null ? null : Math.floor(ageMs / 3_600_000),
    warn_h: backupWarnH,
    overdue: isOverdue,
  };
}

function presentDiagnosis(diagnosis: Diagnosis, known: readonly number[], nowMs: number): JsonObject {
  const { kind, serverVersion, appliedVersions, unsafeSettings, checksums, clockAheadMs, work } = diagnosis;
  return {
    kind,
    server_version: serverVersion,
    schema_version: appliedVersions.at(-1) ?? 0,
    pending_migrations: known.filter((version) => !appliedVersions.includes(version)),
    newest_known: known.at(-1) ?? 0,
    unsafe_settings: unsafeSettings,
    checksums: { enabled: checksums.enabled, failures: checksums.failures },
    clock_ahead_s: clockAheadMs === null ? null : Math.round(clockAheadMs / 100) / 10,
    work: work && presentWork(work, nowMs),
  };
}

function presentWork(
  { queue, callbacks, leftovers, notStored, pausedNumbers, dispatchers, outages, history, held }: WorkState,
  nowMs: number,
): JsonObject {
  const { waiting, due, claimed, unknown, oldestDueMs } = queue;
  return {
    queue: { waiting, due, claimed, unknown, oldest_due_s: ageS(oldestDueMs, nowMs) },
    callbacks: { queued: callbacks.queued, oldest_s: ageS(callbacks.oldestMs, nowMs) },
    leftovers: leftovers.map(({ name, count }) => ({ name, count })),
    not_stored: notStored,
    paused_numbers: pausedNumbers.map(({ phoneNumberId, tenantId, reason }) => ({
      id: phoneNumberId,
      tenant: tenantId,
      reason,
    })),
    dispatchers: dispatchers.map(({ id, beat }) => ({ id, beat })),
    outages: outages.map(({ sinceMs, reason }) => ({ reason, for_s: ageS(sinceMs, nowMs) })),
    history: history && { id: history.historyId, reason: history.reason, began_at: timeText(history.beganMs) },
    held,
  };
}

function ageS(ms: number | null, nowMs: number): number | null {
  return ms === null ? null : Math.max(0, Math.round((nowMs - ms) / 1000));
}
