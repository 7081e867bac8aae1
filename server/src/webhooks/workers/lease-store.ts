import type { NotifierId } from '#core/ids';
import type { Database } from '#database/database';
import type { LeaseRow, LeaseStore } from '#queue/ownership';
import type { Runtime } from '#runtime/runtime';
import {
  acquireEndpointLanes,
  beatNotifier,
  type EndpointLaneRow,
  listEndpointLanes,
  listNotifiers,
  releaseEndpointLanes,
  removeNotifier,
} from '#webhooks/store/webhook-lanes';

/** The lanes of endpoints behind the interface that queue/ownership asks for. */
export function leaseStore(rt: Runtime, db: Database, id: NotifierId): LeaseStore<EndpointLaneRow> {
  const startedMs = rt.clock.now();
  return {
    beat: (beat) => beatNotifier(db, { notifierId: id, beat }, startedMs),
    listOwners: async () => (await listNotifiers(db)).map(({ notifierId, beat }) => ({ id: notifierId, beat })),
    removeOwner: (owner, beat) => removeNotifier(db, owner as NotifierId, beat),
    listLanes: async () => (await listEndpointLanes(db)).map(toLease),
    acquire: async (rows) => {
      const lanes = rows.map(({ lane }) => lane);
      const taken = await acquireEndpointLanes(db, id, lanes);
      return new Map(taken.map((lane) => [endpointKey(lane), lane.epoch]));
    },
    release: (rows) => {
      const lanes = rows.map(({ lane, epoch }) => ({ ...lane, epoch }));
      return releaseEndpointLanes(db, id, lanes);
    },
  };
}

export function endpointKey(lane: Pick<EndpointLaneRow, 'tenantId' | 'endpointId'>): string {
  return `${lane.tenantId}/${lane.endpointId}`;
}

function toLease(lane: EndpointLaneRow): LeaseRow<EndpointLaneRow> {
  return { key: endpointKey(lane), ownerId: lane.ownerId, epoch: lane.epoch, lane };
}
