import { audit } from '#access/actions/audit';
import { OPERATOR, SERVICE } from '#access/domain/audit';
import { pauseActiveNumber, setNumberPaused } from '#accounts/store/phone-numbers';
import type { Origin, Requester } from '#core/caller/origin';
import type { AccountId, TenantId } from '#core/ids';
import type { Database, Transaction } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import type { Runtime } from '#runtime/runtime';
import { withNumberEvents } from './change-number.ts';

/** A number, and why it is paused; null resumes. */
export interface Pause {
  readonly tenantId: TenantId;
  readonly phoneNumberId: string;
  readonly pauseReason: string | null;
}

/** A number whose access the network refuses. */
export interface RefusedAccess extends Pause {
  readonly pauseReason: string;
  /** Whose token was refused; null: that of the settings. A number that has another one by now continues. */
  readonly accountId: AccountId | null;
}

/**
 * Pauses a number with its reason, or resumes it (reason null), for a person. Dispatchers follow within a second.
 * @returns false when the tenant has no such number
 */
export function pauseNumber(rt: Runtime, db: Database, change: Pause, origin: Origin = OPERATOR): Promise<boolean> {
  return setAndEmit(rt, db, change, origin, (tx) => setNumberPaused(tx, change));
}

/**
 * Pauses a number that the network refuses, unless it is paused; does not wait for it. A failure is logged: the next
 * refusal asks again.
 */
export function pauseRefused(rt: Runtime, db: Database, refusal: RefusedAccess): void {
  setAndEmit(rt, db, refusal, SERVICE, (tx) => pauseActiveNumber(tx, refusal)).catch((error: Error) =>
    rt.log.error({ error: error.message, phoneNumberId: refusal.phoneNumberId }, 'number.pause_failed'),
  );
}

async function setAndEmit(
  rt: Runtime,
  db: Database,
  change: Pause,
  origin: Origin,
  set: (tx: Transaction) => Promise<boolean>,
): Promise<boolean> {
  const changed = await withEvents(rt, db, async (tx, events) => {
    if (!(await withNumberEvents(tx, events, change, () => set(tx)))) return false;
    await auditPause(rt, tx, { ...change, origin });
    return true;
  });
  const { phoneNumberId, pauseReason: reason } = change;
  if (changed) rt.log.warn({ phoneNumberId, reason }, reason === null ? 'number.resumed' : 'number.paused');
  return changed;
}

export async function auditPause(
  rt: Runtime,
  tx: Transaction,
  { tenantId, phoneNumberId: targetId, pauseReason: reason, origin }: Pause & Requester,
): Promise<void> {
  const action = reason === null ? 'number.resumed' : 'number.paused';
  await audit(rt, tx, { tenantId, origin, action, targetId, details: reason === null ? {} : { reason } });
}
