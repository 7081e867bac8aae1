import type { PhoneNumberId } from '#core/ids';
import { isoTimeOrNull } from '#core/iso-time';
import type { JsonObject } from '#core/json';
import { describeFailure, isPassing, type TransferFailure } from '#core/network/transfer-failure';

/**
 * pending: the network is yet to be told · blocked: it blocks the customer · refused: it does not do what is wanted, and is
 * not asked again · not_blocked: nothing is wanted of it.
 */
export const networkBlockStates = ['pending', 'blocked', 'refused', 'not_blocked'] as const;
export type NetworkBlockState = (typeof networkBlockStates)[number];

/** What became of a block at the network, for one number and one address of a contact. */
export interface NetworkBlock {
  readonly phoneNumberId: PhoneNumberId;
  /** The number or user id that the network is told; null: it was never told any. */
  readonly recipient: string | null;
  readonly state: NetworkBlockState;
  /** Of the network's last refusal. */
  readonly networkCode: number | null;
  /** Why it is refused, or still pending. */
  readonly reason: string | null;
  /** When it came to this; null: there was never anything to do. */
  readonly changedMs: number | null;
}

/** What is stored of it. */
export interface StoredBlock {
  readonly isWanted: boolean;
  readonly dueMs: number | null;
  readonly reason: string | null;
}

/** What a row says. One that is settled and has a reason was refused. */
export function stateOfBlock({ isWanted, dueMs, reason }: StoredBlock): NetworkBlockState {
  if (dueMs !== null) return 'pending';
  if (reason !== null) return 'refused';
  return isWanted ? 'blocked' : 'not_blocked';
}

export function networkBlockJson(block: NetworkBlock): JsonObject {
  return {
    phone_number_id: block.phoneNumberId,
    recipient: block.recipient,
    state: block.state,
    code: block.networkCode,
    reason: block.reason,
    changed_at: isoTimeOrNull(block.changedMs),
  };
}

/** Only customers who wrote within 24 hours can be blocked. */
export const NOT_WRITTEN_CODE = 131047;

/** Of the network's reference; the table of errors has only what messages meet. */
const refusals: Readonly<Record<number, { readonly passing: boolean; readonly sentence: string }>> = {
  [NOT_WRITTEN_CODE]: {
    passing: false,
    sentence:
      'The network blocks only customers who wrote to this number within 24 hours. It is asked again when this customer writes.',
  },
  131021: { passing: false, sentence: 'A number cannot block itself.' },
  139100: { passing: false, sentence: 'The network could not change the block of this customer.' },
  139101: {
    passing: false,
    sentence: 'This number blocks as many customers as the network allows. Unblock others first.',
  },
  139102: { passing: true, sentence: 'The network is changing the block list of this number.' },
  139103: { passing: true, sentence: 'The network could not change the block list of this number.' },
};

/** Why the network did not do what it was told. */
export interface BlockFailure {
  /** Whether a later try can help. */
  readonly passing: boolean;
  readonly networkCode: number | null;
  readonly reason: string;
  readonly retryAfterMs: number | null;
}

export function blockFailure(failure: TransferFailure): BlockFailure {
  if (failure.kind !== 'refused') {
    return { passing: isPassing(failure), networkCode: null, reason: describeFailure(failure), retryAfterMs: null };
  }
  const { networkCode, retryAfterMs, details, rule } = failure;
  const known = networkCode === null ? undefined : refusals[networkCode];
  const passing = known?.passing ?? (isPassing(failure) || rule.retryClass === 'transient_once');
  const unknown = `The network rejected this.${details === '' ? '' : ` Its response: ${details}`}`;
  return { passing, networkCode, reason: known?.sentence ?? unknown, retryAfterMs };
}
