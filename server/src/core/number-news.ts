import type { EventDraft, EventType } from './event.ts';
import type { PhoneNumberId, TenantId } from './ids.ts';
import type { JsonObject } from './json.ts';

/** A sending number, as far as events tell of it. */
export interface ToldNumber {
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
  status: (number: ToldNumber) => number.status,
  pause_reason: (number: ToldNumber) => number.pauseReason,
  quality: (number: ToldNumber) => number.qualityRating,
  messaging_limit: (number: ToldNumber) => number.messagingLimit,
  throughput: (number: ToldNumber) => number.throughput,
  network_status: (number: ToldNumber) => number.networkStatus,
} as const;

type Field = keyof typeof fields;

interface Told {
  readonly type: EventType;
  /** A change of one of these is told; the changes of all of them are in it. */
  readonly fields: readonly Field[];
}

const others: readonly Told[] = [
  { type: 'number.quality_changed', fields: ['quality'] },
  { type: 'number.limit_changed', fields: ['messaging_limit', 'throughput'] },
  { type: 'number.status_changed', fields: ['network_status'] },
];

/** The events of what a change made of a number, with the old and the new value of each field. */
export function numberEvents(before: ToldNumber, after: ToldNumber): readonly EventDraft[] {
  const pause: readonly Told[] =
    before.status === after.status
      ? []
      : [{ type: after.status === 'paused' ? 'number.paused' : 'number.resumed', fields: ['status', 'pause_reason'] }];
  return [...pause, ...others].flatMap((told) => {
    const changes = changesOf(told.fields, before, after);
    if (Object.keys(changes).length === 0) return [];
    return [{ tenantId: after.tenantId, type: told.type, data: { ...describe(after), changes } }];
  });
}

function changesOf(names: readonly Field[], before: ToldNumber, after: ToldNumber): JsonObject {
  const changed = names.filter((name) => fields[name](before) !== fields[name](after));
  return Object.fromEntries(changed.map((name) => [name, [fields[name](before), fields[name](after)]]));
}

function describe(number: ToldNumber): JsonObject {
  const told = Object.entries(fields).map(([name, read]) => [name, read(number)]);
  return {
    id: number.phoneNumberId,
    phone: number.displayPhone,
    account_id: number.accountId,
    ...Object.fromEntries(told),
  };
}
