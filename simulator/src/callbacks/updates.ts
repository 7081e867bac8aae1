import type { JsonObject } from '../json.ts';
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
  /** What a template is paid as, in lower case; null for everything else. */
  readonly templateCategory: string | null;
  /** Null: no template, or one that nobody created here. */
  readonly templateId: string | null;
  /** Which of its statuses are in the figures, as bits. */
  counted: number;
};

export type StatusUpdate = {
  readonly kind: 'statuses';
  readonly message: SentMessage;
  readonly step: StatusStep;
  /** When it happened, simulator milliseconds; a delayed callback still carries this instant. */
  readonly atMs: number;
};

/** A customer's message or a report of a call, already written as the callback shows it. */
export type InboundUpdate = {
  readonly kind: 'messages' | 'calls';
  readonly number: BusinessNumber;
  readonly messageJson: string;
  /** Absent for the few kinds that carry no contact. */
  readonly contactJson: string | null;
};

/** A change of an account, such as a template's new status. */
export type AccountUpdate = {
  readonly kind: 'account';
  readonly wabaId: string;
  /** Name of the callback's field. */
  readonly field: string;
  readonly atMs: number;
  readonly value: JsonObject;
  /** False when it became obsolete before it was due; then it is not sent. */
  readonly holds: () => boolean;
};

export type Update = StatusUpdate | InboundUpdate | AccountUpdate;

/** Updates that leave in one POST: one number, one kind. */
export type Batch = {
  /** What its updates have in common. */
  readonly key: string;
  readonly kind: Update['kind'];
  readonly updates: Update[];
  attempts: number;
  firstTriedMs: number;
  /** Called once when the receiver has answered 200, or when the first try has failed. */
  onTried: (() => void) | null;
};

export function newBatch(first: Update): Batch {
  return { key: batchKey(first), kind: first.kind, updates: [first], attempts: 0, firstTriedMs: 0, onTried: null };
}

/** The account that the update is about. */
export function accountOf(update: Update): string {
  if (update.kind === 'account') return update.wabaId;
  return update.kind === 'statuses' ? update.message.number.wabaId : update.number.wabaId;
}

/** Updates with the same key may leave together. */
export function batchKey(update: Update): string {
  if (update.kind === 'account') return `account:${update.wabaId}`;
  const number = update.kind === 'statuses' ? update.message.number : update.number;
  return `${update.kind}:${number.phoneNumberId}`;
}
