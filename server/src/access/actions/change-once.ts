import type { IdempotencyClaim } from '#access/domain/idempotency';
import { beginIdempotent, finishIdempotent } from '#access/store/idempotency';
import type { TenantId } from '#core/ids';
import type { Database, SqlRunner } from '#database/database';
import { type EventSink, withEvents } from '#events/actions/with-events';
import type { Runtime } from '#runtime/runtime';
import { ABANDONED_MS, type Answer, earlierAnswer } from './run-once.ts';

export type Once<T> =
  | { readonly replayed: false; readonly result: T }
  | { readonly replayed: true; readonly answer: Answer };

interface ChangeOnce<T> {
  readonly tenantId: TenantId;
  /** Null: the request may run as often as it comes. */
  readonly claim: IdempotencyClaim | null;
  /** What a repetition is answered. It is stored, so no secret may stand in it. */
  readonly keep: (result: T) => Answer;
}

/**
 * Runs `work` in one transaction, and at most once per Idempotency-Key: the mark, the change, its events and the kept answer
 * commit together, so that a crash leaves all of them or none. An equal request meanwhile waits for the first.
 * @throws ApiProblem idempotency_key_reused, or whatever `work` throws (then nothing is kept)
 */
export function changeOnce<T>(
  rt: Runtime,
  db: Database,
  { tenantId, claim, keep }: ChangeOnce<T>,
  work: (tx: SqlRunner, events: EventSink) => Promise<T>,
): Promise<Once<T>> {
  return withEvents(rt, db, async (tx, events): Promise<Once<T>> => {
    if (claim === null) return { replayed: false, result: await work(tx, events) };
    const nowMs = rt.clock.now();
    const begun = await beginIdempotent(tx, { tenantId, ...claim, nowMs, abandonedBeforeMs: nowMs - ABANDONED_MS });
    if (!begun) return { replayed: true, answer: await earlierAnswer(tx, tenantId, claim) };
    const result = await work(tx, events);
    await finishIdempotent(tx, { tenantId, keyHash: claim.keyHash, ...keep(result) });
    return { replayed: false, result };
  });
}
