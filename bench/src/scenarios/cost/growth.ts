import { atMost, type Figure, makeFigure } from '../../figure.ts';
import { openDatabase } from '../../harness/open-database.ts';
import { API_KEY, type Server } from '../../harness/server.ts';
import { openStage, type Stage, UNLIMITED } from '../../harness/stage.ts';
import { median } from '../../median.ts';
import { readProgress, STATUSES_PER_MESSAGE } from '../../progress.ts';
import { type Bench, onStage, type Scenario } from '../../scenario.ts';
import { seedContacts } from '../support/seed-contacts.ts';
import { seedRows } from '../support/seed-rows.ts';
import { seedTenants } from '../support/seed-tenants.ts';
import { addEndpoint } from '../support/webhook-receiver.ts';
import { ONE_BY_ONE, untilReported } from './until-reported.ts';

const WANTED_RATIO = 1.2;
/** What both sides carry with ease. */
const PER_SECOND = 400;
const CONNECTIONS = 64;
/** None of them is among the contacts, so a message does the same on both sides. */
const RECIPIENTS = 100_000;
const MICROS_PER_MS = 1_000;
/** No such event happens here: each event is looked at for all endpoints, and delivered to none. */
const SUBSCRIBED = ['template.status_changed'];

/**
 * What a message costs the service and its database in a young installation, and in one with millions of messages and contacts, thousands of other
 * tenants and a tenant with a thousand webhook endpoints. Both are open in the same run; rounds alternate.
 */
export const growth: Scenario = {
  name: 'growth',
  databases: ['postgres'],
  run: (bench) => {
    const settings = { ...UNLIMITED, MESSAGING_WEBHOOK_ENDPOINTS: '1000', MESSAGING_WEBHOOK_ALLOW: '127.0.0.1' };
    return onStage(bench, { name: 'growth-small', settings }, async (small) => {
      const large = await openStage({ ...bench, name: 'growth-large', settings, networkRate: 0 });
      try {
        return await measure(bench, small, { stage: large, server: await grown(bench, large, settings) });
      } finally {
        await large.close();
      }
    });
  },
};

interface Side {
  readonly stage: Stage;
  readonly server: Server;
}

async function grown(bench: Bench, stage: Stage, settings: Readonly<Record<string, string>>): Promise<Server> {
  const { growthMessages, growthContacts, growthTenants, growthEndpoints } = bench.sizes;
  const startMs = performance.now();
  const server = await stage.replaceServer(settings, async () => {
    const nowMs = Date.now();
    // The only tenant so far is the one that sends.
    await seedRows(stage, { count: growthMessages, state: 'sent', nowMs });
    await seedContacts(stage, { count: growthContacts, nowMs });
    await seedTenants(stage, { count: growthTenants, nowMs });
  });
  for (let index = 0; index < growthEndpoints; index += 1)
    await addEndpoint({ url: server.url }, `http://127.0.0.1:9/${index}`, SUBSCRIBED);
  // It did not grow just now: its statistics are there.
  const database = await openDatabase(stage);
  await database.query('analyze').finally(() => database.close());
  bench.say(`  grown in ${((performance.now() - startMs) / 1000).toFixed(1)} s`);
  return server;
}

async function measure(bench: Bench, small: Stage, large: Side): Promise<readonly Figure[]> {
  const young: Side = { stage: small, server: small.server };
  for (const side of [young, large]) await costOf(bench, side);
  const rounds: { readonly young: number; readonly grown: number }[] = [];
  for (let turn = 0; turn < bench.sizes.growthRounds; turn += 1) {
    const costs = new Map<Side, number>();
    for (const side of turn % 2 === 0 ? [young, large] : [large, young]) costs.set(side, await costOf(bench, side));
    rounds.push({ young: costs.get(young) ?? 0, grown: costs.get(large) ?? 0 });
  }
  const [before, after] = [median(rounds.map((round) => round.young)), median(rounds.map((round) => round.grown))];
  bench.say(`  ${before.toFixed(0)} µs of service and database per message, grown ${after.toFixed(0)}`);
  return [
    makeFigure({
      name: 'CPU of service and database per message, grown ÷ young',
      database: bench.database,
      value: median(rounds.map((round) => round.grown / round.young)),
      unit: '',
      limit: atMost(WANTED_RATIO),
      yardstick: { name: 'itself a ratio', value: 1 },
      detail: { rounds },
    }),
  ];
}

/** CPU time of the service and of PostgreSQL, in µs per message, until the last status of the last one is there. */
async function costOf({ load, sizes, seed, postgres }: Bench, { stage, server }: Side): Promise<number> {
  await stage.simulator.control('PUT', '/_sim/config', ONE_BY_ONE);
  const cpuMs = (): number => server.cpuMs() + (postgres?.cpuMs() ?? 0);
  const before = await readProgress(server, () => performance.now());
  const startMs = cpuMs();
  const { succeeded } = await load.run({
    ...{ origin: server.url, key: API_KEY, connections: CONNECTIONS, durationMs: sizes.growthSeconds * 1000 },
    ratePerSecond: PER_SECOND,
    request: { kind: 'send', path: '/v1/messages', recipients: RECIPIENTS, seed },
  });
  await untilReported(server, before.statuses + succeeded * STATUSES_PER_MESSAGE);
  return ((cpuMs() - startMs) * MICROS_PER_MS) / succeeded;
}
