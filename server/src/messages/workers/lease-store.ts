import type { DispatcherId } from '#core/ids';
import type { Database } from '#database/database';
import {
  acquireLanes,
  beatDispatcher,
  type LaneRow,
  listDispatchers,
  listLanes,
  readLanesDigest,
  releaseLanes,
  removeDispatcher,
} from '#messages/store/leases';
import type { LeaseRow, LeaseStore } from '#queue/ownership';
import type { Runtime } from '#runtime/runtime';
import { laneKey } from './lane-key.ts';

/** The lease table behind the interface that queue/ownership asks for. */
export function leaseStore(rt: Runtime, db: Database, id: DispatcherId): LeaseStore<LaneRow> {
  const startedMs = rt.clock.now();
  const list = lanesWhenChanged(db);
  return {
    beat: (beat) => beatDispatcher(db, { dispatcherId: id, beat }, startedMs),
    listOwners: async () => (await listDispatchers(db)).map(({ dispatcherId, beat }) => ({ id: dispatcherId, beat })),
    removeOwner: (owner, beat) => removeDispatcher(db, owner as DispatcherId, beat),
    listLanes: list,
    acquire: async (lanes) => {
      const taken = await acquireLanes(
        db,
        id,
        lanes.map(({ lane }) => lane),
      );
      return new Map(taken.map((lane) => [laneKey(lane), lane.epoch]));
    },
    release: (lanes) =>
      releaseLanes(
        db,
        id,
        lanes.map(({ lane, epoch }) => ({ ...lane, epoch })),
      ),
  };
}

/** After so many looks the lanes are read whatever their digest says: no sum is beyond all doubt. */
const READ_ANYWAY_AFTER = 30;

/** Reads the lanes when one has changed; until then the answer is the very same. */
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
