import type { Lane, LaneItem, Moment } from './lane.ts';

/** A lane in the round: `tenant` is who must not starve anybody else. */
export interface Contender<Item extends LaneItem> {
  readonly key: string;
  readonly tenant: string;
  readonly lane: Lane<Item>;
}

/** What a round decided. */
export interface Choice<Item> {
  readonly go: readonly Item[];
  readonly expired: readonly Item[];
  readonly deferred: readonly { readonly item: Item; readonly dueMs: number }[];
}

/**
 * Fills the free slots: one item per tenant and turn, and within a tenant one per lane and turn. A tenant with a
 * million queued delays one with a single message by at most one turn.
 * @param start rotates who goes first from round to round
 */
export function chooseItems<Item extends LaneItem>(
  contenders: readonly Contender<Item>[],
  free: number,
  now: Moment,
  start: number,
): Choice<Item> {
  const go: Item[] = [];
  const expired: Item[] = [];
  const deferred: { item: Item; dueMs: number }[] = [];
  const tenants = byTenant(contenders);
  let ring = tenants.map((_, index) => tenants[(index + start) % tenants.length] ?? []);
  while (ring.length > 0 && go.length + expired.length < free) {
    for (const lanes of ring) {
      if (go.length + expired.length >= free) break;
      const verdict = nextOf(lanes, now);
      if (verdict.kind === 'go') go.push(verdict.item);
      else if (verdict.kind === 'expired') expired.push(verdict.item);
      else if (verdict.kind === 'defer') deferred.push({ item: verdict.item, dueMs: verdict.dueMs });
    }
    ring = ring.filter((lanes) => lanes.length > 0);
  }
  return { go, expired, deferred };
}

/** The next verdict of a tenant: its lanes take turns; a lane that stops leaves the round. */
function nextOf<Item extends LaneItem>(lanes: Contender<Item>[], now: Moment) {
  while (true) {
    const contender = lanes.shift();
    if (!contender) return { kind: 'stop' } as const;
    const verdict = contender.lane.next(now);
    if (verdict.kind === 'stop') continue;
    lanes.push(contender);
    return verdict;
  }
}

function byTenant<Item extends LaneItem>(contenders: readonly Contender<Item>[]): Contender<Item>[][] {
  const tenants = new Map<string, Contender<Item>[]>();
  for (const contender of contenders) {
    const lanes = tenants.get(contender.tenant);
    if (lanes) lanes.push(contender);
    else tenants.set(contender.tenant, [contender]);
  }
  return [...tenants.values()];
}
