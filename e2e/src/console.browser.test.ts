import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CUSTOMER, launchBrowser, type StartedService, startService } from './console-browser.ts';
import { PATIENCE_MS } from './patience.ts';

/*
 * What `npm start` begins, in a browser: a stranger opens the printed link and answers a customer. TEST_BROWSER names a
 * Chromium, which `npm test` looks for.
 */
const OTHER_CUSTOMER = 'Léa Martin';
const SCREEN = { width: 1440, height: 900 };
const TELEPHONE = { width: 390, height: 844 };

let service: StartedService;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let link: string;
const complaints: string[] = [];
const requests: string[] = [];

beforeAll(async () => {
  service = await startService();
  link = service.link;
  browser = await launchBrowser();
  context = await browser.newContext({ viewport: SCREEN });
  context.setDefaultTimeout(PATIENCE_MS);
  page = await context.newPage();
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  // What the policy of the page blocks is reported here too.
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

const list = () => page.getByRole('list', { name: 'All open' });
const thread = () => page.getByRole('log', { name: 'Messages' });

test('the printed link opens the inbox, and its token is gone from the address', async () => {
  await page.goto(link);
  await page.waitForURL('**/inbox');
  await page.getByText('No open conversations').waitFor();
  expect(page.url()).not.toContain('token');
  expect(requests.filter((url) => url.includes('token='))).toEqual([]);
});

test('what the customer writes on the phone arrives in the inbox', async () => {
  await page.getByRole('textbox', { name: `Message from ${CUSTOMER}` }).fill('Where is my parcel?');
  await page.keyboard.press('Enter');
  await list().getByRole('button', { name: CUSTOMER }).click();
  await thread().getByText('Where is my parcel?').waitFor();
});

test('an answer appears at once, arrives on the phone, and is shown as read', async () => {
  await page.getByRole('textbox', { name: `Reply to ${CUSTOMER}` }).fill('It left this morning.');
  await page.keyboard.press('Enter');
  await thread().getByText('It left this morning.').waitFor();
  await page.getByRole('log', { name: 'Customer’s phone' }).getByText('It left this morning.').waitFor();
  await thread().getByRole('button', { name: /^Read/ }).waitFor();
  expect(await thread().getByText('It left this morning.').count()).toBe(1);
});

test('the tick tells what happened to the message', async () => {
  await thread().getByRole('button', { name: /^Read/ }).click();
  await page.getByRole('dialog').getByText('The network reported: read.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('You have seen the whole way').waitFor();
});

test('the keyboard resolves and reopens a conversation, and every command is in the palette', async () => {
  await page.keyboard.press('e');
  await page.getByRole('button', { name: 'Reopen' }).waitFor();
  await page.getByText('No open conversations').waitFor();
  await page.keyboard.press('e');
  await page.getByRole('button', { name: 'Resolve', exact: true }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('assign to me');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Assign' }).getByText('Owner').waitFor();
});

test('a key acts on the conversation that is marked, also before its thread is drawn', async () => {
  const phone = page.getByRole('region', { name: 'Customer’s phone' });
  const first = page.url();
  await page.goto(new URL('/inbox', first).href);
  await phone.getByRole('button', { name: 'Another customer' }).click();
  await page.getByRole('textbox', { name: `Message from ${OTHER_CUSTOMER}` }).fill('Are you open?');
  await page.keyboard.press('Enter');
  await list().getByRole('button', { name: OTHER_CUSTOMER }).waitFor();
  await list().getByRole('button', { name: CUSTOMER }).click();
  await page.getByRole('textbox', { name: `Reply to ${CUSTOMER}` }).waitFor();
  // The browser has no time to draw between the two keys: the mark is there, the thread is not.
  const shown = await page.evaluate(async () => {
    const press = (key: string) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    const marked = () => document.querySelector('li [aria-current=true]');
    const before = marked();
    press('k');
    while (marked() === before || marked() === null) await Promise.resolve();
    const heading = document.querySelector('main > section + div h2')?.textContent;
    press('e');
    return heading;
  });
  expect(shown).toBe(CUSTOMER);
  await list().getByRole('button', { name: OTHER_CUSTOMER }).waitFor({ state: 'detached' });
  expect(await list().getByRole('button', { name: CUSTOMER }).count()).toBe(1);
  await page.getByRole('heading', { name: OTHER_CUSTOMER, exact: true }).waitFor();
  await page.goto(first);
});

test('the details of the customer tell everything that happened, and lead to it', async () => {
  await page.getByRole('button', { name: 'Customer details' }).click();
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await timeline.getByText('Owner resolved this').waitFor();
  expect(await timeline.getByText('Sent by Owner').count()).toBe(1);
  await timeline.getByRole('link', { name: 'Where is my parcel?' }).click();
  await page.waitForURL(/message=/);
  await thread().getByText('Where is my parcel?').waitFor();
  await page.goBack();
  await page.getByRole('complementary', { name: 'Customer details' }).getByRole('button', { name: 'Close' }).click();
});

test('an address brings back what it showed, in a new page too', async () => {
  const other = await context.newPage();
  await other.goto(page.url());
  await other.getByRole('log', { name: 'Messages' }).getByText('It left this morning.').waitFor();
  await other.close();
});

test('what is written while the service is away says that it waits, and is sent once when it is back', async () => {
  await context.setOffline(true);
  await page.getByRole('textbox', { name: `Reply to ${CUSTOMER}` }).fill('Anything else?');
  await page.keyboard.press('Enter');
  await thread().getByText('Anything else?').waitFor();
  await thread().getByText('Waits until you are online').waitFor();
  await context.setOffline(false);
  await page.getByRole('log', { name: 'Customer’s phone' }).getByText('Anything else?').waitFor();
  await thread().getByRole('button', { name: /^Read/ }).nth(1).waitFor();
  expect(await page.getByRole('log', { name: 'Customer’s phone' }).getByText('Anything else?').count()).toBe(1);
});

test('what waits for the service is sent once by the next page, when this one is closed before', async () => {
  await context.route('**/v1/conversations/*/messages', (route) =>
    route.request().method() === 'POST' ? route.abort('connectionfailed') : route.continue(),
  );
  await page.getByRole('textbox', { name: `Reply to ${CUSTOMER}` }).fill('Good bye!');
  await page.keyboard.press('Enter');
  await thread().getByText('Good bye!').waitFor();
  const address = page.url();
  await page.goto('about:blank');
  await context.unroute('**/v1/conversations/*/messages');
  await page.goto(address);
  await page.getByRole('log', { name: 'Customer’s phone' }).getByText('Good bye!').waitFor();
  await thread().getByRole('button', { name: /^Read/ }).nth(2).waitFor();
  expect(await thread().getByText('Good bye!').count()).toBe(1);
});

test('the page keeps to its policy and asks no other server', () => {
  const { origin } = new URL(link);
  expect(requests.filter((url) => !/^(data|blob):/.test(url) && new URL(url).origin !== origin)).toEqual([]);
  // Requests that these tests cut off are reported by the browser.
  const expected = /ERR_(INTERNET_DISCONNECTED|CONNECTION_FAILED)/;
  expect(complaints.filter((text) => !expected.test(text))).toEqual([]);
});

test('on a telephone the list and the thread follow each other, and nothing is wider than the screen', async () => {
  await page.setViewportSize(TELEPHONE);
  await page.getByRole('region', { name: 'Customer’s phone' }).getByRole('button', { name: /^Hide/ }).click();
  await page.getByRole('button', { name: 'Back to the list' }).click();
  await list().getByRole('button', { name: CUSTOMER }).click();
  await thread().getByText('It left this morning.').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(TELEPHONE.width);
});

test('the end of a thread stays in view when a keyboard takes half of the screen', async () => {
  const last = thread().getByText('Good bye!');
  await page.setViewportSize({ ...TELEPHONE, height: TELEPHONE.height / 2 });
  const isAbove = async () => {
    const [text, field] = [await last.boundingBox(), await page.getByRole('tablist').boundingBox()];
    return text !== null && field !== null && text.y > 0 && text.y + text.height <= field.y;
  };
  await expect.poll(isAbove).toBe(true);
});

test('a link that was used says so, and what to do next', async () => {
  const stranger = await browser.newPage();
  stranger.setDefaultTimeout(PATIENCE_MS);
  await stranger.goto(link);
  await stranger.getByText('This link no longer works').waitFor();
  await stranger.getByText('postrider users link').waitFor();
  await stranger.close();
});
