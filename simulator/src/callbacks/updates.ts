import type { BusinessNumber } from '../numbers.ts';
import type { RecipientKind } from '../recipient.ts';
import type { StatusStep } from './plan.ts';

/** What a status says about its message; kept small, because a million may wait while the receiver is away. */
export type SentMessage = {
  readonly number: BusinessNumber;
  readonly id: string;
  readonly to: string;
  readonly kind: RecipientKind;
  /** A customer with a username: no phone appears in the statuses. */
  readonly hidesPhone: boolean;
  /** JSON literal, or null when the caller gave none. */
  readonly bizJson: string | null;
  readonly type: string;
};

export type StatusUpdate = {
  readonly kind: 'statuses';
  readonly message: SentMessage;
  readonly step: StatusStep;
  /** When it happened, simulator milliseconds; a delayed callback still tells this instant. */
  readonly atMs: number;
};

/** A customer's message, already written as the callback shows it. */
export type InboundUpdate = {
  readonly kind: 'messages';
  readonly number: BusinessNumber;
  readonly messageJson: string;
  /** Absent for the few kinds that carry no contact. */
  readonly contactJson: string | null;
};

export type Update = StatusUpdate | InboundUpdate;

/** Updates that leave in one POST: one number, one kind. */
export type Batch = {
  readonly number: BusinessNumber;
  readonly kind: Update['kind'];
  readonly updates: Update[];
  attempts: number;
  firstTriedMs: number;
  /** Called once when the receiver has answered 200, or when the first try has failed. */
  onTried: (() => void) | null;
};

export function newBatch(number: BusinessNumber, kind: Update['kind']): Batch {
  return { number, kind, updates: [], attempts: 0, firstTriedMs: 0, onTried: null };
}

export function numberOf(update: Update): BusinessNumber {
  return update.kind === 'statuses' ? update.message.number : update.number;
}
