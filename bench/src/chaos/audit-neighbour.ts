import type { Indexed } from './audit.ts';
import type { Violation } from './evidence.ts';

/** Far above what an undisturbed message takes on a machine of two cores, far below what a neighbour's fault lasts. */
const WITHIN_MS = 1_500;

/** Nobody feels the trouble of another tenant: what is posted beside it is accepted, and reaches the network soon. */
export function checkNeighbour({ neighbour, accepts }: Indexed): readonly Violation[] {
  return neighbour.flatMap(({ clientRef, postedMs, id, isApart }): Violation[] => {
    if (!isApart) return [];
    if (id === null) return [{ kind: 'slowed', what: `${clientRef} was not accepted beside another tenant's fault.` }];
    const [first] = accepts.get(id) ?? [];
    const tookMs = (first?.acceptedAtMs ?? Number.POSITIVE_INFINITY) - postedMs;
    if (tookMs <= WITHIN_MS) return [];
    return [{ kind: 'slowed', what: `${clientRef} took ${tookMs} ms to the network beside another tenant's fault.` }];
  });
}
