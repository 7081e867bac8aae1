import { allows, type Scope } from '#core/caller/scopes';
import { ApiProblem } from '#core/errors';

/** What the key that asks was granted; empty: every scope. */
export interface Granted {
  readonly granted: readonly string[];
}

/**
 * What is set up to act later acts without a key: its creator must hold the scopes of what it does.
 * @throws ApiProblem forbidden
 */
export function requireGranted({ granted }: Granted, needed: readonly Scope[]): void {
  const missing = needed.find((scope) => !allows(granted, scope));
  if (missing === undefined) return;
  throw new ApiProblem('forbidden', {
    sentence: `This API key lacks the scope ${missing}, which is required for this configuration.`,
  });
}
