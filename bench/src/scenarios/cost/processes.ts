import { atLeast, atMost, type Figure, makeFigure } from '../../figure.ts';
import { childrenOf, cpuMsOf, cpuMsOfFamily } from '../../harness/cpu-time.ts';
import { API_KEY, type Server } from '../../harness/server.ts';
import { type Stage, UNLIMITED } from '../../harness/stage.ts';
import { median } from '../../median.ts';
import { readProgress, STATUSES_PER_MESSAGE } from '../../progress.ts';
import { type Bench, onStage, type Scenario } from '../../scenario.ts';
import { type SeededTenant, seedTenants } from '../support/seed-tenants.ts';
import { ONE_BY_ONE, untilReported } from './until-reported.ts';

/** Processes of `serve --processes`. One comes first: the others are compared with it. */
const COUNTS = [1, 2, 4] as const;
/** Each has a number of its own, so that there are lanes for every process. */
const TENANTS = 64;
const CONNECTIONS = 128;
/** For each process; four times that is carried with ease by two cores. */
const PER_SECOND = 150;
const FIRST_RECIPIENT = 15_560_000_000;
const WANTED_COST = 1.15;
/** Of the CPU time of the busiest process, what the least busy one has. */
const WANTED_SHARE = 0.6;
const MICROS_PER_MS = 1_000;

/**
 * What a message costs the service and its database when several processes share the work, each with the same rate of messages, and how evenly they
 * share it. Few cores cannot show that more processes carry more; that a message costs no more says that they would.
 */
export const processes: Scenario = {
  name: 'processes',
  databases: ['postgres'],
  run: (bench) => onStage(bench, { name: 'processes', settings: UNLIMITED }, (stage) => measure(bench, stage)),
};

/** Of one round. */
interface Round {
  readonly micros: number;
  /** Of the CPU time of the busiest process, what the least busy one had. */
  readonly share: number;
}

async function measure(bench: Bench, stage: Stage): Promise<readonly Figure[]> {
  let tenants: readonly SeededTenant[] = [];
  await stage.replaceServer(UNLIMITED, async () => {
    tenants = await seedTenants(stage, { count: TENANTS, nowMs: Date.now() });
  });
  const rounds = new Map<number, Round[]>(COUNTS.map((count) => [count, []]));
  for (let turn = 0; turn < bench.sizes.processesRounds; turn += 1)
    for (const count of turn % 2 === 0 ? COUNTS : COUNTS.toReversed()) {
      const server = await stage.replaceServer({ ...UNLIMITED, MESSAGING_PROCESSES: String(count) }, async () => {});
      await stage.simulator.control('PUT', '/_sim/config', ONE_BY_ONE);
      // The compilers of every process warm up.
      await carry(bench, { server, tenants, count });
      rounds.get(count)?.push(await carry(bench, { server, tenants, count }));
    }
  for (const [count, done] of rounds)
    bench.say(
      `  ${count}: ${done.map(({ micros, share }) => `${micros.toFixed(0)} µs (${share.toFixed(2)})`).join(', ')}`,
    );
  return COUNTS.slice(1).flatMap((count) => figures(bench, rounds, count));
}

interface Carrying {
  readonly server: Server;
  readonly tenants: readonly SeededTenant[];
  readonly count: number;
}

/** Messages for the seconds of a round, until the last of their statuses is there. */
async function carry({ load, sizes, postgres }: Bench, { server, tenants, count }: Carrying): Promise<Round> {
  const members = (): readonly number[] => {
    const children = childrenOf(server.pid);
    return children.length > 0 ? children : [server.pid];
  };
  const own = members();
  const cpuMs = (): number => cpuMsOfFamily(server.pid) + (postgres?.cpuMs() ?? 0);
  const before = await readProgress(server, () => performance.now());
  const startMs = cpuMs();
  const starts = own.map(cpuMsOf);
  const { succeeded } = await load.run({
    ...{ origin: server.url, key: API_KEY, connections: CONNECTIONS, durationMs: sizes.processesSeconds * 1000 },
    ratePerSecond: PER_SECOND * count,
    request: { kind: 'numbered', path: '/v1/messages', keys: tenants.map(({ key }) => key), first: FIRST_RECIPIENT },
  });
  await untilReported(server, before.statuses + succeeded * STATUSES_PER_MESSAGE);
  const shares = own.map((pid, index) => cpuMsOf(pid) - (starts[index] ?? 0));
  return {
    micros: ((cpuMs() - startMs) * MICROS_PER_MS) / succeeded,
    share: Math.min(...shares) / Math.max(...shares),
  };
}

function figures(bench: Bench, rounds: ReadonlyMap<number, readonly Round[]>, count: number): readonly Figure[] {
  const [alone = [], together = []] = [rounds.get(1), rounds.get(count)];
  const ratios = together.map(({ micros }, turn) => micros / (alone[turn]?.micros ?? Number.NaN));
  const common = {
    database: bench.database,
    unit: '',
    yardstick: { name: 'itself a ratio', value: 1 },
    detail: { alone, together },
  } as const;
  return [
    makeFigure({
      ...common,
      name: `CPU per message with ${count} processes ÷ with one`,
      value: median(ratios),
      limit: atMost(WANTED_COST),
    }),
    makeFigure({
      ...common,
      name: `CPU of the least busy of ${count} processes ÷ of the busiest`,
      value: median(together.map(({ share }) => share)),
      limit: atLeast(WANTED_SHARE),
    }),
  ];
}
