import type { Settings } from '../settings.ts';

export type StatusName = 'sent' | 'delivered' | 'read' | 'failed';

/** One status of a message: what is said, and when after the accept (simulator milliseconds). */
export type StatusStep = {
  readonly status: StatusName;
  readonly afterMs: number;
  /** Whether this status carries the price; the network puts it on sent and on one of delivered and read. */
  readonly priced: boolean;
  /** Network code of a failed status. */
  readonly errorCode?: number;
};

export type StatusPlan = readonly StatusStep[];

/** What an ordinary customer's phone does: the message is sent, delivered and read. */
export function ordinaryPlan(settings: Settings): StatusPlan {
  return [
    { status: 'sent', afterMs: settings.sentMs, priced: true },
    { status: 'delivered', afterMs: settings.deliveredMs, priced: true },
    { status: 'read', afterMs: settings.readMs, priced: false },
  ];
}

/** A message that the network accepted and then could not deliver. */
export function failedPlan(settings: Settings, errorCode: number): StatusPlan {
  return [{ status: 'failed', afterMs: settings.sentMs, priced: false, errorCode }];
}
