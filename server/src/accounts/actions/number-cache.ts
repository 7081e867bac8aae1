import { findSendRules, type SendRules, type WindowRule } from '#access/store/tenants';
import { listNumbersOf, type PhoneNumber } from '#accounts/store/phone-numbers';
import { ApiProblem } from '#core/errors';
import type { PhoneNumberId, TenantId } from '#core/ids';
import { countryOfRecipient, identityKind } from '#core/phone/recipient';
import type { Database } from '#database/database';
import { groupedReads } from '#database/group-commit';
import type { Runtime } from '#runtime/runtime';
import { TtlCache } from '#runtime/ttl-cache';

/** The sending numbers of one tenant, as they were a moment ago. */
export interface TenantNumbers extends WindowRule {
  /**
   * The number a message leaves from: the one asked for, or the tenant's first active one.
   * @throws ApiProblem unknown_phone_number, no_sending_number
   */
  choose(wanted: string | null): PhoneNumberId;
  /** The refusal of a message to this number for its country; null when it may be sent. @param phone digits only */
  countryProblem(phone: string): ApiProblem | null;
  /** One of the numbers; undefined for any other. */
  find(phoneNumberId: PhoneNumberId): PhoneNumber | undefined;
}

/** Remembers the numbers of tenants, so that accepting a message costs no query. */
export interface NumberCache {
  /** Without a promise when they are remembered: the hot path. */
  of(tenantId: TenantId): TenantNumbers | Promise<TenantNumbers>;
}

/** A new number can be used after at most this long without a query; an unknown one is looked up immediately. */
const REMEMBER_MS = 2_000;
/** Tenants remembered; beyond it the oldest is forgotten. */
const MAX_TENANTS = 50_000;

export function makeNumberCache(rt: Runtime, db: Database): NumberCache {
  const read = groupedReads('numbers', async (tenantIds: readonly TenantId[]) => {
    const [rules, numbers] = await Promise.all([findSendRules(db, tenantIds), listNumbersOf(db, tenantIds)]);
    return tenantIds.map((id) => tenantNumbers(numbers.get(id) ?? [], rules.get(id) ?? UNKNOWN));
  });
  const remembered = new TtlCache<TenantNumbers, TenantId>({
    clock: rt.clock,
    maxAgeMs: REMEMBER_MS,
    maxEntries: MAX_TENANTS,
    read,
  });
  return { of: (tenantId) => remembered.of(tenantId) };
}

const UNKNOWN: SendRules = { windowPolicy: 'network', fallback: null, allowedCountries: [] };

function tenantNumbers(numbers: readonly PhoneNumber[], rules: SendRules): TenantNumbers {
  const { windowPolicy, fallback, allowedCountries } = rules;
  const ids = new Set<string>(numbers.map((number) => number.phoneNumberId));
  const first = numbers.find((number) => number.status === 'active') ?? numbers[0];
  return {
    windowPolicy,
    fallback,
    countryProblem: (to) => countryProblem(allowedCountries, to),
    find: (phoneNumberId) => numbers.find((number) => number.phoneNumberId === phoneNumberId),
    choose: (wanted) => {
      if (wanted !== null && ids.has(wanted)) return wanted as PhoneNumberId;
      if (wanted !== null) {
        throw new ApiProblem('unknown_phone_number', {
          details: [
            { path: 'body.phone_number_id', message: 'phone_number_id does not name a sending number of this tenant' },
          ],
        });
      }
      if (!first) throw new ApiProblem('no_sending_number');
      return first.phoneNumberId;
    },
  };
}

function countryProblem(allowed: readonly string[], to: string): ApiProblem | null {
  if (allowed.length === 0) return null;
  const country = countryOfRecipient(to);
  if (country !== null && allowed.includes(country)) return null;
  const message =
    country === null
      ? 'to does not match the numbering plan of any country'
      : `to is a ${identityKind(to) === 'phone' ? 'number' : 'user'} of ${country}`;
  return new ApiProblem('recipient_country_not_allowed', { details: [{ path: 'body.to', message }] });
}
