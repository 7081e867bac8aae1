import type { PhoneNumber } from '#accounts/store/phone-numbers';
import type { JsonObject } from '#core/json';
import { formatRfc3339 } from '#http/validation/rfc3339';

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
    network_checked_at: number.networkReportedMs === null ? null : formatRfc3339(number.networkReportedMs),
    reopen_policy: number.reopenPolicy,
    reopen_hours: number.reopenHours,
    auto_resolve_hours: number.resolveIdleHours,
    auto_resolve_waiting: number.resolveIdleWaiting,
    version: number.version,
    created_at: formatRfc3339(number.createdMs),
  };
}
