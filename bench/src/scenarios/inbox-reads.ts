import { Agent, request } from 'undici';
import { atMost, type Figure, makeFigure } from '../figure.ts';
import { openDatabase } from '../harness/open-database.ts';
import { API_KEY, PHONE_NUMBER_ID, type Server } from '../harness/server.ts';
import { type Stage, UNLIMITED } from '../harness/stage.ts';
import { Histogram } from '../histogram.ts';
import { type Bench, onStage, type Scenario } from '../scenario.ts';
import { AGENTS, DAYS, placeId, seedInbox } from './support/seed-inbox.ts';

const WANTED_DASHBOARD_MS = 50;
const WANTED_LIST_MS = 30;
const PAGE = 50;
/** Pages of 200 before the one that is measured as a deep one. */
const DEEP_PAGES = 25;
const LONGEST_PAGE = 200;
const API_ONLY = { ...UNLIMITED, MESSAGING_ROLES: 'api' } as const;
const DAY_MS = 24 * 3600 * 1000;

/**
 * What a team sees of a large tenant: a dashboard of 90 days (five concurrent reports, until the last one is there) and
 * its lists of conversations, by each main filter and order, first pages and deep ones.
 */
export const inboxReads: Scenario = {
  name: 'inbox-reads',
  databases: ['postgres'],
  run: (bench) => onStage(bench, { name: 'inbox-reads', settings: API_ONLY }, (stage) => measure(bench, stage)),
};

async function measure(bench: Bench, stage: Stage): Promise<readonly Figure[]> {
  const nowMs = Date.now();
  const { say, sizes } = bench;
  const server = await stage.replaceServer(API_ONLY, () =>
    seedInbox(stage, { messages: sizes.inboxMessages, nowMs, say }),
  );
  const gigabytes = await databaseSize(stage);
  say(`  the database has ${gigabytes.toFixed(1)} GB`);
  const reader = makeReader(server);
  // Beside a database that is not ours, the service's alone.
  const cpuMs = (): number => server.cpuMs() + (bench.postgres?.cpuMs() ?? 0);
  try {
    const dashboard = await measureDashboard(bench, reader, { nowMs, cpuMs });
    await measureOthers(bench, reader, { nowMs, times: dashboard.times });
    sayTimes(bench, dashboard);
    const lists = await measureLists(bench, reader, { nowMs, cpuMs });
    sayTimes(bench, lists);
    return [dashboardFigure(bench, dashboard, gigabytes), listFigure(bench, lists)];
  } finally {
    await reader.close();
  }
}

async function databaseSize(stage: Stage): Promise<number> {
  const database = await openDatabase(stage);
  try {
    const [row] = await database.query('select pg_database_size(current_database()) / 1e9 as gb');
    return Number(row?.gb ?? 0);
  } finally {
    await database.close();
  }
}

interface Answer {
  readonly text: string;
  readonly ms: number;
}

interface Reader {
  read(path: string): Promise<Answer>;
  close(): Promise<void>;
}

function makeReader({ url }: Server): Reader {
  const dispatcher = new Agent({ connections: 8 });
  const headers = { authorization: `Bearer ${API_KEY}` };
  return {
    read: async (path) => {
      const startMs = performance.now();
      const answer = await request(url + path, { headers, dispatcher });
      const text = await answer.body.text();
      if (answer.statusCode !== 200) throw new Error(`${path} was answered with ${answer.statusCode}: ${text}`);
      return { text, ms: performance.now() - startMs };
    },
    close: () => dispatcher.close(),
  };
}

/** Milliseconds by what was asked. */
type Times = Map<string, Histogram>;

interface Measured {
  readonly times: Times;
  /** What one cost the service and the database together, by what was asked. */
  readonly cpuMs: ReadonlyMap<string, number>;
}

interface Meters {
  readonly nowMs: number;
  /** CPU time that was used so far. */
  readonly cpuMs: () => number;
}

