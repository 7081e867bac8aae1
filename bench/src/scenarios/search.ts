import { setTimeout } from 'node:timers/promises';
import { request } from 'undici';
import { atMost, type Figure, makeFigure } from '../figure.ts';
import { API_KEY, PHONE_NUMBER_ID, type Server } from '../harness/server.ts';
import { type Stage, UNLIMITED } from '../harness/stage.ts';
import { Histogram } from '../histogram.ts';
import { type Bench, onStage, type Scenario } from '../scenario.ts';
import { seedTexts } from './support/seed-texts.ts';

const WANTED_MS = 100;
const SETTINGS = { ...UNLIMITED, MESSAGING_ROLES: 'api,maintenance' } as const;
const LOOK_MS = 500;

/** From words of every message to words of none: what a person types, and what is hardest for an index. Every word may go on. */
const QUERIES: readonly string[] = [
  'the',
  'needle',
  'w1',
  'w19999',
  '"the even"',
  'the even w3',
  'even odd',
  'nonesuch',
  'has:media',
  'needle from:customer',
  'the from:ada',
  'even in:#1',
  'needle in:#1',
  'w1 in:delivery',
  `the in:${PHONE_NUMBER_ID}`,
  'the before:2020',
];

/** Searches of one tenant with many messages, once the index has taken them in; and how fast it does that. */
export const search: Scenario = {
  name: 'search',
  databases: ['postgres', 'pglite'],
  run: (bench) => onStage(bench, { name: 'search', settings: SETTINGS }, (stage) => measure(bench, stage)),
};

async function measure(bench: Bench, stage: Stage): Promise<readonly Figure[]> {
  const { say, sizes, seed, database } = bench;
  const messages = sizes.searchMessages;
  const server = await stage.replaceServer(SETTINGS, () => seedTexts(stage, { messages, nowMs: Date.now(), seed }));
  const indexS = await untilIndexed(server);
  say(`  ${messages} messages were indexed in ${indexS.toFixed(1)} s: ${Math.round(messages / indexS)}/s`);
  const p95Ms: Record<string, number> = {};
  for (const query of QUERIES) {
    const times = new Histogram();
    for (let round = -2; round < sizes.inboxRounds; round += 1) {
      const ms = await timeOf(server, query);
      if (round >= 0) times.record(ms);
    }
    p95Ms[query] = times.percentile(0.95);
    say(`  ${query}: p50 ${times.summary().p50Ms.toFixed(1)} ms, p95 ${p95Ms[query]?.toFixed(1)} ms`);
  }
  return [
    makeFigure({
      name: `slowest search of ${messages} messages, p95`,
      database,
      value: Math.max(...Object.values(p95Ms)),
      unit: 'ms',
      limit: atMost(WANTED_MS),
      yardstick: { name: 'the limit', value: WANTED_MS },
      detail: { p95Ms, indexedPerSecond: messages / indexS, rows: 'put straight into the tables by SQL' },
    }),
  ];
}

/** The index follows a tenant from its first event on: a contact makes one. @returns seconds until everything was in */
async function untilIndexed(server: Server): Promise<number> {
  const startMs = performance.now();
  const body = JSON.stringify({ phone: '447700900123', name: 'Somebody' });
  await ask(server, '/v1/contacts', { method: 'POST', body });
  while (!(await ask(server, '/v1/search?q=nonesuch')).complete) await setTimeout(LOOK_MS);
  return (performance.now() - startMs) / 1000;
}

async function timeOf(server: Server, query: string): Promise<number> {
  const startMs = performance.now();
  await ask(server, `/v1/search?${new URLSearchParams({ q: query })}`);
  return performance.now() - startMs;
}

interface Asked {
  readonly method: 'POST';
  readonly body: string;
}

async function ask({ url }: Server, path: string, asked?: Asked): Promise<{ readonly complete?: boolean }> {
  const headers = { authorization: `Bearer ${API_KEY}`, ...(asked && { 'content-type': 'application/json' }) };
  const answer = await request(url + path, { headers, ...asked });
  if (answer.statusCode >= 300) throw new Error(`${path}: ${answer.statusCode} ${await answer.body.text()}`);
  return (await answer.body.json()) as { complete?: boolean };
}
