import { readLedger } from '../chaos/ledger.ts';
import { atLeast, between, type Figure, makeFigure } from '../figure.ts';
import { pollUntil } from '../harness/pause.ts';
import type { Stage } from '../harness/stage.ts';
import { type Bench, onStage, type Scenario } from '../scenario.ts';
import { seedRows } from './support/seed-rows.ts';
import { seedNumbers } from './support/seed-tenants.ts';

/** What the network allows each number a second, and what an installation sends by default. */
const RATE = 80;
/** The burst that may leave before the rate holds. */
const BURST = 20;
const NUMBERS = 20;
const FIRST_NUMBER = 300_000_000_000_000;
const WANTED_PERCENT = 95;
/** Of all that is sent, what the network does not refuse for its speed. */
const WANTED_TAKEN_PERCENT = 99.9;
const THROTTLED = '130429';

/**
 * Twenty numbers with long queues, to a network that refuses what comes faster than 80/s from a number: how near to that all
 * of it leaves, how much is refused, and that all of it arrives once. The limits are the defaults of an installation.
 */
export const limitedNetwork: Scenario = {
  name: 'limited-network',
  databases: ['postgres', 'pglite'],
  run: (bench) => {
    const options = { name: 'limited-network', settings: { MESSAGING_ROLES: 'api' }, networkRate: RATE };
    return onStage(bench, options, (stage) => measure(bench, stage));
  },
};

async function measure(bench: Bench, stage: Stage): Promise<readonly Figure[]> {
  const count = bench.sizes.limitedMessages;
  const phoneNumberIds = Array.from({ length: NUMBERS }, (_, index) => String(FIRST_NUMBER + index));
  await stage.replaceServer({}, async () => {
    await seedNumbers(stage, phoneNumberIds, Date.now());
    await seedRows(stage, { count, state: 'queued', nowMs: Date.now(), phoneNumberIds });
  });
  const perNumber = count / NUMBERS;
  const shortestMs = ((perNumber - 1) / RATE) * 1000;
  const ledger = await pollUntil({
    what: 'not every message left',
    everyMs: 1_000,
    timeoutMs: 2 * shortestMs + 60_000,
    probe: async () => {
      const accepts = readLedger(stage.simulator.ledgerFile);
      return accepts.length >= count ? accepts : null;
    },
  });
  const stats = await stage.simulator.control<{ refused: Readonly<Record<string, number>> }>('GET', '/_sim/stats');
  const times = ledger.map(({ acceptedAtMs }) => acceptedAtMs);
  // Over all numbers: the last one to end counts.
  const spanMs = times.reduce((latest, atMs) => Math.max(latest, atMs), 0) - (times[0] ?? 0);
  const once = ledger.length === count && new Set(ledger.map(({ messageId }) => messageId)).size === count;
  const refused = stats.refused[THROTTLED] ?? 0;
  const detail = {
    messages: count,
    numbers: NUMBERS,
    ratePerSecond: RATE,
    seconds: spanMs / 1000,
    refused: stats.refused,
    once,
  };
  const common = { database: bench.database, unit: '%', detail } as const;
  return [
    makeFigure(
      {
        ...common,
        name: `${count} messages over ${NUMBERS} numbers of 80/s, share of their limit`,
        value: (shortestMs / spanMs) * 100,
        limit: between(WANTED_PERCENT, (perNumber / (perNumber - BURST)) * 100),
        yardstick: { name: 'the limit', value: 100 },
      },
      once,
    ),
    makeFigure({
      ...common,
      name: 'sends that the network did not refuse for speed',
      value: (count / (count + refused)) * 100,
      limit: atLeast(WANTED_TAKEN_PERCENT),
      yardstick: { name: 'all sends', value: 100 },
    }),
  ];
}
