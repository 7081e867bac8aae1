import { atLeast, type Figure, makeFigure, noLimit } from '../figure.ts';
import { operate } from '../harness/operate.ts';
import { pause } from '../harness/pause.ts';
import { API_KEY, type Server } from '../harness/server.ts';
import { openStage, type Stage, UNLIMITED } from '../harness/stage.ts';
import type { LoadJob } from '../load/job.ts';
import { median } from '../median.ts';
import { type Bench, onStage, type Scenario } from '../scenario.ts';
import { alternate, compared, type Side } from './support/alternate.ts';
import { seedTenants } from './support/seed-tenants.ts';

const CELLS = 8;
/** Tenants over cells may be served a tenth slower than the same tenants in one cell. */
const WANTED_RATIO = 0.9;
/** As many for each cell as `accept` has for one: what arrives at the same moment is stored together, per cell. */
const CONNECTIONS = 64 * CELLS;
/** With these each cell stores an eighth of them together: what few callers pay. */
const FEW_CONNECTIONS = 64;
const STARTS = 3;
const SETTLE_MS = 5_000;
const FIRST_RECIPIENT = 15_557_000_000;
/** Of one slice: no two slices write to the same people. */
const RECIPIENTS_EACH = 1_000_000;
const LEAST_PERCENT = 0.01;

/**
 * The same number of tenants, each with a number and a key of its own, in one cell and over eight cells on the same PostgreSQL: how long a
 * process takes to start, what it costs at rest, and how many messages it accepts from all tenants in turn.
 */
export const cells: Scenario = {
  name: 'cells',
  databases: ['postgres'],
  run: (bench) =>
    onStage(bench, { name: 'cells-one', settings: UNLIMITED }, async (one) => {
      const oneKeys = await fill(bench, one, 1);
      const alone = await rest(bench, one, 0);
      const several = await openStage({ ...bench, name: 'cells-eight', settings: UNLIMITED, networkRate: 0 });
      try {
        const keys = await fill(bench, several, CELLS);
        const spread = await rest(bench, several, alone.databasePercent);
        const accepts = await accept(bench, { several, one }, { several: keys, one: oneKeys });
        return [...restFigures(bench, { alone, spread }), ...accepts];
      } finally {
        await several.close();
      }
    }),
};

/** Makes the cells, and puts the tenants into them in equal parts. @returns their keys */
async function fill(bench: Bench, stage: Stage, count: number): Promise<readonly string[]> {
  const names = Array.from({ length: count - 1 }, (_, index) => `b${index + 1}`);
  const { databaseUrl, dataDir } = stage;
  const server = { program: bench.programs.server, databaseUrl, dataDir };
  for (const name of names) await operate(server, ['cells', 'add', name]);
  const each = Math.ceil(bench.sizes.cellTenants / count);
  const keys: string[] = [];
  await stage.replaceServer(UNLIMITED, async () => {
    for (const [index, schema] of ['public', ...names.map((name) => `cell_${name}`)].entries()) {
      const place = { dataDir, databaseUrl: inSchema(databaseUrl, schema) };
      const made = await seedTenants(place, { count: each, first: index * each, nowMs: Date.now() });
      keys.push(...made.map(({ key }) => key));
    }
  });
  return keys;
}

function inSchema(databaseUrl: string | null, schema: string): string {
  const url = new URL(databaseUrl ?? '');
  url.searchParams.set('options', `-c search_path=${schema}`);
  return url.href;
}

interface Rest {
  readonly startMs: number;
  /** CPU time, in percent of a core. */
  readonly serverPercent: number;
  readonly databasePercent: number;
}

