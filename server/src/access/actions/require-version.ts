import type { Requester } from '#core/caller/origin';
import { ApiProblem, requireFound } from '#core/errors';

/** A request that changes one thing which has a version. */
export interface VersionedRequest extends Requester {
  /** From If-Match; null: any version. */
  readonly versions: readonly number[] | null;
}

/**
 * What was found, unless there is nothing or it was changed since the caller read it.
 * @param noun what the sentence calls it
 * @param versions from If-Match; null: any version
 * @throws ApiProblem not_found, precondition_failed
 */
export function requireVersion<T extends { readonly version: number }>(
  noun: string,
  candidate: T | null | undefined,
  versions: readonly number[] | null,
): T {
  const found = requireFound(candidate);
  if (versions === null || versions.includes(found.version)) return found;
  const sentence = `The ${noun} has changed: its version is now ${found.version}. Read it again.`;
  throw new ApiProblem('precondition_failed', { sentence });
}
