import { ApiProblem } from '#core/errors';

/**
 * Refuses a change of what was changed since the caller read it.
 * @param noun what the sentence calls it
 * @param versions from If-Match; null: any version
 * @throws ApiProblem precondition_failed
 */
export function requireVersion(noun: string, version: number, versions: readonly number[] | null): void {
  if (versions === null || versions.includes(version)) return;
  throw new ApiProblem('precondition_failed', { sentence: staleSentence(noun, version) });
}

export function staleSentence(noun: string, version: number): string {
  return `The ${noun} was changed meanwhile: its version is ${version}. Read it again.`;
}
