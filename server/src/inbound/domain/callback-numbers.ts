/** What callbacks report of sending numbers: their quality, their limits, and restrictions of their account. */

import type { NumberItem } from '#accounts/domain/number-item';
import { isJsonList, type JsonObject, type JsonValue } from '#core/json';
import { idOf, objectOf, shortTextOf, textOf, timeOf } from '#core/json-fields';

const MAX_WORD = 64;

/** The fields that are reported; those left out were not mentioned. */
type NumberFields = Partial<
  Pick<NumberItem, 'displayPhone' | 'quality' | 'messagingLimit' | 'throughput' | 'networkStatus'>
>;

const readers: ReadonlyMap<string, (value: JsonObject) => NumberFields | null> = new Map([
  ['phone_number_quality_update', readQuality],
  ['business_capability_update', readCapability],
  ['account_update', readAccount],
]);

/** The item of a change; null when it is not about numbers, or does not name the account. */
export function readNumberChange(entry: JsonObject, field: string, value: JsonValue | undefined): NumberItem | null {
  const networkAccountId = idOf(entry.id);
  const change = readers.get(field)?.(objectOf(value)) ?? null;
  if (networkAccountId === null || change === null) return null;
  return {
    kind: 'number',
    networkAccountId,
    at: timeOf(entry.time),
    displayPhone: null,
    quality: null,
    messagingLimit: null,
    throughput: null,
    networkStatus: null,
    ...change,
    raw: { entry_id: entry.id ?? null, entry_time: entry.time ?? null, field, value: value ?? null },
  };
}

/** The rating itself is not reported: only that it fell to the lowest, or is above it again. */
const qualityOf: ReadonlyMap<string, string> = new Map([
  ['FLAGGED', 'RED'],
  ['UNFLAGGED', 'UNKNOWN'],
]);

function readQuality(value: JsonObject): NumberFields | null {
  const displayPhone = (shortTextOf(value.display_phone_number, MAX_WORD) ?? '').replace(/[^0-9]/g, '');
  if (displayPhone === '') return null;
  const event = textOf(value.event) ?? '';
  const messagingLimit = limitOf(value.max_daily_conversations_per_business ?? value.current_limit);
  const quality = qualityOf.get(event) ?? null;
  const throughput = event === 'THROUGHPUT_UPGRADE' ? 'HIGH' : null;
  if (messagingLimit === null && quality === null && throughput === null) return null;
  return { displayPhone, messagingLimit, quality, throughput };
}

function readCapability(value: JsonObject): NumberFields | null {
  const messagingLimit = limitOf(value.max_daily_conversations_per_business ?? value.max_daily_conversation_per_phone);
  return messagingLimit === null ? null : { messagingLimit };
}

/** Some versions of the network write numbers for their tiers; -1 means no limit. */
const tiers: ReadonlyMap<number, string> = new Map([
  [-1, 'TIER_UNLIMITED'],
  [50, 'TIER_50'],
  [250, 'TIER_250'],
  [1_000, 'TIER_1K'],
  [2_000, 'TIER_2K'],
  [10_000, 'TIER_10K'],
  [100_000, 'TIER_100K'],
]);

function limitOf(value: JsonValue | undefined): string | null {
  if (typeof value === 'number') return tiers.get(value) ?? null;
  const text = shortTextOf(value, MAX_WORD);
  return text !== null && /^TIER_[A-Z0-9]+$/.test(text) && text !== 'TIER_NOT_SET' ? text : null;
}

/** What a ban of the account makes of its numbers. A ban that is only announced changes nothing yet. */
const statusOfBan: ReadonlyMap<string, string> = new Map([
  ['DISABLE', 'BANNED'],
  ['REINSTATE', 'CONNECTED'],
]);

function readAccount({ event, ban_info: ban, restriction_info: restrictions }: JsonObject): NumberFields | null {
  if (event === 'DISABLED_UPDATE') {
    const networkStatus = statusOfBan.get(textOf(objectOf(ban).waba_ban_state) ?? '') ?? null;
    return networkStatus === null ? null : { networkStatus };
  }
  if (event !== 'ACCOUNT_RESTRICTION' || !isJsonList(restrictions)) return null;
  // Others restrict calls, templates or the adding of numbers: these can still send.
  const restricts = restrictions.some((one) =>
    /_INITIATED_MESSAGING$/.test(textOf(objectOf(one).restriction_type) ?? ''),
  );
  return restricts ? { networkStatus: 'RESTRICTED' } : null;
}
