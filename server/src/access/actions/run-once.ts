import { abandonIdempotent, beginIdempotent, findIdempotency, finishIdempotent } from '#access/store/idempotency';
import type { IdempotencyClaim } from '#core/caller/idempotency-claim';
import { ApiProblem } from '#core/errors';
import type { TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { Database, SqlRunner } from '#database/database';
import type { Runtime } from '#runtime/runtime';

export interface KeptAnswer {
  readonly statusCode: number;
  readonly body: JsonObject;
}

/** A running mark older than this was left by a killed process: no request takes so long. */
export const ABANDONED_MS = 60_000;

/**
 * Runs `work` at most once per Idempotency-Key and gives its answer to every repetition.
 * @throws ApiProblem request_in_progress, idempotency_key_reused, or whatever `work` throws (then nothing is kept)
 */
export async function runOnce(
  rt: Runtime,
  db: Database,
  tenantId: TenantId,
  claim: IdempotencyClaim,
  work: () => Promise<KeptAnswer>,
): Promise<KeptAnswer & { readonly replayed: boolean }> {
  const nowMs = rt.clock.now();
  const begun = await beginIdempotent(db, { tenantId, ...claim, nowMs, abandonedBeforeMs: nowMs - ABANDONED_MS });
  if (!begun) return { ...(await earlierAnswer(db, tenantId, claim)), replayed: true };
  try {
    const answer = await work();
    await finishIdempotent(db, { tenantId, keyHash: claim.keyHash, ...answer });
    return { ...answer, replayed: false };
  } catch (error) {
    await abandonIdempotent(db, tenantId, claim.keyHash).catch(() => undefined);
    throw error;
  }
}

/**
 * The answer that was kept for an equal request.
 * @throws ApiProblem request_in_progress when there is none yet, idempotency_key_reused when the request is another one
 */
export async function earlierAnswer(db: SqlRunner, tenantId: TenantId, claim: IdempotencyClaim): Promise<KeptAnswer> {
  const record = await findIdempotency(db, tenantId, claim.keyHash);
  if (record === null) throw new ApiProblem('request_in_progress');
  if (record.fingerprint !== claim.fingerprint) throw new ApiProblem('idempotency_key_reused');
  if (record.statusCode === null) throw new ApiProblem('request_in_progress');
  return { statusCode: record.statusCode, body: record.response as JsonObject };
}
