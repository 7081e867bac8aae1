import { readLedger } from '../chaos/ledger.ts';
import { atMost, type Figure, makeFigure } from '../figure.ts';
import { pollUntil } from '../harness/pause.ts';
import { PHONE_NUMBER_ID, type Server } from '../harness/server.ts';
import type { Simulator } from '../harness/simulator.ts';
import type { Stage } from '../harness/stage.ts';
import { Histogram } from '../histogram.ts';
import { type Bench, onStage, type Scenario } from '../scenario.ts';
import { type Caller, openCallers, pauseNoisy, post } from './support/quiet-callers.ts';
import { seedRows } from './support/seed-rows.ts';
import { type SeededTenant, seedTenants } from './support/seed-tenants.ts';

const OTHER_NUMBERS = 19;
/** The others may wait a tenth longer beside the number than without it. */
const WANTED_RATIO = 1.1;
const MS_PER_SECOND = 1000;
const SEND_STATES = ['waiting', 'sending', 'other'];
const POLL_MS = 250;
/** Several deadlines of a send. */
const ENDED_WITHIN_MS = 60_000;
/** What hung is not sent again while anything is measured. */
const LIVE = { MESSAGING_UNKNOWN_WAIT_S: '3600' } as const;
const API_ONLY = { ...LIVE, MESSAGING_ROLES: 'api' } as const;

const VARIANTS = [
  { name: 'hangs', fault: { fault: 'hang' } },
  { name: 'drips', fault: { fault: 'drip', delay_ms: 1_000 } },
  // Within the deadline of a send, so that each holds its connection for long and succeeds.
  { name: 'answers after 14 s', fault: { fault: 'delay', delay_ms: 14_000 } },
] as const;

/**
 * From the post to the network's accept for 19 numbers, each of a different tenant, while a twentieth with a long
 * backlog is not answered, is answered a byte at a time, or is answered late; compared with the same while it is
 * paused. Rounds alternate on one server. All limits are the defaults of an installation.
 */
export const hangingNumber: Scenario = {
  name: 'hanging-number',
  databases: ['postgres', 'pglite'],
  run: (bench) => onStage(bench, { name: 'hanging-number', settings: API_ONLY }, (stage) => prepare(bench, stage)),
};

async function prepare(bench: Bench, stage: Stage): Promise<readonly Figure[]> {
  await pauseNoisy(stage.server, true);
  const nowMs = Date.now();
  let tenants: readonly SeededTenant[] = [];
  const server = await stage.replaceServer(LIVE, async () => {
    await seedRows(stage, { count: bench.sizes.noisyMessages, state: 'queued', nowMs });
    tenants = await seedTenants(stage, { count: OTHER_NUMBERS, nowMs });
  });
  const parts = { server, simulator: stage.simulator, callers: openCallers({ server, tenants }, bench.seed) };
  try {
    // Uncounted: the server has just started.
    await round(parts, null, bench.sizes.quietSeconds / 2);
    const figures: Figure[] = [];
    // Each waits for what hung to end: in a short run that is nearly all of its time.
    const variants = bench.sizes.allFaults ? VARIANTS : VARIANTS.slice(0, 1);
    for (const variant of variants) figures.push(await measure(bench, parts, variant));
    return figures;
  } finally {
    await Promise.all(parts.callers.map(({ connection }) => connection.close()));
  }
}

type Variant = (typeof VARIANTS)[number];

interface Parts {
  readonly server: Server;
  readonly simulator: Simulator;
  readonly callers: readonly Caller[];
}

interface Round {
  /** By recipient: when it was posted, milliseconds since 1970. */
  readonly posted: Map<string, number>;
  readonly calm: boolean;
  /** Sends of the number that were under way when the round ended. */
  readonly held: number;
}

async function measure(bench: Bench, parts: Parts, variant: Variant): Promise<Figure> {
  const { quietRounds, quietSeconds } = bench.sizes;
  const rounds: Round[] = [];
  for (let time = 0; time < quietRounds; time += 1) {
    for (const fault of time % 2 === 0 ? [null, variant.fault] : [variant.fault, null])
      rounds.push(await round(parts, fault, quietSeconds));
  }
  return figure(bench, { variant, rounds, ledgerFile: parts.simulator.ledgerFile });
}

/** The others post for some seconds, beside the number in its fault or with it kept back. Ends with nothing on its way. */
async function round(
  { server, simulator, callers }: Parts,
  fault: Variant['fault'] | null,
  seconds: number,
): Promise<Round> {
  if (fault !== null) {
    const rule = { probability: 1, phone_number_id: PHONE_NUMBER_ID, ...fault };
    await simulator.control('PUT', '/_sim/chaos', { steps: { send: [rule] } });
    await pauseNoisy(server, false);
  }
  const posted = new Map<string, number>();
  const toMs = Date.now() + seconds * MS_PER_SECOND;
  await Promise.all(callers.map((caller) => post(caller, posted, toMs)));
  const held = (await server.counters()).get(inFlightName('sending')) ?? 0;
  await pauseNoisy(server, true);
  await ended(server);
  await simulator.control('PUT', '/_sim/chaos', {});
  return { posted, calm: fault === null, held };
}

/** Waits until no send is under way any more, not those that hang either: they end at their deadline. */
async function ended(server: Server): Promise<void> {
  let quietPolls = 0;
  await pollUntil({
    what: 'sends are still under way',
    everyMs: POLL_MS,
    timeoutMs: ENDED_WITHIN_MS,
    probe: async () => {
      const counters = await server.counters();
      const inFlight = SEND_STATES.reduce((sum, state) => sum + (counters.get(inFlightName(state)) ?? 0), 0);
      quietPolls = inFlight === 0 ? quietPolls + 1 : 0;
      // The server counts four times a second: what it says is that old.
      return quietPolls > 3 ? true : null;
    },
  });
}

function inFlightName(state: string): string {
  return `postrider_sends_in_flight{state="${state}"}`;
}

interface Measured {
  readonly variant: Variant;
  readonly rounds: readonly Round[];
  readonly ledgerFile: string;
}

function figure({ database, say }: Bench, { variant, rounds, ledgerFile }: Measured): Figure {
  const acceptedAt = new Map(readLedger(ledgerFile).map(({ to, acceptedAtMs }) => [to, acceptedAtMs]));
  const [calm, beside] = [new Histogram(), new Histogram()];
  let missing = 0;
  for (const { posted, calm: isCalm } of rounds)
    for (const [to, atMs] of posted) {
      const reachedMs = acceptedAt.get(to);
      if (reachedMs === undefined) missing += 1;
      else (isCalm ? calm : beside).record(reachedMs - atMs);
    }
  const held = Math.max(...rounds.filter((one) => !one.calm).map((one) => one.held));
  const [without, with_] = [calm.summary(), beside.summary()];
  say(`  ${variant.name}: p99 ${without.p99Ms.toFixed(1)} ms calm, ${with_.p99Ms.toFixed(1)} ms beside ${held} held`);
  return makeFigure(
    {
      name: `${OTHER_NUMBERS} numbers beside one that ${variant.name}, post → network, p99`,
      database,
      value: without.p99Ms === 0 ? 0 : with_.p99Ms / without.p99Ms,
      unit: '× calm',
      limit: atMost(WANTED_RATIO),
      yardstick: { name: 'itself a ratio', value: 1 },
      detail: { calm: without, beside: with_, heldByTheNumber: held, notSent: missing },
    },
    held > 0 && missing === 0,
  );
}
