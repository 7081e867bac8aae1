import { beginIdempotent, finishIdempotent } from '#access/store/idempotency';
import type { IdempotencyClaim } from '#core/caller/idempotency-claim';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import { ABANDONED_MS, earlierAnswer, type KeptAnswer } from './run-once.ts';

/** Ends the transaction of a repetition without effect: the request has been answered so before. */
export class Replayed extends Error {
  override name = 'Replayed';
  readonly answer: KeptAnswer;

  constructor(answer: KeptAnswer) {
    super('An earlier request with this key has been answered.');
    this.answer = answer;
  }
}

interface OneChange {
  readonly tenantId: TenantId;
  readonly claim: IdempotencyClaim;
  /** What a repetition gets, from what the transaction returned. It is stored, so no secret may be in it. */
  readonly keep: (result: unknown) => KeptAnswer;
}

/**
 * The same database for one transaction that happens at most once per Idempotency-Key: the mark, the change, its events and the kept
 * answer commit together, so that a crash leaves all of them or none. The same request meanwhile waits for the first.
 *
 * Its `transaction` throws Replayed for a repetition, and ApiProblem idempotency_key_reused.
 */
export function idempotentDatabase(rt: Runtime, db: Database, { tenantId, claim, keep }: OneChange): Database {
  return {
    ...db,
    transaction: (work) =>
      db.transaction(async (tx) => {
        const nowMs = rt.clock.now();
        const begun = await beginIdempotent(tx, { tenantId, ...claim, nowMs, abandonedBeforeMs: nowMs - ABANDONED_MS });
        if (!begun) throw new Replayed(await earlierAnswer(tx, tenantId, claim));
        const result = await work(tx);
        await finishIdempotent(tx, { tenantId, keyHash: claim.keyHash, ...keep(result) });
        return result;
      }),
  };
}
