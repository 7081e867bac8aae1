import { atMost, type Figure, makeFigure } from '../../figure.ts';
import { pause } from '../../harness/pause.ts';
import type { Server } from '../../harness/server.ts';
import { Histogram, type LatencySummary } from '../../histogram.ts';
import { Connection, refusalOf } from '../../load/connection.ts';
import { median } from '../../median.ts';
import type { Bench } from '../../scenario.ts';
import type { SeededTenant } from './seed-tenants.ts';

/** Between two requests of one caller: ten of them ask a hundred times a second. */
const GAP_MS = 100;
const FIRST_RECIPIENT = 15_556_000_000;
const MS_PER_SECOND = 1000;
const SETTLE_MS = 2_000;
/** The others may wait a tenth longer beside the trouble of one tenant than without it. */
const WANTED_RATIO = 1.1;

/** A tenant that posts at fixed moments. */
interface Caller {
  readonly connection: Connection;
  readonly headers: Readonly<Record<string, string>>;
  readonly firstRecipient: number;
  posted: number;
}

/** What one tenant does to a server, or what is done to it. @returns what ends it */
export type Trouble = () => Promise<() => Promise<void>>;

export interface BesideSpec {
  readonly server: Server;
  /** Those who must not feel it. */
  readonly tenants: readonly SeededTenant[];
  readonly trouble: Trouble;
  /** Of the trouble, as the figure calls it. */
  readonly name: string;
}

interface Pair {
  readonly calm: LatencySummary;
  readonly beside: LatencySummary;
}

/** How long tenants wait for a 202 beside the trouble of another one, compared with the same without it; rounds alternate on one server. */
export async function acceptBeside(bench: Bench, spec: BesideSpec): Promise<Figure> {
  const { besideRounds, besideSeconds } = bench.sizes;
  const callers = openCallers(spec);
  const calm = (): Promise<LatencySummary> => round(callers, besideSeconds);
  const beside = async (): Promise<LatencySummary> => {
    const end = await spec.trouble();
    const summary = await round(callers, besideSeconds).finally(end);
    // What its end leaves to do must not burden the calm.
    await pause(SETTLE_MS);
    return summary;
  };
  const pairs: Pair[] = [];
  try {
    // Both once, uncounted: the server has just started.
    await calm();
    await beside();
    for (let time = 0; time < besideRounds; time += 1) {
      // Each first in every second pair: what one leaves behind then burdens both.
      const first = time % 2 === 0 ? await calm() : null;
      const troubled = await beside();
      pairs.push({ calm: first ?? (await calm()), beside: troubled });
    }
  } finally {
    await Promise.all(callers.map(({ connection }) => connection.close()));
  }
  return figureOf(bench, spec.name, pairs);
}

function openCallers({ server, tenants }: BesideSpec): readonly Caller[] {
  return tenants.map(({ key }, index) => ({
    connection: new Connection(server.url),
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    firstRecipient: FIRST_RECIPIENT + index * 1_000_000,
    posted: 0,
  }));
}

async function round(callers: readonly Caller[], seconds: number): Promise<LatencySummary> {
  const into = new Histogram();
  const stepMs = GAP_MS / callers.length;
  await Promise.all(callers.map((caller, index) => post(caller, { seconds, into, startMs: index * stepMs })));
  return into.summary();
}

interface Posting {
  readonly seconds: number;
  readonly into: Histogram;
  /** Before the first post, so that the callers do not all start together. */
  readonly startMs: number;
}

/** Posts at times that no answer changes. @throws Error when one is not accepted */
async function post(caller: Caller, { seconds, into, startMs }: Posting): Promise<void> {
  const answers: Promise<string | null>[] = [];
  const fromMs = performance.now() + startMs;
  for (let dueMs = fromMs; dueMs < fromMs + seconds * MS_PER_SECOND; dueMs += GAP_MS) {
    await pause(Math.max(0, dueMs - performance.now()));
    answers.push(postOne(caller, into));
  }
  const refused = (await Promise.all(answers)).find((refusal) => refusal !== null);
  if (refused) throw new Error(refused);
}

async function postOne(caller: Caller, into: Histogram): Promise<string | null> {
  const { connection, headers, firstRecipient } = caller;
  caller.posted += 1;
  const body = JSON.stringify({ to: String(firstRecipient + caller.posted), body: 'Your code is 471 100.' });
  const fromMs = performance.now();
  const refusal = await refusalOf(connection, { method: 'POST', path: '/v1/messages', headers, body });
  into.record(performance.now() - fromMs);
  return refusal;
}

function figureOf({ database, say }: Bench, name: string, pairs: readonly Pair[]): Figure {
  // Medians: something else on the machine that wakes up spoils single rounds.
  const calmMs = median(pairs.map(({ calm }) => calm.p99Ms));
  const besideMs = median(pairs.map(({ beside }) => beside.p99Ms));
  say(`  p99 ${calmMs.toFixed(1)} ms in calm, ${besideMs.toFixed(1)} ms beside ${name}`);
  return makeFigure(
    {
      name: `accept beside ${name}, p99`,
      database,
      value: calmMs === 0 ? 0 : besideMs / calmMs,
      unit: '× in calm',
      limit: atMost(WANTED_RATIO),
      yardstick: { name: 'p99 in calm, ms', value: calmMs },
      detail: { pairs },
    },
    calmMs > 0,
  );
}
