import type { TenantId } from '#core/ids';
import type { Runtime } from '#runtime/runtime';
import type { Database } from '#storage/database';
import { findNumberOwners } from '#storage/phone-numbers';

/** Remembers whose the numbers of callbacks are, so that a batch of statuses costs no extra query. */
export interface OwnerBook {
  /** Owners by phone_number_id; numbers of nobody are absent. */
  of(phoneNumberIds: ReadonlySet<string>): Promise<ReadonlyMap<string, TenantId>>;
}

/** A number that changes hands is noticed after this long at most. */
const REMEMBER_MS = 5_000;

export function makeOwnerBook(rt: Runtime, db: Database): OwnerBook {
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
