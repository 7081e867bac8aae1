import { findNumberOwners } from '#accounts/store/phone-numbers';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';

/** Remembers whose the numbers of callbacks are, so that a batch of statuses costs no extra query. */
export interface OwnerCache {
  /** Owners by phone_number_id; numbers without an owner are absent. */
  of(phoneNumberIds: ReadonlySet<string>): Promise<ReadonlyMap<string, TenantId>>;
}

/** A number that changes hands is noticed after this long at most. */
const REMEMBER_MS = 5_000;

export function makeOwnerCache(rt: Runtime, db: Database): OwnerCache {
  let remembered = new Map<string, TenantId>();
  let sinceMs = rt.clock.monotonic();
  return {
    of: async (phoneNumberIds) => {
      if (rt.clock.monotonic() - sinceMs > REMEMBER_MS) {
        remembered = new Map();
        sinceMs = rt.clock.monotonic();
      }
      const missing = [...phoneNumberIds].filter((id) => !remembered.has(id));
      const found = missing.length === 0 ? [] : await findNumberOwners(db, missing);
      for (const [id, tenantId] of found) remembered.set(id, tenantId);
      return remembered;
    },
  };
}
