import { businessMsBetween, type OpenHours } from '#agents/domain/business-hours';

/** How long something took, when it was done. */
export interface Timing {
  readonly sinceMs: number;
  readonly elapsedMs: number;
  /** Of it, the time in which the business was open by the hours that held then. */
  readonly businessMs: number;
}

/** @param hours null: always open */
export function timingBetween(hours: OpenHours | null, sinceMs: number, untilMs: number): Timing {
  const elapsedMs = Math.max(0, untilMs - sinceMs);
  return { sinceMs, elapsedMs, businessMs: hours === null ? elapsedMs : businessMsBetween(hours, sinceMs, untilMs) };
}

/** An answer of a person, and how long the customer waited for it. */
export interface ConversationAnswer {
  readonly messageId: string;
  /** The first one in its conversation. */
  readonly isFirst: boolean;
  /** Null: the customer did not wait. */
  readonly timing: Timing | null;
}
