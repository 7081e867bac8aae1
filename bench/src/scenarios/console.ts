import { atMost, type Figure, makeFigure } from '../figure.ts';
import { PHONE_NUMBER_ID } from '../harness/server.ts';
import { type Stage, UNLIMITED } from '../harness/stage.ts';
import { median } from '../median.ts';
import { STATUSES_PER_MESSAGE, watchProgress } from '../progress.ts';
import { type Bench, onStage, type Scenario } from '../scenario.ts';
import { ConsolePage, findBrowser } from './support/console-page.ts';
import { askAs, followEvents, inviteOwner, signInAgents } from './support/console-people.ts';
import { MESSAGES_PER_CONVERSATION, seedInbox } from './support/seed-inbox.ts';

/** What the console is to keep to. */
const WANTED = { firstListMs: 1_500, cachedMs: 50, uncachedMs: 150, keyMs: 16, heapMb: 150, requestsPerHour: 60 };
/** Conversations that are opened one after the other: from the service, and then from what the page remembers. */
const SWITCHES = 10;
const KEYS = 100;
const BATCH = 100;
const PATIENCE_MS = 600_000;
const LAST_WORDS = 'That was the last one.';

/**
 * What an agent meets in a browser, with a large tenant and its other agents reading along: how soon the inbox can be used,
 * how quickly it changes the conversation and moves in a long list, what the page holds in memory after many events, and what
 * it asks for while nobody touches it.
 */
export const consolePages: Scenario = {
  name: 'console',
  databases: ['postgres'],
  absent: () => (findBrowser() === null ? [{ name: 'console', why: 'Chromium is not installed' }] : []),
  run: async (bench) => {
    const browser = findBrowser();
    if (browser === null) return [];
    return onStage(bench, { name: 'console', settings: UNLIMITED }, (stage) => measure(bench, stage, browser));
  },
};

async function measure(bench: Bench, stage: Stage, browser: string): Promise<readonly Figure[]> {
  const { say, sizes } = bench;
  const server = await stage.replaceServer(UNLIMITED, () =>
    seedInbox(stage, { messages: sizes.consoleMessages, nowMs: Date.now(), say }),
  );
  const stopFollowing = await followEvents(server, await signInAgents(server, sizes.consoleAgents));
  // Browsers do not treat a page at another IP address as secure, and people type a name.
  const base = server.url.replace('127.0.0.1', 'localhost');
  const console = await ConsolePage.open(browser, `${base}/sign-in#token=${await inviteOwner(server)}`);
  try {
    return await measurePage(bench, stage, { console, base });
  } finally {
    await console.close();
    await stopFollowing();
  }
}

interface OpenPage {
  readonly console: ConsolePage;
  readonly base: string;
}

async function measurePage({ say, sizes }: Bench, stage: Stage, { console, base }: OpenPage): Promise<Figure[]> {
  const calibrationMs = await console.calibrationMs();
  say(`  the calibration loop takes ${calibrationMs.toFixed(1)} ms in the browser`);
  const address = `${base}/inbox?view=resolved`;
  const firstListMs: number[] = [];
  for (let round = 0; round < sizes.consoleRounds; round += 1) firstListMs.push(await console.firstListMs(address));
  say(`  the inbox could be used after ${Math.round(median(firstListMs))} ms`);
  const { opening, atRest } = await console.requestsOf(address, sizes.consoleIdleSeconds * 1_000);
  const perHour = opening + (atRest * 3_600) / sizes.consoleIdleSeconds;
  const uncached = await switches(console);
  const cached = await switches(console);
  const rows = await console.loadRows(sizes.consoleRows);
  const keyMs = [...(await console.keyMs('j', KEYS))].sort((one, other) => one - other)[Math.floor(KEYS * 0.95)] ?? 0;
  say(`  ${rows} rows are in the list`);
  const events = await makeEvents(stage, console, sizes.consoleEvents);
  const heapMb = (await console.heapBytes()) / 1_000_000;
  const tenant = { messages: sizes.consoleMessages, agents: sizes.consoleAgents };
  const detail = { ...tenant, conversations: sizes.consoleMessages / MESSAGES_PER_CONVERSATION, calibrationMs };
  const timed = (name: string, value: number, limit: number, times: readonly number[] = []): Figure => {
    const yardstick = { name: 'a loop in the browser', value: calibrationMs };
    return makeFigure({
      name,
      database: 'postgres',
      value,
      unit: 'ms',
      limit: atMost(limit),
      yardstick,
      detail: { ...detail, times },
    });
  };
  const counted = (name: string, value: number, unit: string, limit: number): Figure => {
    const yardstick = { name: 'the limit', value: limit };
    return makeFigure({ name, database: 'postgres', value, unit, limit: atMost(limit), yardstick, detail });
  };
  return [
    timed('inbox usable, CPU slowed 4 times, 10 Mbit/s', median(firstListMs), WANTED.firstListMs, firstListMs),
    timed('conversation that the page remembers', median(cached), WANTED.cachedMs, cached),
    timed('conversation that the page asks for', median(uncached), WANTED.uncachedMs, uncached),
    timed(`key to paint with ${rows} rows, p95`, keyMs, WANTED.keyMs),
    counted(`heap of the page after ${events} events`, heapMb, 'MB', WANTED.heapMb),
    counted('page that is opened and left alone', perHour, 'requests an hour', WANTED.requestsPerHour),
  ];
}

async function switches(console: ConsolePage): Promise<readonly number[]> {
  const times: number[] = [];
  for (let place = 0; place < SWITCHES; place += 1) times.push(await console.switchMs(place));
  return times;
}

/** Sends messages, and waits until the page has taken in all their events. @returns how many there were, at least */
async function makeEvents({ server, simulator }: Stage, { page }: ConsolePage, wanted: number): Promise<number> {
  const messages = Math.ceil(wanted / (1 + STATUSES_PER_MESSAGE));
  for (let sent = 0; sent < messages; sent += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, messages - sent) }, (_, place) => ({
      to: `4477${String(10_000_000 + sent + place)}`,
      body: 'Your parcel left this morning.',
      phone_number_id: PHONE_NUMBER_ID,
    }));
    await askAs(server, { path: '/v1/messages/batch', body: { messages: batch } });
  }
  await watchProgress(server, ({ statuses }) => statuses >= messages * STATUSES_PER_MESSAGE);
  // Events come in their order: when the page shows the last one, it has seen all.
  await simulator.control('POST', '/_sim/inbound', {
    from: '447799999999',
    text: LAST_WORDS,
    phone_number_id: PHONE_NUMBER_ID,
  });
  await page.keyboard.press('g');
  await page.keyboard.press('1');
  await page.getByText(LAST_WORDS).first().waitFor({ timeout: PATIENCE_MS });
  return messages * (1 + STATUSES_PER_MESSAGE);
}
