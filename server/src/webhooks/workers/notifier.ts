import type { EndpointId, NotifierId, TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { makeLeaseStore } from '#messages/workers/lease-store';
import { Loop } from '#queue/loop';
import { BEAT_MS, type LeaseRow, Ownership } from '#queue/ownership';
import type { Keyring } from '#runtime/keyring';
import type { Runtime } from '#runtime/runtime';
import { disableEndpoint, emitFailing, findDueEndpoints, takeEvents } from '#webhooks/actions/notify-events';
import { openSecrets } from '#webhooks/actions/webhook-secrets';
import { loadDueDeliveries } from '#webhooks/store/webhook-deliveries';
import { findEndpoint } from '#webhooks/store/webhook-endpoints';
import { type EndpointLaneRow, listEndpointLanes, MAX_LOOK_BACK, passEvents } from '#webhooks/store/webhook-lanes';
import { CoalescingRunner } from './coalescing-runner.ts';
import { DeliveryEngine } from './delivery-engine.ts';
import type { EndpointLane, OpenedEndpoint } from './endpoint-lane.ts';
import { openWebhookPoster, type WebhookPoster } from './post.ts';
import { AttemptSettler } from './settle.ts';

export interface NotifierDeps {
  readonly rt: Runtime;
  readonly db: Database;
  readonly keyring: Keyring;
  /** Posts to the endpoints; made from the settings unless handed in. */
  readonly poster?: WebhookPoster;
}

export interface Notifier {
  start(): Promise<void>;
  /** Lets what is under way end, within limits, and gives the lanes back. */
  stop(): Promise<void>;
}

/** How often the lanes are polled for due work, so that nothing depends on a notification. */
const POLL_MS = 500;
/**
 * Events of types that an endpoint does not want are passed over this many at a time: each look reads again what was not
 * passed over yet, which is cheaper than a write per event. As many lanes as there are, so many writes that is; so the more lanes, the more
 * events at a time, as far as a look reads back.
 */
const PASS_LAG = 100;
const MOST_PASS_LAG = MAX_LOOK_BACK / 10;
/** How often the rest is passed over, so that a tenant that rests costs no reading. */
const PASS_REST_MS = 10_000;
/**
 * How long attempts under way may continue when the process stops. An attempt that is broken off is delivered again.
 */
const STOP_GRACE_MS = 3_000;

/** Delivers events to webhook endpoints: a lane per endpoint, each owned by one process. */
export function makeNotifier({ rt, db, keyring, poster: given }: NotifierDeps): Notifier {
  const id = rt.newId<NotifierId>();
  const poster = given ?? openWebhookPoster(rt);
  const settler = new AttemptSettler(rt, db);
  const ownership = endpointOwnership({ rt, db, id, isBusy: (key) => engine.isBusy(key) });
  const engine: DeliveryEngine = new DeliveryEngine({
    rt,
    db,
    poster,
    settle: (one) => settler.settle(one),
    emitFailing: (endpoint) => emitFailing(rt, db, endpoint),
    disable: (endpoint, reason) => disableEndpoint(rt, db, endpoint, reason),
    maxInFlight: rt.config.webhookConcurrency,
    holds: (key, epoch) => ownership.holds(key, epoch),
    open: (lane) => openEndpoint({ db, keyring }, lane),
    find: (lane, limit) => findWork({ rt, db }, lane, limit),
  });
  const poll = async (minLag: number): Promise<void> => {
    if (ownership.owned.size === 0) return;
    const { due, passable } = await findDueEndpoints(db, { owner: id, nowMs: rt.clock.now(), minLag });
    engine.wake(due.map((lane) => ({ key: endpointKey(lane), hasEvents: lane.hasEvents })));
    // When it fails the next look finds the same.
    if (passable.length > 0) await passEvents(db, id, passable);
  };
  const passLag = () => Math.min(MOST_PASS_LAG, Math.max(PASS_LAG, ownership.owned.size));
  const onSignal = new CoalescingRunner(rt, () => poll(passLag()));
  const versions = new Map<string, number>();
  const loops = [
    new Loop(rt, BEAT_MS, 'webhook_lanes', async () => {
      await ownership.step();
      engine.own(ownership.owned, changedLanes(versions, ownership));
    }),
    new Loop(rt, POLL_MS, 'webhook_poll', () => poll(passLag())),
    new Loop(rt, PASS_REST_MS, 'webhook_pass', () => poll(1)),
  ];
  let unlisten: () => void = () => undefined;
  return {
    start: async () => {
      await ownership.step();
      engine.own(ownership.owned, changedLanes(versions, ownership));
      unlisten = rt.eventSignal.listen((tenantIds) => {
        if (engine.hasLaneOf(tenantIds)) onSignal.ask();
      });
      for (const loop of loops) loop.start();
    },
    stop: async () => {
      unlisten();
      await onSignal.drain();
      const [lanes, ...polls] = loops;
      await Promise.all(polls.map((loop) => loop.stop()));
      // A database that is away must not keep the process.
      const cancel = rt.clock.after(STOP_GRACE_MS, () => settler.leave());
      await engine.stop(STOP_GRACE_MS);
      await settler.drain();
      cancel();
      await lanes?.stop();
      await ownership.leave();
      await poster.close();
    },
  };
}

interface OwnershipDeps extends Pick<NotifierDeps, 'rt' | 'db'> {
  readonly id: NotifierId;
  readonly isBusy: (key: string) => boolean;
}

function endpointOwnership({ rt, db, id, isBusy }: OwnershipDeps): Ownership<EndpointLaneRow> {
  return new Ownership<EndpointLaneRow>({
    id,
    clock: rt.clock,
    log: rt.log,
    store: makeLeaseStore({
      ...{ rt, db, id, kind: 'endpoint', laneId: ({ endpointId }) => endpointId },
      list: async () => (await listEndpointLanes(db)).map(toLease),
    }),
    // Nothing to repair: what the last owner had under way is still due, and is delivered again with the same id.
    onAcquired: async () => undefined,
    isBusy,
  });
}

function endpointKey(lane: Pick<EndpointLaneRow, 'tenantId' | 'endpointId'>): string {
  return `${lane.tenantId}/${lane.endpointId}`;
}

function toLease(lane: EndpointLaneRow): LeaseRow<EndpointLaneRow> {
  return { key: endpointKey(lane), ownerId: lane.ownerId, epoch: lane.epoch, lane };
}

/** Lanes whose endpoint was changed since the last look. */
function changedLanes(versions: Map<string, number>, ownership: Ownership<EndpointLaneRow>): ReadonlySet<string> {
  const changed = new Set<string>();
  for (const key of versions.keys()) if (!ownership.owned.has(key)) versions.delete(key);
  for (const [key, { lane }] of ownership.owned) {
    if (versions.get(key) !== lane.version) changed.add(key);
    versions.set(key, lane.version);
  }
  return changed;
}

async function openEndpoint(
  { db, keyring }: Pick<NotifierDeps, 'db' | 'keyring'>,
  lane: EndpointLane,
): Promise<OpenedEndpoint | null> {
  const { tenantId, endpointId } = idsOf(lane);
  const endpoint = await findEndpoint(db, tenantId, endpointId);
  if (endpoint === null || endpoint.disabledReason !== null) return null;
  const { host } = new URL(endpoint.url);
  return { endpoint, host, secretsAt: (nowMs) => openSecrets(keyring, endpoint, nowMs) };
}

async function findWork(
  { rt, db }: Pick<NotifierDeps, 'rt' | 'db'>,
  lane: EndpointLane,
  limit: number,
): Promise<{ readonly due: Awaited<ReturnType<typeof loadDueDeliveries>>; readonly more: boolean }> {
  const ids = idsOf(lane);
  const mayTake = lane.hasEvents;
  // Before the look, so that a signal that arrives during it is not missed.
  lane.hasEvents = false;
  const { events, more } = mayTake
    ? await takeEvents(rt, db, { ...ids, epoch: lane.epoch })
    : { events: [], more: false };
  lane.hasEvents ||= more;
  lane.remember(events);
  const due = await loadDueDeliveries(db, ids, { except: lane.known(), limit, nowMs: rt.clock.now() });
  return { due, more: more || due.length === limit };
}

function idsOf({ key }: EndpointLane): { readonly tenantId: TenantId; readonly endpointId: EndpointId } {
  const [tenantId = '', endpointId = ''] = key.split('/');
  return { tenantId: tenantId as TenantId, endpointId: endpointId as EndpointId };
}
