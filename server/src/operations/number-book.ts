import { ApiProblem } from '#core/errors';
import type { PhoneNumberId, TenantId } from '#core/ids';
import type { Runtime } from '#runtime/runtime';
import type { Database } from '#storage/database';
import { listPhoneNumbers, type PhoneNumber } from '#storage/phone-numbers';
import { findTenant, type WindowPolicy } from '#storage/tenants';

/** The sending numbers of one tenant, as they were a moment ago. */
export interface TenantNumbers {
  /**
   * The number a message leaves from: the one asked for, or the tenant's first active one.
   * @throws ApiProblem unknown_phone_number, no_sending_number
   */
  choose(wanted: string | null): PhoneNumberId;
  /** What the tenant wants done with free-form messages outside the 24-hour window. */
  readonly windowPolicy: WindowPolicy;
}

/** Remembers the numbers of tenants, so that accepting a message costs no query. */
export interface NumberBook {
  /** Without a promise when they are remembered: the hot path. */
  of(tenantId: TenantId): TenantNumbers | Promise<TenantNumbers>;
}

/** A new number can be used after at most this long without asking; an unknown one is looked up at once. */
const REMEMBER_MS = 2_000;
/** Tenants remembered; beyond it the oldest is forgotten. */
const MAX_TENANTS = 50_000;

interface Entry {
  readonly numbers: TenantNumbers;
  readonly readAtMs: number;
}

export function makeNumberBook(rt: Runtime, db: Database): NumberBook {
  const remembered = new Map<TenantId, Entry>();
  const read = async (tenantId: TenantId): Promise<TenantNumbers> => {
    const tenant = await findTenant(db, tenantId);
    const numbers = tenantNumbers(await listPhoneNumbers(db, tenantId), tenant?.windowPolicy ?? 'network');
    if (remembered.size >= MAX_TENANTS) remembered.delete(remembered.keys().next().value as TenantId);
    remembered.set(tenantId, { numbers, readAtMs: rt.clock.monotonic() });
    return numbers;
  };
  return {
    of: (tenantId) => {
      const entry = remembered.get(tenantId);
      const fresh = entry !== undefined && rt.clock.monotonic() - entry.readAtMs < REMEMBER_MS;
      return fresh ? entry.numbers : read(tenantId);
    },
  };
}

function tenantNumbers(numbers: readonly PhoneNumber[], windowPolicy: WindowPolicy): TenantNumbers {
  const ids = new Set<string>(numbers.map((number) => number.phoneNumberId));
  const first = numbers.find((number) => number.status === 'active') ?? numbers[0];
  return {
    windowPolicy,
    choose: (wanted) => {
      if (wanted !== null && ids.has(wanted)) return wanted as PhoneNumberId;
      if (wanted !== null) {
        throw new ApiProblem('unknown_phone_number', {
          details: [
            { path: 'body.phone_number_id', message: 'phone_number_id is not a sending number of this tenant' },
          ],
        });
      }
      if (!first) throw new ApiProblem('no_sending_number');
      return first.phoneNumberId;
    },
  };
}
