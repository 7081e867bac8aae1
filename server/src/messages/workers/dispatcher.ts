import type { TokenProvider } from '#accounts/actions/account-token';
import { pauseRefused } from '#accounts/actions/pause-number';
import type { DispatcherId, TenantId } from '#core/ids';
import { queueState } from '#core/queue-state';
import type { Database } from '#database/database';
import { noting } from '#database/readiness';
import { claimMessages } from '#messages/actions/claim-messages';
import {
  adoptOrphans,
  deferMessages,
  makeSettler,
  type Settler,
  sweepOrphans,
} from '#messages/actions/dispatch-messages';
import { makeOutageNotes } from '#messages/actions/note-outage';
import type { OutcomeWaiters } from '#messages/actions/outcome-waiters';
import { correlationSecret } from '#messages/domain/correlation-token';
import type { MediaSource } from '#messages/domain/media-lookup';
import type { LaneRow, NumberLaneKey } from '#messages/store/leases';
import type { Candidate, ClaimedMessage } from '#messages/store/send-queue';
import type { NetworkClient } from '#network/client';
import { type EngineItem, type EngineLane, type EngineWork, LaneEngine } from '#queue/lane-engine';
import { Loop } from '#queue/loop';
import { BEAT_MS, Ownership } from '#queue/ownership';
import { Slots } from '#queue/slots';
import type { Runtime } from '#runtime/runtime';
import { LaneHeads } from './lane-heads.ts';
import { laneKey } from './lane-key.ts';
import { LanePoll } from './lane-poll.ts';
import { makeLaneWatch } from './lane-watch.ts';
import { lanesWhenChanged, makeLeaseStore } from './lease-store.ts';
import { Outage } from './outage.ts';
import { makeExpirySweep, reconcileUnknown } from './reconciler.ts';
import { type Lesson, makeSender } from './sender.ts';

export interface DispatcherDeps {
  readonly rt: Runtime;
  readonly db: Database;
  readonly network: NetworkClient;
  /** Places of the uploads before sends; closed when the dispatcher stops. */
  readonly uploads: Slots;
  readonly media: MediaSource;
  readonly tokens: TokenProvider;
  /** Notified of every message that is sent or failed. */
  readonly watch: OutcomeWaiters;
  /** Key of the correlation tokens; the same in every process. */
  readonly correlationKey: string;
}

export interface Dispatcher {
  readonly id: DispatcherId;
  start(): Promise<void>;
  /** Work may wait in this lane. */
  wake(tenantId: TenantId, phoneNumberId: string): void;
  /** Finishes what is in flight and gives the lanes back. */
  stop(): Promise<void>;
}

/** How often the queue is asked for due work, so that nothing depends on a wake-up arriving. */
const POLL_MS = 250;
/** How often own lanes are searched for rows that a process thought dead had claimed after all. */
const ORPHAN_SWEEP_MS = 5_000;
const RECONCILE_MS = 1_000;
const EXPIRY_SWEEP_MS = 5_000;
/** Claimed in addition to the sends in flight, so that a connection never waits for a claim. */
const IN_FLIGHT_PER_CONNECTION = 8;

interface QueueItem extends EngineItem {
  readonly candidate: Candidate;
}

/** Wires ownership, the lane engine and the network: the entrance that sends. */
export function makeDispatcher(parts: DispatcherDeps): Dispatcher {
  const { rt, db } = parts;
  const id = rt.newId<DispatcherId>();
  const settler = makeSettler(rt, db, parts.watch);
  const outage = new Outage(rt, makeOutageNotes(rt, db, id));
  const heads = new LaneHeads(rt, db, id);
  // One request per connection: a request that had to queue inside the client would leave after the lease was asked.
  const slots = new Slots(rt.config.sendConcurrency, rt.clock);
  const ownership: Ownership<LaneRow> = numberOwnership({ rt, db, id, heads, engine: () => engine });
  const send = laneSender(parts, { settler, outage, slots, ownership, engine: () => engine });
  const engine: SendEngine = new LaneEngine<QueueItem, ClaimedMessage>({
    clock: rt.clock,
    log: rt.log,
    maxInFlight: rt.config.sendConcurrency * IN_FLIGHT_PER_CONNECTION,
    laneOf: (key) => engineLane({ rt, ownership, outage }, key),
    work: engineWork({ rt, db, id, ownership, settler, outage, heads, send }),
  });
  const poll = new LanePoll(rt, db, id, (key) => engine.wake(key));
  const loops = dispatcherLoops({ rt, db, id, ownership, settler, slots, engine, poll });
  return {
    id,
    start: async () => {
      await ownership.step();
      for (const loop of loops) loop.start();
    },
    wake: (tenantId, phoneNumberId) => {
      poll.stir();
      engine.wake(`${tenantId}/${phoneNumberId}`);
    },
    stop: async () => {
      const [lanes, ...others] = loops;
      slots.close();
      parts.uploads.close();
      await Promise.all(others.map((loop) => loop.stop()));
      await engine.stop();
      await settler.drain();
      await lanes?.stop();
      await ownership.leave();
    },
  };
}

