import {
  acquireLanes,
  beatOwner,
  type LaneKey,
  type LaneKind,
  listOwners,
  releaseLanes,
  removeOwner,
} from '#accounts/store/lane-owners';
import type { Database } from '#database/database';
import { type LaneRow, listLanes, readLanesDigest } from '#messages/store/leases';
import type { LeaseRow, LeaseStore } from '#queue/ownership';
import type { Runtime } from '#runtime/runtime';
import { laneKey } from './lane-key.ts';

interface LeaseDeps<T> {
  readonly rt: Runtime;
  readonly db: Database;
  /** The process that takes lanes. */
  readonly id: string;
  readonly kind: LaneKind;
  readonly laneId: (lane: T) => string;
  /** The same array as before says that nothing has changed. */
  readonly list: () => Promise<readonly LeaseRow<T>[]>;
}

/** The owners of lanes of a kind behind the interface that queue/ownership asks for. */
export function makeLeaseStore<T extends Pick<LaneKey, 'tenantId'>>(deps: LeaseDeps<T>): LeaseStore<T> {
  const { rt, db, id, kind, laneId } = deps;
  const startedMs = rt.clock.now();
  const keysOf = (rows: readonly { readonly lane: T; readonly epoch: number }[]): readonly LaneKey[] =>
    rows.map(({ lane, epoch }) => ({ tenantId: lane.tenantId, laneId: laneId(lane), epoch }));
  return {
    beat: (beat) => beatOwner(db, kind, { id, beat, startedMs }),
    listOwners: () => listOwners(db, kind),
    removeOwner: (owner, beat) => removeOwner(db, kind, { id: owner, beat }),
    listLanes: deps.list,
    acquire: async (rows) => {
      const taken = await acquireLanes(db, id, keysOf(rows));
      return new Map(taken.map((lane) => [`${lane.tenantId}/${lane.laneId}`, lane.epoch]));
    },
    release: (rows) => releaseLanes(db, id, keysOf(rows)),
  };
}

/** After so many looks the lanes are read whatever their digest says: no sum is beyond all doubt. */
const READ_ANYWAY_AFTER = 30;

/** Reads the lanes of numbers when one has changed; until then the answer is the very same. */
export function lanesWhenChanged(db: Database): () => Promise<readonly LeaseRow<LaneRow>[]> {
  let known: { readonly digest: string; readonly rows: readonly LeaseRow<LaneRow>[] } | null = null;
  let looks = 0;
  return async () => {
    looks += 1;
    // The digest first: what changes between the two is seen by the next look.
    const digest = await readLanesDigest(db);
    if (known?.digest !== digest || looks % READ_ANYWAY_AFTER === 0) {
      known = { digest, rows: (await listLanes(db)).map(toLease) };
    }
    return known.rows;
  };
}

function toLease(lane: LaneRow): LeaseRow<LaneRow> {
  return { key: laneKey(lane), ownerId: lane.ownerId, epoch: lane.epoch, lane };
}
