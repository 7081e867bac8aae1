import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Conversation, isOutbound } from './model.ts';
import { type BrowserTab, ModelBrowser } from './testing/model-browser.ts';
import { ModelServer } from './testing/model-server.ts';
import type { ModelList } from './testing/model-tab.ts';
import { shownItem, shownOf } from './testing/shown.ts';
import { viewList, viewThread } from './view.ts';

const LISTS: readonly ModelList[] = [
  { name: 'open', sort: 'last_activity', holds: (one) => one.status === 'open' },
  { name: 'waiting', sort: 'waiting_since', holds: (one) => one.status === 'open' && one.waiting_since !== null },
];
const CUSTOMERS = 3;
const MAX_TABS = 4;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2030-01-01T09:00:00.000Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const reply = (body: string) =>
  ({ kind: 'reply', content: { type: 'text', body }, after: null, force: false }) as const;
const bodiesOf = (server: ModelServer) =>
  [...server.threads.values()].flat().flatMap((item) => (isOutbound(item) ? [item.body] : []));

/** Everything awake and connected, and long enough for every further try. */
async function settle(browser: ModelBrowser): Promise<void> {
  browser.isServiceUp = true;
  for (const tab of browser.tabs) tab.wake();
  for (let round = 0; round < 4; round++) {
    browser.emit();
    await pass(20_000);
  }
}

function expectSameAsServer(tab: BrowserTab, server: ModelServer): void {
  const { client, line } = tab.sync.snapshot();
  expect(line).toBe('current');
  for (const list of LISTS) {
    const rows = viewList(client, list) ?? [];
    const held = rows.map(({ id }) => server.conversations.get(id) as Conversation);
    expect(rows.map(shownOf)).toEqual(held.map(shownOf));
    if (client.state.lists.get(list.name)?.horizon === null) {
      const wanted = [...server.conversations.values()].filter(list.holds);
      expect(rows.length).toBe(wanted.length);
    }
  }
  for (const id of client.state.threads.keys()) {
    const view = viewThread(client, id);
    const oldest = view?.items[0]?.id ?? '';
    const wanted = (server.threads.get(id) ?? []).filter((one) => !view?.hasOlder || one.id >= oldest);
    expect(view?.items.map(shownItem)).toEqual(wanted.map(shownItem));
    expect(view?.pending).toEqual([]);
  }
}

function close(browser: ModelBrowser): void {
  for (const tab of [...browser.tabs]) browser.kill(tab);
}

const STEPS = [
  'write',
  'reply',
  'command',
  'open',
  'tab',
  'kill',
  'sleep',
  'wake',
  'cut',
  'away',
  'back',
  'wait',
] as const;
const step = fc.record({
  kind: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('write', 'command', 'wait', 'cut') },
    { weight: 1, arbitrary: fc.constantFrom(...STEPS) },
  ),
  a: fc.nat({ max: 100 }),
  b: fc.nat({ max: 12_000 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** What was done so far, and what must be the case in the end. */
interface Run {
  readonly browser: ModelBrowser;
  /** Commands that were given and not lost with a tab before anything could be stored. */
  readonly wanted: Set<string>;
  readonly given: Map<string, BrowserTab>;
}

async function take({ browser, wanted, given }: Run, { kind, a, b }: Step, place: number): Promise<void> {
  const { server, tabs } = browser;
  const tab = tabs[a % Math.max(1, tabs.length)];
  const id = server.ids[b % Math.max(1, server.ids.length)];
  if (kind === 'write') server.customerWrites(a % CUSTOMERS, 1);
  else if (kind === 'cut') browser.cut();
  else if (kind === 'away') browser.isServiceUp = false;
  else if (kind === 'back') browser.isServiceUp = true;
  else if (kind === 'tab' && tabs.length < MAX_TABS) browser.openTab();
  else if (kind === 'wait') await pass(b);
  else if (kind === 'reply' && id) server.reply(id, `theirs ${place}`, { isAgent: true, reference: null });
  else if (tab === undefined) return;
  else if (kind === 'sleep') tab.sleep();
  else if (kind === 'wake') tab.wake();
  else if (kind === 'open' && id) tab.sync.open(id);
  else if (kind === 'command' && id) {
    const body = `mine ${place}`;
    tab.sync.submit(id, reply(body), b % 3 === 0 ? 5_000 : 0);
    given.set(body, tab);
    wanted.add(body);
  } else if (kind === 'kill' && tabs.length > 1) {
    kill({ browser, wanted, given }, tab);
  }
  if (kind === 'away') browser.cut();
  browser.emit();
}

function kill({ browser, wanted, given }: Run, tab: BrowserTab): void {
  const kept = new Set([...browser.kept.values()].map(({ intent }) => intent.kind === 'reply' && intent.content.body));
  const done = new Set(bodiesOf(browser.server));
  for (const [body, giver] of given) if (giver === tab && !kept.has(body) && !done.has(body)) wanted.delete(body);
  browser.kill(tab);
}

describe('the tabs of a browser', () => {
  test('show what the service holds over one stream, whatever is cut, late, asleep or dead, and send each command once', async () => {
    let cuts = 0;
    const property = fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 60, size: 'max' }), async (steps) => {
      const browser = new ModelBrowser(new ModelServer(), LISTS);
      browser.server.customerWrites(1, 1);
      browser.openTab();
      const run: Run = { browser, wanted: new Set(), given: new Map() };
      for (const [place, one] of steps.entries()) {
        if (one.kind === 'cut' || one.kind === 'away' || one.kind === 'kill') cuts += 1;
        await take(run, one, place);
      }
      await settle(browser);
      for (const tab of browser.tabs) expectSameAsServer(tab, browser.server);
      expect(browser.streams.size).toBe(1);
      const bodies = bodiesOf(browser.server).filter((body) => body?.startsWith('mine'));
      expect(new Set(bodies).size).toBe(bodies.length);
      expect(bodies).toEqual(expect.arrayContaining([...run.wanted]));
      expect(browser.kept.size).toBe(0);
      close(browser);
    });
    await fc.assert(property, { numRuns: 150, endOnFailure: true });
    expect(cuts).toBeGreaterThan(1_000);
  });

  test('a leader that sleeps is replaced, and follows when it wakes', async () => {
    const browser = new ModelBrowser(new ModelServer(), LISTS);
    const [first, second] = [browser.openTab(), browser.openTab()];
    await pass(1_000);
    first.sleep();
    browser.server.customerWrites(1, 1);
    browser.emit();
    await pass(15_000);
    expectSameAsServer(second, browser.server);
    expect(viewList(second.sync.snapshot().client, LISTS[0] as ModelList)).toHaveLength(1);
    first.wake();
    browser.server.customerWrites(2, 1);
    browser.emit();
    await pass(15_000);
    expectSameAsServer(first, browser.server);
    expect(browser.streams.size).toBe(1);
    close(browser);
  });

  test('a tab that is gone leaves its commands to one other tab', async () => {
    const browser = new ModelBrowser(new ModelServer(), LISTS);
    browser.server.customerWrites(1, 1);
    const [id = ''] = browser.server.ids;
    const tabs = [browser.openTab(), browser.openTab(), browser.openTab()] as const;
    await pass(1_000);
    tabs[1].sync.submit(id, reply('Undone by nobody'), 5_000);
    await pass(1_000);
    browser.kill(tabs[1]);
    await pass(1_000);
    expect(bodiesOf(browser.server)).toEqual(['Undone by nobody']);
    expect(browser.kept.size).toBe(0);
    close(browser);
  });
});
