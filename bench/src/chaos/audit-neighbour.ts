import type { Indexed } from './audit.ts';
import type { Violation } from './evidence.ts';
import type { NeighbourPost } from './neighbour.ts';

/** What a fault may add: far below what it would cost to wait for its end. */
const MAY_ADD_MS = 1_500;

/**
 * Nobody feels the trouble of another tenant: what is posted beside it is accepted, and reaches the network as soon as what
 * was posted before any trouble began, on the same machine in the same run.
 */
export function checkNeighbour(indexed: Indexed): readonly Violation[] {
  const calm = indexed.neighbour.filter(({ isCalm }) => isCalm).map((post) => tookMs(indexed, post));
  const withinMs = MAY_ADD_MS + Math.max(0, ...calm.filter(Number.isFinite));
  return indexed.neighbour.flatMap((post): Violation[] => {
    const { clientRef, id, isApart, isCalm } = post;
    if (!isApart || isCalm) return [];
    if (id === null) return [{ kind: 'slowed', what: `${clientRef} was not accepted beside another tenant's fault.` }];
    const ms = tookMs(indexed, post);
    if (ms <= withinMs) return [];
    const what = `${clientRef} took ${ms} ms to the network beside another tenant's fault; ${withinMs} ms are allowed.`;
    return [{ kind: 'slowed', what }];
  });
}

function tookMs({ accepts }: Indexed, { id, postedMs }: NeighbourPost): number {
  return (accepts.get(id ?? '')?.[0]?.acceptedAtMs ?? Number.POSITIVE_INFINITY) - postedMs;
}
