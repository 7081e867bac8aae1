import { readLedger } from '../chaos/ledger.ts';
import { between, type Figure, makeFigure } from '../figure.ts';
import { pollUntil } from '../harness/pause.ts';
import { API_KEY } from '../harness/server.ts';
import type { Stage } from '../harness/stage.ts';
import { type Bench, onStage, type Scenario } from '../scenario.ts';
import { worstWindow } from '../window-check.ts';

const RATE = 80;
const BURST = 20;
const WINDOWS_MS = [1_000, 5_000, 30_000];
const CONNECTIONS = 16;
const RECIPIENTS = 1_000_000;
/** Between the end of the posting and the start of the count. */
const LEAD_MS = 1_000;

/** A number of 80 messages/s with far more to send: what left, by the network's own clock. The network limits nothing. */
export const numberLimit: Scenario = {
  name: 'number-limit',
  databases: ['postgres', 'pglite'],
  run: (bench) => {
    const settings = { MESSAGING_NUMBER_RATE: String(RATE), MESSAGING_PAIR_LIMIT: 'off' };
    return onStage(bench, { name: 'number-limit', settings }, (stage) => measure(bench, stage));
  },
};

async function measure(bench: Bench, stage: Stage): Promise<readonly Figure[]> {
  const seconds = bench.sizes.limitedSeconds;
  const request = { kind: 'send', path: '/v1/messages', recipients: RECIPIENTS, seed: bench.seed } as const;
  // About twice what can leave, posted first; then the queue is never empty while it is watched.
  const ratePerSecond = RATE * (seconds + 4);
  const job = {
    origin: stage.server.url,
    key: API_KEY,
    connections: CONNECTIONS,
    durationMs: 2_000,
    ratePerSecond,
    request,
  };
  await bench.load.run(job);
  const fromMs = Date.now() + LEAD_MS;
  const times = await acceptsUntil(stage, fromMs + seconds * 1000);
  const inside = times.filter((atMs) => atMs >= fromMs && atMs < fromMs + seconds * 1000);
  const value = (ratePerSecondOf(inside) / RATE) * 100;
  const windows = WINDOWS_MS.map((windowMs) => worstWindow(times, windowMs, { burst: BURST, ratePerSecond: RATE }));
  const within = windows.every((worst) => worst === null || worst.count <= worst.allowed);
  const detail = {
    ratePerSecond: RATE,
    burst: BURST,
    seconds,
    accepted: inside.length,
    neverAboveBurstPlusRate: within,
    worstWindows: windows,
    perSecond: countPerSecond(inside, fromMs, seconds),
  };
  const figure = {
    name: 'a number limited to 80/s, share of its limit',
    database: bench.database,
    value,
    unit: '%',
    // What a window may hold: `neverAboveBurstPlusRate` checks the shorter ones in the same way.
    limit: between(95, 100 + (BURST / (RATE * seconds)) * 100),
    yardstick: { name: 'the limit', value: 100 },
    detail,
  };
  return [makeFigure(figure, within)];
}

/** Between the first and the last: n moments have n - 1 gaps. */
function ratePerSecondOf(times: readonly number[]): number {
  const spanMs = (times.at(-1) ?? 0) - (times[0] ?? 0);
  return spanMs > 0 ? ((times.length - 1) * 1000) / spanMs : 0;
}

/** Waits until something was accepted at `untilMs` or later. @returns the moments of all accepts */
async function acceptsUntil(stage: Stage, untilMs: number): Promise<readonly number[]> {
  const probe = async (): Promise<readonly number[] | null> => {
    const times = readLedger(stage.simulator.ledgerFile).map(({ acceptedAtMs }) => acceptedAtMs);
    return (times.at(-1) ?? 0) >= untilMs ? times : null;
  };
  return pollUntil({
    what: 'the number stopped sending',
    everyMs: 250,
    timeoutMs: untilMs - Date.now() + 20_000,
    probe,
  });
}

function countPerSecond(times: readonly number[], fromMs: number, seconds: number): readonly number[] {
  const counts = new Array<number>(seconds).fill(0);
  for (const atMs of times) {
    const second = Math.floor((atMs - fromMs) / 1000);
    counts[second] = (counts[second] ?? 0) + 1;
  }
  return counts;
}
