import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CUSTOMER, type OpenConsole, openConsole } from './console-browser.ts';
import { PATIENCE_MS } from './patience.ts';

/* The inbox asks for its list while its program is still on its way. TEST_BROWSER names a Chromium. */
const LIST = '/v1/conversations?';
const STREAM = '/v1/events/stream';

let opened: OpenConsole;
/** The tab that has the stream of its browser. */
let page: Page;

beforeAll(async () => {
  opened = await openConsole();
  ({ page } = opened);
});
afterAll(() => opened?.close());

/** A browser of somebody else, or of somebody who has this already. */
async function newContext(storageState: StorageState = { cookies: [], origins: [] }): Promise<BrowserContext> {
  const context = await opened.browser.newContext({ storageState });
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Counts what pages of this context ask for. */
function count(context: BrowserContext): (part: string) => number {
  const asked: string[] = [];
  context.on('request', (request) => asked.push(request.url()));
  return (part) => asked.filter((url) => url.includes(part)).length;
}

const write = async (text: string) => {
  await page.getByRole('textbox', { name: `Message from ${CUSTOMER}` }).fill(text);
  await page.keyboard.press('Enter');
  await listOf(page).getByText(text).waitFor();
};
const listOf = (one: Page) => one.getByRole('list', { name: 'All open' });

test('the list is read before the program has arrived, each part once, and what happens meanwhile is not missed', async () => {
  await write('Where is my parcel?');
  const cold = await newContext(await opened.context.storageState());
  const asked = count(cold);
  const answered = cold.waitForEvent('response', {
    predicate: (response) => response.url().includes(LIST),
    timeout: 0,
  });
  await cold.route('**/console/assets/index-*.js', async (route) => {
    await answered;
    await write('Is it lost?');
    await route.continue();
  });
  const first = await cold.newPage();
  await first.goto(new URL('/inbox', page.url()).href);
  await listOf(first).getByText('Is it lost?').waitFor();
  expect([asked('/v1/me'), asked(STREAM), asked(LIST)]).toEqual([1, 1, 1]);
  await cold.close();
});

test('whoever has a session is given the list also when the answer about who that is comes last', async () => {
  const cold = await newContext(await opened.context.storageState());
  const asked = count(cold);
  const answered = cold.waitForEvent('response', {
    predicate: (response) => response.url().includes(LIST),
    timeout: 0,
  });
  await cold.route('**/v1/me', async (route) => {
    await answered;
    await route.continue();
  });
  const first = await cold.newPage();
  await first.goto(new URL('/inbox', page.url()).href);
  await listOf(first).getByText('Is it lost?').waitFor();
  expect([asked('/v1/me'), asked(STREAM), asked(LIST)]).toEqual([1, 1, 1]);
  await cold.close();
});

test('what was answered before the program ran is drawn at once, without a skeleton before it', async () => {
  const cold = await newContext(await opened.context.storageState());
  const answered = cold.waitForEvent('response', {
    predicate: (response) => response.url().includes(LIST),
    timeout: 0,
  });
  await cold.route('**/console/assets/index-*.js', async (route) => {
    await answered;
    await route.continue();
  });
  const first = await cold.newPage();
  // The page loses its patience with time alone, and none passes.
  await first.clock.install();
  await first.clock.pauseAt(Date.now() + 60_000);
  await first.addInitScript(watchSkeletons, SKELETONS);
  await first.goto(new URL('/inbox', page.url()).href);
  await listOf(first).getByText('Is it lost?').waitFor();
  expect(await first.evaluate(() => 'hadSkeleton' in globalThis)).toBe(false);
  await cold.close();
});

const SKELETONS = 'section[aria-label=Conversations] .skeleton';

function watchSkeletons(selector: string): void {
  const look = () => document.querySelector(selector) && Object.assign(globalThis, { hadSkeleton: true });
  new MutationObserver(look).observe(document, { childList: true, subtree: true });
}

test('a further tab of a browser follows the stream of the first, and reads its list once it does', async () => {
  const asked = count(opened.context);
  const second = await opened.context.newPage();
  await second.goto(new URL('/inbox', page.url()).href);
  await listOf(second).getByText('Is it lost?').waitFor();
  expect([asked('/v1/me'), asked(STREAM), asked(LIST)]).toEqual([1, 0, 1]);
  await second.close();
});

test('nothing but who they are is asked for somebody who is not signed in', async () => {
  const stranger = await newContext();
  const asked = count(stranger);
  const first = await stranger.newPage();
  await first.goto(new URL('/inbox', page.url()).href);
  await first.waitForURL('**/sign-in');
  expect([asked('/v1/me'), asked(STREAM), asked(LIST)]).toEqual([1, 0, 0]);
  await stranger.close();
});
