import type { JsonObject } from '#core/json';
import type { PhoneNumber } from '#storage/phone-numbers';
import { formatRfc3339 } from '../validation/rfc3339.ts';

export function presentPhoneNumber(number: PhoneNumber): JsonObject {
  return {
    id: number.phoneNumberId,
    phone: number.displayPhone,
    name: number.name,
    status: number.status,
    pause_reason: number.pauseReason,
    rate_limit: number.ratePerSecond,
    account_id: number.accountId,
    business_hours_id: number.hoursId,
    network_account_id: number.networkAccountId,
    quality: number.qualityRating,
    messaging_limit: number.messagingLimit,
    throughput: number.throughput,
    network_status: number.networkStatus,
    network_checked_at: number.networkToldMs === null ? null : formatRfc3339(number.networkToldMs),
    reopen_policy: number.reopenPolicy,
    reopen_hours: number.reopenHours,
    auto_resolve_hours: number.resolveIdleHours,
    auto_resolve_waiting: number.resolveIdleWaiting,
    version: number.version,
    created_at: formatRfc3339(number.createdMs),
  };
}