type SendEngine = LaneEngine<QueueItem, ClaimedMessage>;

interface OwnershipDeps extends Pick<DispatcherDeps, 'rt' | 'db'> {
  readonly id: DispatcherId;
  readonly heads: LaneHeads;
  /** Made after its ownership, which it asks. */
  readonly engine: () => SendEngine;
}

function numberOwnership({ rt, db, id, heads, engine }: OwnershipDeps): Ownership<LaneRow> {
  return new Ownership<LaneRow>({
    id,
    clock: rt.clock,
    log: rt.log,
    store: makeLeaseStore({
      ...{ rt, db, id, kind: 'number', list: lanesWhenChanged(db) },
      laneId: ({ phoneNumberId }) => phoneNumberId,
    }),
    onAcquired: async (lanes) => {
      heads.forget(lanes.map(({ key }) => key));
      await adoptOrphans(
        rt,
        db,
        lanes.map(({ lane, epoch }) => ({ ...lane, epoch })),
      );
      // A lane that has just become ours is read immediately.
      setImmediate(() => {
        for (const lane of lanes) engine().wake(lane.key);
      });
    },
    isBusy: (key) => engine().isBusy(key),
  });
}

interface SendingDeps extends Pick<WorkDeps, 'settler' | 'outage' | 'ownership'> {
  readonly slots: Slots;
  readonly engine: () => SendEngine;
}

function laneSender(
  { rt, db, network, media, tokens, correlationKey }: DispatcherDeps,
  { settler, outage, slots, ownership, engine }: SendingDeps,
): WorkDeps['send'] {
  const refused = new Map<string, number>();
  return makeSender({
    rt,
    network,
    media,
    settler,
    correlationSecret: correlationSecret(correlationKey),
    slots,
    holds: (message) => ownership.holds(laneKey(message), message.epoch),
    isPaused: (message) => ownership.owned.get(laneKey(message))?.lane.paused ?? false,
    accountOf: (message) => ownership.owned.get(laneKey(message))?.lane.accountId ?? null,
    tokens,
    onLesson: (lesson) => learn({ rt, db, engine: engine(), outage, refused }, lesson),
    onAnswered: (message) => outage.answered(laneKey(message)),
    mayLeave: (message) => outage.mayLeave({ messageId: message.messageId, lane: laneKey(message) }),
    downMs: () => outage.waitMs(),
  });
}

interface LoopDeps extends Pick<WorkDeps, 'rt' | 'db' | 'id' | 'ownership' | 'settler'> {
  readonly slots: Slots;
  readonly engine: SendEngine;
  readonly poll: LanePoll;
}

/** That of the lanes comes first: it stops last, while the others still settle. */
function dispatcherLoops({ rt, db, id, ownership, settler, slots, engine, poll }: LoopDeps): readonly Loop[] {
  const watchLanes = makeLaneWatch(rt, slots);
  const sweepExpired = makeExpirySweep({ rt, db, owner: id, settler });
  return [
    new Loop(rt, BEAT_MS, 'lanes', async () => {
      await ownership.step();
      rt.metrics.lanesOwned.set(ownership.owned.size);
    }),
    new Loop(rt, POLL_MS, 'poll', async () => {
      measure(rt, engine, slots);
      watchLanes();
      await poll.run();
    }),
    new Loop(rt, RECONCILE_MS, 'reconcile', async () => {
      if (!poll.isEmpty) await reconcileUnknown(rt, db, id, settler);
    }),
    new Loop(rt, ORPHAN_SWEEP_MS, 'orphans', () => sweepOrphans(rt, db, ownedKey(ownership))),
    new Loop(rt, EXPIRY_SWEEP_MS, 'expiry', () => sweepExpired(ownedLanes(ownership))),
  ];
}

interface LaneDeps {
  readonly rt: Runtime;
  readonly ownership: Ownership<LaneRow>;
  readonly outage: Outage;
}

function engineLane({ rt, ownership, outage }: LaneDeps, key: string): EngineLane | null {
  const owned = ownership.owned.get(key);
  if (!owned) return null;
  const { lane } = owned;
  return {
    key,
    tenant: lane.tenantId,
    limits: { ratePerSecond: lane.ratePerSecond ?? rt.config.numberRate, pairLimit: rt.config.pairLimit === 'on' },
    open: !outage.isDown(key) && !lane.paused && ownership.mayClaim(key),
  };
}

function ownedLanes(ownership: Ownership<LaneRow>): readonly LaneRow[] {
  return [...ownership.owned.values()].map(({ lane }) => lane);
}

function ownedKey(ownership: Ownership<LaneRow>): (lane: Omit<NumberLaneKey, 'epoch'>) => NumberLaneKey | null {
  return (lane) => {
    const epoch = ownership.owned.get(laneKey(lane))?.epoch;
    return epoch === undefined ? null : { ...lane, epoch };
  };
}

