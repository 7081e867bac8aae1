import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CUSTOMER, launchBrowser, type StartedService, startService } from './console-browser.ts';
import { PATIENCE_MS } from './patience.ts';

/*
 * The search of the console, in a browser, with what `npm start` begins. TEST_BROWSER names a Chromium, which `npm test` looks for.
 */
const SCREEN = { width: 1440, height: 900 };
const TELEPHONE = { width: 390, height: 844 };
/** More than one page of a thread, so that the oldest message is not there when the thread is opened. */
const LATER_MESSAGES = 60;

let service: StartedService;
let browser: Browser;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  service = await startService();
  const { link } = service;
  browser = await launchBrowser();
  const context = await browser.newContext({ viewport: SCREEN });
  page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  await page.goto(link);
  await page.getByRole('textbox', { name: `Message from ${CUSTOMER}` }).fill('Grüße von der Lindenallee <b>7</b>');
  await page.keyboard.press('Enter');
  await page.getByRole('list', { name: 'All open' }).getByRole('button', { name: CUSTOMER }).click();
  await thread().getByText('Lindenallee').waitFor();
  await writeMany();
  for (const text of ['Lindenallee', `Note ${LATER_MESSAGES} about`]) await untilIndexed(text);
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

const thread = () => page.getByRole('log', { name: 'Messages' });
const field = () => page.getByRole('searchbox', { name: 'Search' });
const results = (group: string) => page.getByRole('region', { name: group });

/** Notes, so that no limit of the network holds them up. */
async function writeMany(): Promise<void> {
  const conversation = new URL(page.url()).pathname.split('/').at(-1);
  const failed = await page.evaluate(
    async ({ id, count }) => {
      for (let place = 1; place <= count; place += 1) {
        const answer = await fetch(`/v1/conversations/${id}/messages`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'postrider-client': 'test' },
          body: JSON.stringify({ type: 'note', body: `Note ${place} about the parcel` }),
        });
        if (answer.status !== 201) return `${answer.status} ${await answer.text()}`;
      }
      return null;
    },
    { id: conversation, count: LATER_MESSAGES },
  );
  expect(failed).toBeNull();
}

/** A page that was given its results does not look again by itself. */
async function untilIndexed(text: string): Promise<void> {
  const found = async (query: string) => (await (await fetch(`/v1/search?${query}`)).text()).includes('"snippet"');
  await page.waitForFunction(found, `${new URLSearchParams({ q: text })}`, { polling: 100 });
}

/** Types a query. */
async function search(query: string): Promise<void> {
  await field().fill(query);
  await page.waitForURL((url) => url.pathname === '/search' && url.searchParams.get('q') === query);
}

test('the key of the search leads to its field, and what can be looked for', async () => {
  await page.locator('body').click({ position: { x: 5, y: 5 } });
  await page.keyboard.press('/');
  await field().waitFor();
  expect(await field().evaluate((element) => element === document.activeElement)).toBe(true);
  await page.getByText('What you can search for').waitFor();
});

test('a word is found by its beginning without accents, marked, and as text alone', async () => {
  await search('gru lind');
  const hit = results('Messages').getByRole('link', { name: CUSTOMER });
  await hit.waitFor();
  expect(await hit.locator('mark').allTextContents()).toEqual(['Grüße', 'Lindenallee']);
  await results('Messages').getByText('<b>7</b>').waitFor();
});

test('the arrow and Enter open the thread at the message, marked, however old it is', async () => {
  await field().press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/inbox\/[\da-f-]+\?.*message=/);
  const found = thread().locator('[aria-current=true]');
  await found.getByText('Lindenallee').waitFor();
  await page.waitForFunction(() => {
    const box = document.querySelector('[role=log] [aria-current=true]')?.getBoundingClientRect();
    return box !== undefined && box.top >= 0 && box.bottom <= innerHeight;
  });
  expect(await thread().getByText(`Note ${LATER_MESSAGES} about`).count()).toBe(0);
  await page.getByRole('button', { name: 'Later messages' }).click();
  await thread().getByText('Note 30 about').waitFor();
  await page.getByRole('button', { name: 'Show the newest messages' }).click();
  await thread().getByText(`Note ${LATER_MESSAGES} about`).waitFor();
  expect(new URL(page.url()).searchParams.has('message')).toBe(false);
});

test('groups go on, and a contact leads to its conversation', async () => {
  await page.goto(new URL('/search?q=parcel', page.url()).href);
  const notes = results('Notes').getByRole('link');
  await notes.nth(7).waitFor();
  await results('Notes').getByRole('button', { name: 'Show more' }).click();
  await notes.nth(30).waitFor();
  await search('obi');
  await results('Contacts').getByRole('button', { name: CUSTOMER }).click();
  await thread().getByText(`Note ${LATER_MESSAGES} about`).waitFor();
});

test('the palette searches for what is no command, and nothing found says what to do', async () => {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('nonesuchword');
  await page.getByRole('option', { name: 'Search for “nonesuchword”' }).click();
  await page.getByText('Nothing was found').waitFor();
  expect(await field().inputValue()).toBe('nonesuchword');
});

test('without a connection it says so, and goes on when asked', async () => {
  await page.context().setOffline(true);
  await search('lindenallee');
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await results('Messages').getByText('Lindenallee').waitFor();
});

test('on a telephone nothing is wider than the screen, and the page kept to its policy', async () => {
  await page.setViewportSize(TELEPHONE);
  await field().waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(TELEPHONE.width);
  // The browser reports requests that these tests cut off.
  const expected = /ERR_(INTERNET_DISCONNECTED|CONNECTION_FAILED)/;
  expect(complaints.filter((text) => !expected.test(text))).toEqual([]);
});
