import { ApiProblem, requireFound } from '#core/errors';

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
  const sentence = `The ${noun} was changed meanwhile: its version is ${found.version}. Read it again.`;
  throw new ApiProblem('precondition_failed', { sentence });
}