/** @param others what other processes cost the database meanwhile, in percent of a core */
async function rest(bench: Bench, stage: Stage, others: number): Promise<Rest> {
  const starts: number[] = [];
  let server: Server = stage.server;
  for (let turn = 0; turn < STARTS; turn += 1) {
    let fromMs = 0;
    server = await stage.replaceServer(UNLIMITED, async () => {
      fromMs = performance.now();
    });
    starts.push(performance.now() - fromMs);
  }
  // What a start leaves to do is done by then.
  await pause(SETTLE_MS);
  const databaseMs = (): number => bench.postgres?.cpuMs() ?? 0;
  const [serverMs, atMs, fromMs] = [server.cpuMs(), databaseMs(), performance.now()];
  await pause(bench.sizes.wakingIdleSeconds * 1000);
  const percentOf = (cpuMs: number): number => (cpuMs / (performance.now() - fromMs)) * 100;
  const serverPercent = percentOf(server.cpuMs() - serverMs);
  const databasePercent = Math.max(0, percentOf(databaseMs() - atMs) - others);
  const startMs = median(starts);
  bench.say(
    `  ready in ${(startMs / 1000).toFixed(2)} s; at rest: service ${serverPercent.toFixed(2)} %, database ${databasePercent.toFixed(2)} % of a core`,
  );
  return { startMs, serverPercent, databasePercent };
}

interface Both<T> {
  readonly several: T;
  readonly one: T;
}

async function accept(bench: Bench, stages: Both<Stage>, keys: Both<readonly string[]>): Promise<readonly Figure[]> {
  const settings = { ...UNLIMITED, MESSAGING_ROLES: 'api' };
  const several = await stages.several.replaceServer(settings, () => Promise.resolve());
  const one = await stages.one.replaceServer(settings, () => Promise.resolve());
  const recipients = { next: FIRST_RECIPIENT };
  const figures: Figure[] = [];
  for (const connections of [FEW_CONNECTIONS, CONNECTIONS]) {
    const pairs = await alternate(bench, {
      one: sideOf(several, { keys: keys.several, recipients, connections }),
      other: sideOf(one, { keys: keys.one, recipients, connections }),
    });
    const compare = {
      name: `accepts over ${CELLS} cells ÷ in one cell, ${keys.one.length} tenants, ${connections} connections`,
      limit: connections === CONNECTIONS ? atLeast(WANTED_RATIO) : noLimit,
      status: 202,
      detail: { connections, roles: 'api', tenants: keys.one.length, cells: CELLS },
    };
    figures.push(...compared(bench, pairs, compare));
  }
  return figures;
}

interface Callers {
  readonly keys: readonly string[];
  readonly recipients: { next: number };
  readonly connections: number;
}

function sideOf(server: Server, { keys, recipients, connections }: Callers): Side {
  const job = (durationMs: number): LoadJob => {
    recipients.next += RECIPIENTS_EACH;
    const request = { kind: 'numbered', path: '/v1/messages', keys, first: recipients.next } as const;
    return { origin: server.url, key: API_KEY, connections, durationMs, ratePerSecond: null, request };
  };
  // Every key was looked up by then, and every connection has planned its statements.
  return { job, program: server, warmUpRequests: 4 * keys.length };
}

function restFigures({ database, sizes }: Bench, { alone, spread }: { readonly alone: Rest; readonly spread: Rest }) {
  const name = `${sizes.cellTenants} tenants over ${CELLS} cells`;
  const percent = ({ serverPercent, databasePercent }: Rest): number =>
    Math.max(LEAST_PERCENT, serverPercent + databasePercent);
  return [
    makeFigure({
      name: `${name}, from start to ready`,
      database,
      value: spread.startMs,
      unit: 'ms',
      limit: noLimit,
      yardstick: { name: 'in one cell', value: alone.startMs },
      detail: { spread, alone, starts: STARTS },
    }),
    makeFigure({
      name: `${name}, CPU of service and database at rest`,
      database,
      value: percent(spread),
      unit: '% of a core',
      limit: noLimit,
      yardstick: { name: 'in one cell', value: percent(alone) },
      detail: { spread, alone, seconds: sizes.wakingIdleSeconds },
    }),
  ];
}
