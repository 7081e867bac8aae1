/**
 * The network's two sending limits. Both are token buckets kept as one instant ("free at"): a bucket of `burst` tokens
 * that refills one per `intervalMs` is full when that instant is past, and each message moves it one interval on.
 */
import type { BusinessNumber } from './numbers.ts';
import type { Settings } from './settings.ts';

const PAIR_INTERVAL_MS = 6_000;
const PAIR_BURST = 45;

export type LimitCode = 130429 | 131056;

/**
 * Takes one message from both buckets and returns null, or takes nothing and returns the code of the limit that is reached.
 */
export function takeFromLimits(
  number: BusinessNumber,
  to: string,
  settings: Settings,
  nowMs: number,
): LimitCode | null {
  const rateFreeAtMs = settings.numberRate > 0 ? nextFreeAt(number.rateFreeAtMs, 1000 / settings.numberRate, nowMs) : 0;
  // A rate below one per second still lets one message pass.
  if (rateFreeAtMs - nowMs > Math.max(1000, 1000 / (settings.numberRate || 1)) + 1e-6) return 130429;
  if (settings.pairLimit) {
    const pairFreeAtMs = nextFreeAt(number.pairFreeAtMs.get(to) ?? 0, PAIR_INTERVAL_MS, nowMs);
    if (pairFreeAtMs - nowMs > PAIR_BURST * PAIR_INTERVAL_MS) return 131056;
    rememberPair(number, to, pairFreeAtMs, nowMs);
  }
  number.rateFreeAtMs = rateFreeAtMs;
  return null;
}

function nextFreeAt(freeAtMs: number, intervalMs: number, nowMs: number): number {
  return Math.max(freeAtMs, nowMs) + intervalMs;
}

function rememberPair(number: BusinessNumber, to: string, freeAtMs: number, nowMs: number): void {
  const pairs = number.pairFreeAtMs;
  pairs.set(to, freeAtMs);
  if (pairs.size < number.pairSweepAt) return;
  for (const [recipient, at] of pairs) if (at <= nowMs) pairs.delete(recipient);
  number.pairSweepAt = Math.max(number.pairSweepAt, pairs.size * 2);
}