function record(times: Times, what: string, ms: number): void {
  const histogram = times.get(what) ?? new Histogram();
  histogram.record(ms);
  times.set(what, histogram);
}

const WHOLE = 'dashboard';

function queryOf(round: number, nowMs: number): string {
  // Not to the whole day, so that the edges of the time cost what they do for people of any time zone.
  const to = new Date(nowMs - (Math.abs(round) % 7) * 3_600_000).toISOString();
  const from = new Date(Date.parse(to) - DAYS * DAY_MS).toISOString();
  return `from=${from}&to=${to}&timezone=Asia/Kolkata`;
}

async function measureDashboard({ sizes }: Bench, reader: Reader, { nowMs, cpuMs }: Meters): Promise<Measured> {
  const times: Times = new Map();
  const reports = ['summary', 'timeseries', 'funnel', 'heatmap', 'response-times'];
  let cpuBeforeMs = 0;
  for (let round = -Math.ceil(sizes.inboxRounds / 10); round < sizes.inboxRounds; round += 1) {
    if (round === 0) cpuBeforeMs = cpuMs();
    const query = queryOf(round, nowMs);
    const startMs = performance.now();
    const answers = await Promise.all(reports.map((report) => reader.read(`/v1/analytics/${report}?${query}`)));
    if (round < 0) continue;
    record(times, WHOLE, performance.now() - startMs);
    for (const [place, { ms }] of answers.entries()) record(times, reports[place] ?? '', ms);
  }
  return { times, cpuMs: new Map([[WHOLE, (cpuMs() - cpuBeforeMs) / sizes.inboxRounds]]) };
}

/** Reports that a dashboard opens on request, one at a time. */
async function measureOthers(
  { sizes }: Bench,
  reader: Reader,
  { nowMs, times }: { readonly nowMs: number; readonly times: Times },
): Promise<void> {
  for (let round = 0; round < sizes.inboxRounds; round += 1) {
    const query = queryOf(round, nowMs);
    const alone = [`funnel?by=campaign_name&${query}`, `response-times?by=team_id&${query}`, `agents?${query}`];
    const path = alone[round % alone.length] ?? '';
    record(times, `alone: ${path.replace(/[?&]?from=.*/, '')}`, (await reader.read(`/v1/analytics/${path}`)).ms);
  }
}

function sayTimes({ say }: Bench, { times, cpuMs }: Measured): void {
  for (const [what, histogram] of times) {
    const cpu = cpuMs.get(what);
    say(`  ${what}: ${shown(histogram)}${cpu === undefined ? '' : `, CPU ${cpu.toFixed(1)} ms`}`);
  }
}

function shown(histogram: Histogram): string {
  const { p50Ms, p99Ms } = histogram.summary();
  return `p50 ${p50Ms.toFixed(1)} ms, p95 ${histogram.percentile(0.95).toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`;
}

/** Main filters and orders, alone and as an inbox combines them. */
const LISTS: readonly string[] = [
  '',
  'status=open',
  'status=resolved',
  'assignee={agent}',
  'assignee={agent}&status=open',
  'assignee=none',
  'assignee=none&status=open',
  'team={team}',
  'team={team}&status=open',
  `phone_number_id=${PHONE_NUMBER_ID}`,
  `phone_number_id=${PHONE_NUMBER_ID}&status=open`,
  'tag={tag}',
  'tag={tag}&status=open',
  'priority=urgent',
  'priority=urgent&status=open',
  'waiting=true',
  'unread=true',
  'unread=true&assignee={agent}',
  'q=customer%20{hex}',
  'q=1555000{digits}',
  // More than anyone reads: the broadest search that a person types in.
  'q=cust',
  'waiting=true&team={team}',
  'waiting=true&assignee={agent}',
  'sort=waiting_since',
  'sort=waiting_since&team={team}',
  'sort=waiting_since&assignee=none',
  'updated_since={recently}',
];

