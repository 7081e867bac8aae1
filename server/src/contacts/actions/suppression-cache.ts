import { findSuppressionChanges } from '#contacts/store/suppressions';
import { ApiProblem } from '#core/errors';
import type { TenantId } from '#core/ids';
import { phoneKey } from '#core/phone/phone-key';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import { TtlCache } from '#runtime/ttl-cache';

/** Remembers who is not written to, so that accepting a message costs no query. */
export interface SuppressionCache {
  /** Without a promise when it is remembered: the hot path. */
  of(tenantId: TenantId): TenantSuppressions | Promise<TenantSuppressions>;
}

/** Who is not written to by one tenant, as it was a moment ago. */
export interface TenantSuppressions {
  /**
   * The refusal of a message to this number; null when it may be sent.
   * @param marketing whether it belongs to a campaign or is bulk
   */
  problem(phone: string, marketing: boolean): ApiProblem | null;
}

/** "No send to someone who opted out more than a second ago": what is remembered is at most this old. */
const REMEMBER_MS = 1_000;
/** Tenants remembered; beyond it the oldest is forgotten. */
const MAX_TENANTS = 50_000;

interface Known extends TenantSuppressions {
  readonly lastSeq: number;
  readonly blocked: Set<string>;
  readonly optedOut: Set<string>;
}

/** The first question of a tenant reads its whole list, each further one only what changed since. */
export function makeSuppressionCache(rt: Runtime, db: Database): SuppressionCache {
  const remembered = new TtlCache<Known, TenantId>({
    clock: rt.clock,
    maxAgeMs: REMEMBER_MS,
    maxEntries: MAX_TENANTS,
    read: (tenantId, known) => renewed(db, tenantId, known),
  });
  return { of: (tenantId) => remembered.of(tenantId) };
}

async function renewed(db: Database, tenantId: TenantId, known: Known | undefined): Promise<Known> {
  const { blocked, optedOut, lastSeq: afterSeq } = known ?? { blocked: new Set(), optedOut: new Set(), lastSeq: 0 };
  const { changes, lastSeq } = await findSuppressionChanges(db, tenantId, afterSeq);
  for (const change of changes) {
    mark(blocked, change.phoneKey, change.blocked);
    mark(optedOut, change.phoneKey, change.optedOut);
  }
  return {
    blocked,
    optedOut,
    lastSeq,
    problem: (phone, marketing) => problemOf({ blocked, optedOut }, phone, marketing),
  };
}

function mark(keys: Set<string>, key: string, there: boolean): void {
  if (there) keys.add(key);
  else keys.delete(key);
}

function problemOf(
  { blocked, optedOut }: Pick<Known, 'blocked' | 'optedOut'>,
  phone: string,
  marketing: boolean,
): ApiProblem | null {
  if (blocked.size === 0 && (optedOut.size === 0 || !marketing)) return null;
  const key = phoneKey(phone);
  const details = (message: string) => ({ details: [{ path: 'body.to', message }] });
  if (blocked.has(key)) return new ApiProblem('recipient_blocked', details('to is a blocked contact'));
  if (!marketing || !optedOut.has(key)) return null;
  return new ApiProblem('recipient_opted_out', details('to has opted out of marketing'));
}
