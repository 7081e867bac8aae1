import type { DispatcherId } from '#core/ids';
import type { DispatchDatabase } from '#operations/dispatch-database';
import {
  acquireLanes,
  beatDispatcher,
  type LaneRow,
  listDispatchers,
  listLanes,
  releaseLanes,
  removeDispatcher,
} from '#operations/own-lanes';
import type { LeaseRow, LeaseStore } from '#queue/ownership';
import type { Runtime } from '#runtime/runtime';
import { laneKey } from './lane-key.ts';

/** The lease table behind the interface that queue/ownership asks for. */
export function leaseStore(rt: Runtime, db: DispatchDatabase, id: DispatcherId): LeaseStore<LaneRow> {
  const startedMs = rt.clock.now();
  return {
    beat: (beat) => beatDispatcher(db, { dispatcherId: id, beat }, startedMs),
    listOwners: async () => (await listDispatchers(db)).map(({ dispatcherId, beat }) => ({ id: dispatcherId, beat })),
    removeOwner: (owner, beat) => removeDispatcher(db, owner as DispatcherId, beat),
    listLanes: async () => (await listLanes(db)).map(toLease),
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

function toLease(lane: LaneRow): LeaseRow<LaneRow> {
  return { key: laneKey(lane), ownerId: lane.ownerId, epoch: lane.epoch, lane };
}
