import type { PhoneNumberId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { EventDraft, EventType } from '#events/domain/event';

/** A sending number, as events show it. */
export interface ReportedNumber {
  readonly tenantId: TenantId;
  readonly phoneNumberId: PhoneNumberId;
  readonly displayPhone: string;
  readonly status: 'active' | 'paused';
  readonly pauseReason: string | null;
  readonly accountId: string | null;
  readonly qualityRating: string | null;
  readonly messagingLimit: string | null;
  readonly throughput: string | null;
  readonly networkStatus: string | null;
}

const fields = {
  status: (number: ReportedNumber) => number.status,
  pause_reason: (number: ReportedNumber) => number.pauseReason,
  quality: (number: ReportedNumber) => number.qualityRating,
  messaging_limit: (number: ReportedNumber) => number.messagingLimit,
  throughput: (number: ReportedNumber) => number.throughput,
  network_status: (number: ReportedNumber) => number.networkStatus,
} as const;

type Field = keyof typeof fields;

interface EventRule {
  readonly type: EventType;
  /** A change of one of these emits the event; it contains the changes of all of them. */
  readonly fields: readonly Field[];
}

const others: readonly EventRule[] = [
  { type: 'number.quality_changed', fields: ['quality'] },
  { type: 'number.limit_changed', fields: ['messaging_limit', 'throughput'] },
  { type: 'number.status_changed', fields: ['network_status'] },
];

/** The events of what a change made of a number, with the old and the new value of each field. */
export function numberEvents(before: ReportedNumber, after: ReportedNumber): readonly EventDraft[] {
  const pause: readonly EventRule[] =
    before.status === after.status
      ? []
      : [{ type: after.status === 'paused' ? 'number.paused' : 'number.resumed', fields: ['status', 'pause_reason'] }];
  return [...pause, ...others].flatMap((rule) => {
    const changes = changesOf(rule.fields, before, after);
    if (Object.keys(changes).length === 0) return [];
    return [{ tenantId: after.tenantId, type: rule.type, data: { ...describe(after), changes } }];
  });
}

function changesOf(names: readonly Field[], before: ReportedNumber, after: ReportedNumber): JsonObject {
  const changed = names.filter((name) => fields[name](before) !== fields[name](after));
  return Object.fromEntries(changed.map((name) => [name, [fields[name](before), fields[name](after)]]));
}

function describe(number: ReportedNumber): JsonObject {
  const rule = Object.entries(fields).map(([name, read]) => [name, read(number)]);
  return {
    id: number.phoneNumberId,
    phone: number.displayPhone,
    account_id: number.accountId,
    ...Object.fromEntries(rule),
  };
}
