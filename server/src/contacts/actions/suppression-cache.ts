import {
  findChangesOfMany,
  findSuppressionChanges,
  type SuppressionChanges,
  type SuppressionsRead,
} from '#contacts/store/suppressions';
import { ApiProblem } from '#core/errors';
import type { PhoneNumberId, TenantId } from '#core/ids';
import { phoneKey } from '#core/phone/phone-key';
import type { Database } from '#database/database';
import { groupedReads } from '#database/group-commit';
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
   * The refusal of a message to this number or user id; null when it may be sent.
   * @param marketing whether it belongs to a campaign or is bulk
   * @param from the number that it would leave from
   */
  problem(to: string, marketing: boolean, from: PhoneNumberId | null): ApiProblem | null;
}

/** "No send to someone who opted out more than a second ago": what is remembered is at most this old. */
const REMEMBER_MS = 1_000;
/** Tenants remembered; beyond it the oldest is forgotten. */
const MAX_TENANTS = 50_000;

const STOPPED =
  'This contact has told the network to stop marketing from this number. You can still send it other messages, and marketing once it resumes it.';

interface Known extends TenantSuppressions {
  readonly lastSeq: number;
  readonly blocked: Set<string>;
  readonly optedOut: Set<string>;
  /** Of those who take no marketing from single numbers, these numbers. */
  readonly stopped: Map<string, readonly PhoneNumberId[]>;
}

/** The first question of a tenant reads its whole list, each further one only what changed since, together with others. */
export function makeSuppressionCache(rt: Runtime, db: Database): SuppressionCache {
  const together = groupedReads('suppressions', (read: readonly SuppressionsRead[]) => findChangesOfMany(db, read));
  const remembered = new TtlCache<Known, TenantId>({
    clock: rt.clock,
    maxAgeMs: REMEMBER_MS,
    maxEntries: MAX_TENANTS,
    read: async (tenantId, known) => {
      if (known === undefined) return renewed(known, await findSuppressionChanges(db, tenantId, 0));
      const { isMore, ...first } = await together({ tenantId, afterSeq: known.lastSeq });
      const next = renewed(known, first);
      return isMore ? renewed(next, await findSuppressionChanges(db, tenantId, next.lastSeq)) : next;
    },
  });
  return { of: (tenantId) => remembered.of(tenantId) };
}

function renewed(known: Known | undefined, { changes, lastSeq }: SuppressionChanges): Known {
  const nobody = {
    blocked: new Set<string>(),
    optedOut: new Set<string>(),
    stopped: new Map<string, readonly PhoneNumberId[]>(),
  };
  const { blocked, optedOut, stopped } = known ?? nobody;
  for (const change of changes) {
    mark(blocked, change.phoneKey, change.blocked);
    mark(optedOut, change.phoneKey, change.optedOut);
    if (change.stoppedNumbers.length > 0) stopped.set(change.phoneKey, change.stoppedNumbers);
    else stopped.delete(change.phoneKey);
  }
  return {
    blocked,
    optedOut,
    stopped,
    lastSeq,
    problem: (to, marketing, from) => problemOf({ blocked, optedOut, stopped }, { to, marketing, from }),
  };
}

function mark(keys: Set<string>, key: string, there: boolean): void {
  if (there) keys.add(key);
  else keys.delete(key);
}

function problemOf(
  { blocked, optedOut, stopped }: Pick<Known, 'blocked' | 'optedOut' | 'stopped'>,
  { to, marketing, from }: { readonly to: string; readonly marketing: boolean; readonly from: PhoneNumberId | null },
): ApiProblem | null {
  if (blocked.size === 0 && ((optedOut.size === 0 && stopped.size === 0) || !marketing)) return null;
  const key = phoneKey(to);
  const details = (message: string) => ({ details: [{ path: 'body.to', message }] });
  if (blocked.has(key)) return new ApiProblem('recipient_blocked', details('to is a blocked contact'));
  if (!marketing) return null;
  if (optedOut.has(key)) return new ApiProblem('recipient_opted_out', details('to has opted out of marketing'));
  if (from === null || !stopped.get(key)?.includes(from)) return null;
  const sentence = STOPPED;
  return new ApiProblem('recipient_opted_out', { sentence, ...details('to has stopped marketing from this number') });
}
