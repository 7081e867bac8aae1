import type { Lane, LaneItem, LaneMoment } from './lane.ts';
import type { Holder, Shares } from './shares.ts';

/** A lane in the round: `tenant` is who must not starve anybody else. */
export interface Contender<Item extends LaneItem> extends Holder {
  readonly lane: Lane<Item>;
}

/** What a round decided. */
export interface LaneChoice<Item> {
  readonly go: readonly Item[];
  readonly expired: readonly Item[];
  readonly deferred: readonly { readonly item: Item; readonly dueMs: number }[];
}

/**
 * Fills the free places: one item per tenant and turn, and within a tenant one per lane and turn. A tenant with a
 * million queued delays one with a single message by at most one turn. An item that leaves, or is expired, holds a
 * place under its id.
 * @param start rotates the first tenant from round to round
 */
export function chooseItems<Item extends LaneItem>(
  contenders: readonly Contender<Item>[],
  shares: Shares,
  now: LaneMoment,
  start: number,
): LaneChoice<Item> {
  const go: Item[] = [];
  const expired: Item[] = [];
  const deferred: { item: Item; dueMs: number }[] = [];
  const tenants = byTenant(contenders);
  let remaining = tenants.map((_, index) => tenants[(index + start) % tenants.length] ?? []);
  while (remaining.length > 0 && shares.free > 0) {
    for (const lanes of remaining) {
      const verdict = nextOf(lanes, shares, now);
      if (verdict.kind === 'go') go.push(verdict.item);
      else if (verdict.kind === 'expired') expired.push(verdict.item);
      else if (verdict.kind === 'defer') deferred.push({ item: verdict.item, dueMs: verdict.dueMs });
    }
    remaining = remaining.filter((lanes) => lanes.length > 0);
  }
  return { go, expired, deferred };
}

/**
 * The lanes that are asked in this round when not all can be: one per tenant and turn, those that have waited longest first.
 * @param contenders in the order in which they wait
 */
export function firstLanes<Item extends LaneItem>(
  contenders: readonly Contender<Item>[],
  count: number,
): readonly Contender<Item>[] {
  if (contenders.length <= count) return contenders;
  const first: Contender<Item>[] = [];
  let remaining = byTenant(contenders);
  for (let turn = 0; first.length < count; turn += 1) {
    remaining = remaining.filter((lanes) => lanes.length > turn);
    first.push(...remaining.flatMap((lanes) => lanes[turn] ?? []));
  }
  return first.slice(0, count);
}

/** The next verdict of a tenant: its lanes take turns; a lane that stops, or holds its share, leaves the round. */
function nextOf<Item extends LaneItem>(lanes: Contender<Item>[], shares: Shares, now: LaneMoment) {
  while (true) {
    const contender = lanes.shift();
    if (!contender) return { kind: 'stop' } as const;
    if (!shares.mayTake(contender)) continue;
    const verdict = contender.lane.next(now);
    if (verdict.kind === 'stop') continue;
    if (verdict.kind !== 'defer') shares.take(verdict.item.id, contender);
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
