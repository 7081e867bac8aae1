import type { TenantId } from '#core/ids';

/**
 * How far a tenant is on its way to another cell. Nothing but `switched` decides where it lives.
 * - `copying`: it works in its old cell, and its rows are copied
 * - `paused`: nothing of it can be written; what has changed since is copied
 * - `returning`: the pause is being ended, and it stays in its old cell
 * - `switched`: it lives in the new cell, which has yet to open for it
 * - `opened`: it works in the new cell, and its rows are removed from the old one
 */
export type MoveStep = 'copying' | 'paused' | 'returning' | 'switched' | 'opened';

/** A tenant that moves, as the directory has it. */
export interface TenantMove {
  readonly tenantId: TenantId;
  readonly fromCell: string;
  readonly toCell: string;
  readonly step: MoveStep;
  /** The command that works on it, until its lease ends. */
  readonly holder: string;
  readonly leaseUntilMs: number;
  readonly startedMs: number;
}

/** Whether it can still be given up. */
export function isUndecided({ step }: Pick<TenantMove, 'step'>): boolean {
  return step === 'copying' || step === 'paused' || step === 'returning';
}
