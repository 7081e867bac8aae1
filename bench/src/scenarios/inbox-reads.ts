import { Agent, request } from 'undici';
import { atMost, type Figure, makeFigure } from '../figure.ts';
import { openDatabase } from '../harness/open-database.ts';
import { API_KEY, PHONE_NUMBER_ID, type Server } from '../harness/server.ts';
import { type Stage, UNLIMITED } from '../harness/stage.ts';
import { Histogram } from '../histogram.ts';
import { type Bench, onStage, type Scenario } from '../scenario.ts';
import { AGENTS, DAYS, placeId, seedInbox } from './seed-inbox.ts';

const WANTED_DASHBOARD_MS = 50;
const WANTED_LIST_MS = 30;
const PAGE = 50;
/** Pages of 200 before the one that is measured as a deep one. */
const DEEP_PAGES = 25;
const LONGEST_PAGE = 200;
const API_ONLY = { ...UNLIMITED, MESSAGING_ROLES: 'api' } as const;
const DAY_MS = 24 * 3600 * 1000;

/**
 * What a team sees of a large tenant: a dashboard of 90 days (five reports asked for at once, until the last one is there) and
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
  try {
    const dashboard = await measureDashboard(bench, reader, nowMs);
    const lists = await measureLists(bench, reader, nowMs);
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

function record(times: Times, what: string, ms: number): void {
  const histogram = times.get(what) ?? new Histogram();
  histogram.record(ms);
  times.set(what, histogram);
}

const WHOLE = 'dashboard';

async function measureDashboard({ sizes, say }: Bench, reader: Reader, nowMs: number): Promise<Times> {
  const times: Times = new Map();
  for (let round = -Math.ceil(sizes.inboxRounds / 10); round < sizes.inboxRounds; round += 1) {
    // Not to the whole day, so that the edges of the time cost what they do for people of any time zone.
    const to = new Date(nowMs - (Math.abs(round) % 7) * 3_600_000).toISOString();
    const from = new Date(Date.parse(to) - DAYS * DAY_MS).toISOString();
    const query = `from=${from}&to=${to}&timezone=Asia/Kolkata`;
    const reports = ['summary', 'timeseries', 'funnel', 'heatmap', 'response-times'];
    const startMs = performance.now();
    const answers = await Promise.all(reports.map((report) => reader.read(`/v1/analytics/${report}?${query}`)));
    if (round < 0) continue;
    record(times, WHOLE, performance.now() - startMs);
    for (const [place, { ms }] of answers.entries()) record(times, reports[place] ?? '', ms);
    const alone = [`funnel?by=campaign_name&${query}`, `response-times?by=team_id&${query}`, `agents?${query}`];
    const path = alone[round % alone.length] ?? '';
    record(times, `alone: ${path.replace(/[?&]?from=.*/, '')}`, (await reader.read(`/v1/analytics/${path}`)).ms);
  }
  for (const [what, histogram] of times) say(`  ${what}: ${shown(histogram)}`);
  return times;
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

async function measureLists({ sizes, say }: Bench, reader: Reader, nowMs: number): Promise<Times> {
  const times: Times = new Map();
  for (const list of LISTS) {
    const deep = await deepCursor(reader, fill(list, 0, nowMs));
    for (let round = -2; round < sizes.inboxRounds / 4; round += 1) {
      const first = await reader.read(`/v1/conversations?limit=${PAGE}&${fill(list, Math.abs(round), nowMs)}`);
      const later =
        deep === null
          ? null
          : await reader.read(`/v1/conversations?limit=${PAGE}&${fill(list, 0, nowMs)}&cursor=${deep}`);
      if (round < 0) continue;
      record(times, list === '' ? 'all' : list, first.ms);
      if (later !== null) record(times, `${list === '' ? 'all' : list}, deep`, later.ms);
    }
  }
  for (const [what, histogram] of times) say(`  ${what}: ${shown(histogram)}`);
  return times;
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

function dashboardFigure({ database, sizes }: Bench, times: Times, gigabytes: number): Figure {
  const value = times.get(WHOLE)?.percentile(0.95) ?? 0;
  return makeFigure({
    name: `dashboard of ${DAYS} days with ${sizes.inboxMessages} messages, p95`,
    database,
    value,
    unit: 'ms',
    limit: atMost(WANTED_DASHBOARD_MS),
    yardstick: { name: 'the limit', value: WANTED_DASHBOARD_MS },
    detail: { p95Ms: p95Of(times), gigabytes, rows: 'put straight into the tables by SQL' },
  });
}

/** The worst of the lists stands for all. */
function listFigure({ database, sizes }: Bench, times: Times): Figure {
  const p95Ms = p95Of(times);
  return makeFigure({
    name: `slowest list of conversations with ${sizes.inboxMessages} messages, p95`,
    database,
    value: Math.max(...Object.values(p95Ms)),
    unit: 'ms',
    limit: atMost(WANTED_LIST_MS),
    yardstick: { name: 'the limit', value: WANTED_LIST_MS },
    detail: { p95Ms },
  });
}
