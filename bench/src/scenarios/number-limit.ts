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
/** Left out at the start: the lane fills its bucket. */
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
  // Twice what can leave, posted at once; then the queue is never empty while it is watched.
  const ratePerSecond = RATE * (seconds + 2);
  const job = {
    origin: stage.server.url,
    key: API_KEY,
    connections: CONNECTIONS,
    durationMs: 2_000,
    ratePerSecond,
    request,
  };
  await bench.load.run(job);
  const times = await acceptsOver(stage, LEAD_MS + seconds * 1000);
  const fromMs = (times[0] ?? 0) + LEAD_MS;
  const inside = times.filter((atMs) => atMs >= fromMs && atMs < fromMs + seconds * 1000);
  const value = (inside.length / (seconds * RATE)) * 100;
  const windows = WINDOWS_MS.map((windowMs) => worstWindow(times, windowMs, { burst: BURST, ratePerSecond: RATE }));
  const within = windows.every((worst) => worst === null || worst.count <= worst.allowed);
  const detail = {
    ratePerSecond: RATE,
    burst: BURST,
    seconds,
    accepted: inside.length,
    neverAboveBurstPlusRate: within,
    worstWindows: windows,
  };
  const figure = {
    name: 'a number limited to 80/s, share of its limit',
    database: bench.database,
    value,
    unit: '%',
    limit: between(95, 100),
    yardstick: { name: 'the limit', value: 100 },
    detail,
  };
  return [makeFigure(figure, within)];
}

/** Waits until the ledger spans `ms`. @returns the moments of its accepts */
async function acceptsOver(stage: Stage, ms: number): Promise<readonly number[]> {
  const probe = async (): Promise<readonly number[] | null> => {
    const times = readLedger(stage.simulator.ledgerFile).map(({ acceptedAtMs }) => acceptedAtMs);
    return (times.at(-1) ?? 0) - (times[0] ?? 0) >= ms ? times : null;
  };
  return pollUntil({ what: 'the number sends too slowly', everyMs: 250, timeoutMs: ms * 2 + 20_000, probe });
}
