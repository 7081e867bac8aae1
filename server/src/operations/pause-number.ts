import { OPERATOR, type Origin, SERVICE } from '#core/audit';
import type { TenantId } from '#core/ids';
import type { Runtime } from '#runtime/runtime';
import type { Database } from '#storage/database';
import { setNumberPaused } from '#storage/phone-numbers';
import { audit } from './audit.ts';

interface Pause {
  readonly tenantId: TenantId;
  readonly phoneNumberId: string;
  readonly pauseReason: string | null;
}

/**
 * Pauses a number with its reason, or resumes it (reason null), for a person. Dispatchers follow within a second.
 * @returns false when the tenant has no such number
 */
export function pauseNumber(rt: Runtime, db: Database, change: Pause, origin: Origin = OPERATOR): Promise<boolean> {
  return setAndTell(rt, db, { ...change, activeOnly: false }, origin);
}

/**
 * Pauses a number that the network refuses, unless it is paused; does not wait for it. A failure is logged: the next
 * refusal asks again.
 */
export function pauseRefused(rt: Runtime, db: Database, refusal: Pause & { readonly pauseReason: string }): void {
  setAndTell(rt, db, { ...refusal, activeOnly: true }, SERVICE).catch((error: Error) =>
    rt.log.error({ error: error.message, phoneNumberId: refusal.phoneNumberId }, 'number.pause_failed'),
  );
}

async function setAndTell(
  rt: Runtime,
  db: Database,
  change: Pause & { readonly activeOnly: boolean },
  origin: Origin,
): Promise<boolean> {
  const { tenantId, phoneNumberId, pauseReason } = change;
  const action = pauseReason === null ? 'number.resumed' : 'number.paused';
  const changed = await db.transaction(async (tx) => {
    if (!(await setNumberPaused(tx, change))) return false;
    const details = pauseReason === null ? {} : { reason: pauseReason };
    await audit(rt, tx, { tenantId, origin, action, targetId: phoneNumberId, details });
    return true;
  });
  if (changed) rt.log.warn({ phoneNumberId, reason: pauseReason }, action);
  return changed;
}