function fill(query: string, round: number, nowMs: number): string {
  return query
    .replace('{agent}', placeId('a', (round * 7 + 1) % AGENTS))
    .replace('{team}', placeId('b', round % 5))
    .replace('{tag}', `tag-${(round * 2 + 1) % 20}`)
    .replace('{hex}', (round % 256).toString(16).padStart(2, '0'))
    .replace('{digits}', String(round % 1000).padStart(3, '0'))
    .replace('{recently}', new Date(nowMs - 2 * DAY_MS).toISOString());
}

async function measureLists({ sizes }: Bench, reader: Reader, { nowMs, cpuMs }: Meters): Promise<Measured> {
  const times: Times = new Map();
  const cpu = new Map<string, number>();
  const rounds = Math.ceil(sizes.inboxRounds / 4);
  const walk = async (name: string, pathOf: (round: number) => string): Promise<void> => {
    let cpuBeforeMs = 0;
    for (let round = -2; round < rounds; round += 1) {
      if (round === 0) cpuBeforeMs = cpuMs();
      const { ms } = await reader.read(`/v1/conversations?limit=${PAGE}&${pathOf(Math.abs(round))}`);
      if (round >= 0) record(times, name, ms);
    }
    cpu.set(name, (cpuMs() - cpuBeforeMs) / rounds);
  };
  for (const list of LISTS) {
    const name = list === '' ? 'all' : list;
    const deep = await deepCursor(reader, fill(list, 0, nowMs));
    await walk(name, (round) => fill(list, round, nowMs));
    if (deep !== null) await walk(`${name}, deep`, () => `${fill(list, 0, nowMs)}&cursor=${deep}`);
  }
  return { times, cpuMs: cpu };
}

/** The cursor behind many pages; null when there are fewer. */
async function deepCursor(reader: Reader, query: string): Promise<string | null> {
  let cursor: string | null = null;
  for (let page = 0; page < DEEP_PAGES; page += 1) {
    const next: string = cursor === null ? '' : `&cursor=${cursor}`;
    const { text } = await reader.read(`/v1/conversations?limit=${LONGEST_PAGE}&${query}${next}`);
    const { page: place } = JSON.parse(text) as { readonly page: { readonly next_cursor: string | null } };
    const found = place.next_cursor;
    if (found === null) return cursor;
    cursor = encodeURIComponent(found);
  }
  return cursor;
}

function p95Of(times: Times): Readonly<Record<string, number>> {
  return Object.fromEntries([...times].map(([what, histogram]) => [what, histogram.percentile(0.95)]));
}

function dashboardFigure({ database, sizes }: Bench, { times, cpuMs }: Measured, gigabytes: number): Figure {
  const value = times.get(WHOLE)?.percentile(0.95) ?? 0;
  return makeFigure({
    name: `dashboard of ${DAYS} days with ${sizes.inboxMessages} messages, p95`,
    database,
    value,
    unit: 'ms',
    limit: atMost(WANTED_DASHBOARD_MS),
    yardstick: { name: 'the limit', value: WANTED_DASHBOARD_MS },
    detail: {
      p95Ms: p95Of(times),
      cpuMs: Object.fromEntries(cpuMs),
      gigabytes,
      rows: 'put straight into the tables by SQL',
    },
  });
}

/** The slowest of the lists represents all. */
function listFigure({ database, sizes }: Bench, { times, cpuMs }: Measured): Figure {
  const p95Ms = p95Of(times);
  return makeFigure({
    name: `slowest list of conversations with ${sizes.inboxMessages} messages, p95`,
    database,
    value: Math.max(...Object.values(p95Ms)),
    unit: 'ms',
    limit: atMost(WANTED_LIST_MS),
    yardstick: { name: 'the limit', value: WANTED_LIST_MS },
    detail: { p95Ms, cpuMs: Object.fromEntries(cpuMs) },
  });
}
