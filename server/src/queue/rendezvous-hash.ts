import { hash } from 'node:crypto';

/**
 * Rendezvous (highest random weight) hashing: each key is assigned to the owner that scores highest with it. When an
 * owner joins or leaves, only its own keys move. Deterministic: all processes come to the same result.
 */
export function preferredOwner(key: string, owners: ReadonlySet<string>): string | null {
  let best: string | null = null;
  let bestScore = '';
  for (const owner of owners) {
    const score = owners.size === 1 ? '0' : hash('sha256', `${owner}|${key}`, 'hex');
    if (score > bestScore) {
      best = owner;
      bestScore = score;
    }
  }
  return best;
}