interface WorkDeps {
  readonly rt: Runtime;
  readonly db: Database;
  readonly id: DispatcherId;
  readonly ownership: Ownership<LaneRow>;
  readonly settler: Settler;
  readonly outage: Outage;
  readonly heads: LaneHeads;
  readonly send: (message: ClaimedMessage, expired: boolean) => Promise<void>;
}

function engineWork({
  rt,
  db,
  id,
  ownership,
  settler,
  outage,
  heads,
  send,
}: WorkDeps): EngineWork<QueueItem, ClaimedMessage> {
  const epochOf = (item: QueueItem) => ownership.owned.get(item.laneKey)?.epoch ?? -1;
  return {
    find: async (laneKeys, limit) => {
      const lanes = laneKeys.flatMap((key) => ownership.owned.get(key)?.lane ?? []);
      const candidates = await heads.find(lanes, limit);
      // Before the limits are applied: a message that is held back uses up no token and no turn of its recipient.
      return candidates.map(toItem).filter(({ id: messageId, laneKey: lane }) => outage.admits({ messageId, lane }));
    },
    claim: (items) => {
      const claims = items.map((item) => ({ ...item.candidate, epoch: epochOf(item) }));
      return noting(rt, 'claim', () => claimMessages(rt, db, id, claims));
    },
    unclaim: async (items) => {
      const nowMs = rt.clock.now();
      const trace = {
        atMs: nowMs,
        event: 'put_back',
        detail: 'The database failed while it was being claimed. Nothing was sent.',
      };
      await Promise.all(
        items.map((item) => {
          const { tenantId, messageId, dueMs } = item.candidate;
          const settlement = { kind: 'again', dueMs, possibleDuplicate: false, uncounted: true } as const;
          const stored = settler.other({
            tenantId,
            messageId,
            epoch: epochOf(item),
            fromState: queueState.claimed,
            attempt: 0,
            nowMs,
            settlement,
            trace,
          });
          return stored.finally(() => heads.mayBeBack(item.candidate));
        }),
      );
    },
    defer: (deferred) =>
      deferMessages(
        db,
        deferred.map(({ item, dueMs }) => ({ ...item.candidate, dueMs })),
        rt.clock.now(),
      ),
    keyOf: (message) => message.messageId,
    run: (message, expired) => send(message, expired).finally(() => heads.mayBeBack(message)),
  };
}

function toItem(candidate: Candidate): QueueItem {
  const { messageId, priority, to, expiresMs, pairReserved } = candidate;
  return { id: messageId, laneKey: laneKey(candidate), priority, group: to, expiresMs, paid: pairReserved, candidate };
}

function measure({ metrics }: Runtime, engine: SendEngine, slots: Slots): void {
  metrics.inFlight.set({ state: 'waiting' }, slots.waiting);
  metrics.inFlight.set({ state: 'sending' }, slots.held);
  metrics.inFlight.set({ state: 'other' }, Math.max(0, engine.inFlight - slots.waiting - slots.held));
}

interface LearnDeps {
  readonly rt: Runtime;
  readonly db: Database;
  readonly engine: SendEngine;
  readonly outage: Outage;
  /** By lane and token: until when, in monotonic milliseconds, a refused access belongs to one that was acted on. */
  readonly refused: Map<string, number>;
}

/** How long a number rests when the network says that it is being upgraded or maintained. */
const MAINTENANCE_REST_MS = 60_000;
/** How long a number whose access was refused rests in memory: until the table surely says that it is paused. */
const REFUSED_REST_MS = 3 * BEAT_MS;

/** What a refusal teaches about its lane: slower, this recipient later, rest, or stop until a person acts. */
function learn({ rt, db, engine, outage, refused }: LearnDeps, taught: Lesson): void {
  const { message, lesson, decision, accountId } = taught;
  const lane = engine.lane(laneKey(message));
  const monoMs = rt.clock.monotonic();
  const { settlement, trace } = decision;
  const sent = { messageId: message.messageId, lane: laneKey(message) };
  if (lesson === 'network_down') outage.unreachable(sent, trace.detail);
  if (lesson === 'unanswered') outage.unanswered(sent, trace.detail);
  if (lesson === 'silent') outage.silent(sent);
  if (lesson === 'rate') lane?.tokens.rateLimited(monoMs);
  if (lesson === 'maintenance') lane?.rest(monoMs + MAINTENANCE_REST_MS);
  if (lesson === 'pair_rate' && settlement.kind === 'again') lane?.pairs.blocked(message.to, settlement.dueMs);
  if (lesson !== 'auth') return;
  // Immediately in memory, so that not one more send is wasted; the database follows and notifies the other processes.
  lane?.rest(monoMs + REFUSED_REST_MS);
  // Sends under way are refused together: one pause for all of them, lest a late one undo what a person did since.
  const access = `${laneKey(message)}/${accountId}`;
  const isOld = (refused.get(access) ?? Number.NEGATIVE_INFINITY) > monoMs;
  refused.set(access, monoMs + REFUSED_REST_MS);
  if (isOld) return;
  const { tenantId, phoneNumberId } = message;
  pauseRefused(rt, db, { tenantId, phoneNumberId, accountId, pauseReason: trace.detail });
}
