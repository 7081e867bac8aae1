import { ApiProblem } from '#core/errors';
import type { PhoneNumberId, TenantId } from '#core/ids';
import { Remembered } from '#runtime/remembered';
import type { Runtime } from '#runtime/runtime';
import type { Database } from '#storage/database';
import { listPhoneNumbers, type PhoneNumber } from '#storage/phone-numbers';
import { findTenant, type WindowRule } from '#storage/tenants';

/** The sending numbers of one tenant, as they were a moment ago. */
export interface TenantNumbers extends WindowRule {
  /**
   * The number a message leaves from: the one asked for, or the tenant's first active one.
   * @throws ApiProblem unknown_phone_number, no_sending_number
   */
  choose(wanted: string | null): PhoneNumberId;
  /** One of the numbers; undefined for any other. */
  find(phoneNumberId: PhoneNumberId): PhoneNumber | undefined;
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

export function makeNumberBook(rt: Runtime, db: Database): NumberBook {
  const remembered = new Remembered<TenantNumbers>({
    clock: rt.clock,
    maxAgeMs: REMEMBER_MS,
    maxEntries: MAX_TENANTS,
    read: async (key) => {
      const tenantId = key as TenantId;
      const [tenant, numbers] = await Promise.all([findTenant(db, tenantId), listPhoneNumbers(db, tenantId)]);
      return tenantNumbers(numbers, tenant ?? LEFT_TO_NETWORK);
    },
  });
  return { of: (tenantId) => remembered.of(tenantId) };
}

const LEFT_TO_NETWORK: WindowRule = { windowPolicy: 'network', fallback: null };

function tenantNumbers(numbers: readonly PhoneNumber[], { windowPolicy, fallback }: WindowRule): TenantNumbers {
  const ids = new Set<string>(numbers.map((number) => number.phoneNumberId));
  const first = numbers.find((number) => number.status === 'active') ?? numbers[0];
  return {
    windowPolicy,
    fallback,
    find: (phoneNumberId) => numbers.find((number) => number.phoneNumberId === phoneNumberId),
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
