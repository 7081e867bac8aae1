import type { TenantId } from '#core/ids';
import type { Runtime } from '#runtime/runtime';
import type { Database } from '#storage/database';
import { setNumberPaused } from '#storage/phone-numbers';

/** Pauses a number with its reason, or resumes it (reason null). Dispatchers follow within a second. */
export async function pauseNumber(
  rt: Runtime,
  db: Database,
  change: { readonly tenantId: TenantId; readonly phoneNumberId: string; readonly pauseReason: string | null },
): Promise<boolean> {
  const found = await setNumberPaused(db, change);
  const { phoneNumberId, pauseReason } = change;
  if (found)
    rt.log.warn({ phoneNumberId, reason: pauseReason }, pauseReason === null ? 'number.resumed' : 'number.paused');
  return found;
}
