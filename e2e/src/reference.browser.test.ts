/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from './console-browser.ts';
import { fillDataFolder } from './data-folder.ts';
import { PATIENCE_MS } from './patience.ts';
import { KEY, ProgramFolder, type Serving } from './program-folder.ts';

/*
 * The page at /docs of the built service, in a browser: what its reader sees and does. TEST_BROWSER names a Chromium,
 * which `npm test` looks for.
 */
const DESKTOP = { width: 1280, height: 900 };
const TELEPHONE = { width: 390, height: 844 };

let folder: ProgramFolder;
let server: Serving;
let browser: Browser;
let page: Page;
const requests: string[] = [];
const complaints: string[] = [];

beforeAll(async () => {
  folder = new ProgramFolder();
  fillDataFolder(folder.data);
  [server, browser] = await Promise.all([folder.serve(), launchBrowser({ host: '127.0.0.1' })]);
  page = await browser.newPage({ viewport: DESKTOP });
  page.setDefaultTimeout(PATIENCE_MS);
  page.on('request', (request) => requests.push(request.url()));
  page.on('requestfailed', (request) => complaints.push(`${request.url()} ${request.failure()?.errorText}`));
  page.on('pageerror', (error) => complaints.push(String(error)));
  // What the policy of the page blocks is reported here too.
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  await page.goto(`${server.url}/docs#tag/messages/POST/v1/messages`);
});
afterAll(async () => {
  await browser?.close();
  server?.child.kill('SIGTERM');
  await server?.finished;
  await folder.close();
});

/** The parts of the page that describe these operations. */
const SEND = '[id="api-1/tag/messages/POST/v1/messages"]';
const LIST = '[id="api-1/tag/messages/GET/v1/messages/outbound"]';

/** The lines of a part of the page, which is drawn piece by piece. */
const linesOf = async (selector: string) => (await page.locator(selector).innerText()).split('\n');

test('an operation shows its parameters, the fields of its body, an example to paste, and an answer', async () => {
  const parameters = ['Prefer', 'Idempotency-Key'];
  const fields = ['to', 'body', 'priority', 'expires_at', 'ttl_s'];
  const examples = [
    `curl ${server.url}/v1/messages \\`,
    '  "body": "Your parcel leaves today."',
    '  "direction": "outbound",',
  ];
  const lines = () => linesOf(SEND);
  await expect.poll(lines).toEqual(expect.arrayContaining([...parameters, ...fields, ...examples]));
});

test('the search leads to an operation, and its form asks this server with the key that was typed in', async () => {
  await page.locator('button[role=search]').click();
  await page.locator('input[type=search]').fill('messages outbound');
  await page.getByRole('option', { name: '/v1/messages/outbound' }).click();
  await page.locator(LIST).getByRole('button', { name: 'Test Request' }).click();
  await page.getByRole('dialog').getByPlaceholder('Token').fill(KEY);
  const asked = page.waitForResponse(`${server.url}/v1/messages/outbound`);
  await page.keyboard.press('Control+Enter');
  expect((await asked).status()).toBe(200);
});

test('on a telephone nothing is wider than the screen', async () => {
  await page.setViewportSize(TELEPHONE);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(TELEPHONE.width);
});

test('the page asks no other server for anything, and its console reports no error', () => {
  expect(requests.filter((url) => !/^(data|blob):/.test(url) && new URL(url).origin !== server.url)).toEqual([]);
  expect(requests).toContain(`${server.url}/v1/openapi.json`);
  expect(complaints).toEqual([]);
});
