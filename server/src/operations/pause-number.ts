import { type Origin, SERVICE } from '#core/audit';
import type { TenantId } from '#core/ids';
import type { Runtime } from '#runtime/runtime';
import type { Database } from '#storage/database';
import { setNumberPaused } from '#storage/phone-numbers';
import { audit } from './audit.ts';

/**
 * Pauses a number with its reason, or resumes it (reason null). Dispatchers follow within a second.
 * @returns false when the tenant has no such number
 */
export async function pauseNumber(
  rt: Runtime,
  db: Database,
  change: { readonly tenantId: TenantId; readonly phoneNumberId: string; readonly pauseReason: string | null },
  origin: Origin = SERVICE,
): Promise<boolean> {
  const { tenantId, phoneNumberId, pauseReason } = change;
  const action = pauseReason === null ? 'number.resumed' : 'number.paused';
  const found = await db.transaction(async (tx) => {
    const changed = await setNumberPaused(tx, change);
    const details = pauseReason === null ? {} : { reason: pauseReason };
    if (changed) await audit(rt, tx, { tenantId, origin, action, targetId: phoneNumberId, details });
    return changed;
  });
  if (found) rt.log.warn({ phoneNumberId, reason: pauseReason }, action);
  return found;
}
