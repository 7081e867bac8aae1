import type { IdempotencyClaim } from '#core/caller/idempotency-claim';
import type { JsonObject } from '#core/json';
import type { Database } from '#database/database';

/**
 * What a request with an Idempotency-Key is done once with. Handed to operations that take the key `within`; those that just take it
 * are wrapped in `run` where they are registered. Without a key, everything runs as often as it comes.
 */
export interface Once {
  /** For work that stores the key itself, with what it stores; null without a key. @throws ApiProblem validation_failed */
  readonly claim: IdempotencyClaim | null;
  /**
   * Does work of several steps at most once, and keeps its answer. A crash in between leaves the steps that were taken.
   * @param content what the key is bound to instead of the body, when that was read as a stream
   * @throws ApiProblem validation_failed, request_in_progress, idempotency_key_reused, or whatever `work` throws (then nothing is kept)
   */
  run(work: () => Promise<JsonObject>, content?: string): Promise<JsonObject>;
  /**
   * Does work of one transaction at most once: the key, the change and the kept answer commit together, so that a crash leaves all of
   * them or none. The same request meanwhile waits for the first.
   * @param act opens its one transaction on the database that it is handed, and returns what that returned
   * @param present makes the answer; it is called inside the transaction when there is a key
   * @param keep what repetitions get instead, when the answer holds a secret: it is stored
   * @throws ApiProblem validation_failed, idempotency_key_reused, or whatever `act` throws (then nothing is kept)
   */
  change<T>(
    act: (db: Database) => Promise<T>,
    present: (result: T) => JsonObject,
    keep?: (result: T) => JsonObject,
  ): Promise<JsonObject>;
  /** Answers as an earlier request with the same key was, and says so. @returns the body */
  replay(statusCode: number, body: JsonObject): JsonObject;
}
