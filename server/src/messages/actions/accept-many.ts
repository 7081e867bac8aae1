import { createHash } from 'node:crypto';
import type { IdempotencyClaim } from '#core/caller/idempotency-claim';
import { ApiProblem } from '#core/errors';
import type { TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { MessageAcceptor, SendRequest } from './accept-message.ts';

/** What became of one message of a batch. */
export type ItemOutcome =
  | { readonly kind: 'accepted'; readonly response: JsonObject }
  | { readonly kind: 'refused'; readonly problem: ApiProblem };

export interface BatchRequest {
  readonly tenantId: TenantId;
  /** In the order of the batch; one that is not valid comes as its refusal. */
  readonly items: readonly (SendRequest | ApiProblem)[];
  readonly claim: IdempotencyClaim | null;
}

/**
 * Accepts many messages; they leave together in the next group commit, and each has a separate outcome. With a claim
 * each message has a key derived from it: a batch that a crash cut short is completed by its repetition.
 * @throws ApiProblem or StorageUnavailable when the outcome of any message is not known: repeat the whole batch
 */
export async function acceptMany(
  acceptor: Pick<MessageAcceptor, 'accept'>,
  { tenantId, items, claim }: BatchRequest,
): Promise<readonly ItemOutcome[]> {
  const outcomes = await Promise.allSettled(
    items.map(async (item, index) => {
      if (item instanceof ApiProblem) throw item;
      return acceptor.accept(tenantId, item, claim && itemClaim(claim, index));
    }),
  );
  // Only when all of them are settled: nothing is still being written when the caller learns that it must repeat.
  return outcomes.map((outcome) =>
    outcome.status === 'fulfilled'
      ? { kind: 'accepted', response: { ...outcome.value.response } }
      : { kind: 'refused', problem: refusalOf(outcome.reason) },
  );
}

/** A fault of ours fails the batch: its answer is kept for repetitions, and must not say that it cannot be sent. */
function refusalOf(reason: unknown): ApiProblem {
  if (reason instanceof ApiProblem && reason.status < 500) return reason;
  throw reason;
}

function itemClaim({ keyHash, fingerprint }: IdempotencyClaim, index: number): IdempotencyClaim {
  return { keyHash: createHash('sha256').update(`${keyHash}/${index}`).digest('base64'), fingerprint };
}
