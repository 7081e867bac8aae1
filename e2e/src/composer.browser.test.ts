/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CUSTOMER, launchBrowser } from './console-browser.ts';
import { fillDataFolder } from './data-folder.ts';
import { PATIENCE_MS } from './patience.ts';
import { freePort, type Program, root, type Settings } from './postrider-process.ts';
import { ProgramFolder } from './program-folder.ts';

/* What somebody writes is sent once and not lost, whatever happens to the page, to its neighbors and to the service. */
const STARTER = join(root, 'scripts', 'start.mjs');
const SCREEN = { width: 1440, height: 900 };
const MIB = 1_024 * 1_024;
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let folder: ProgramFolder;
let program: Program;
let settings: Settings;
let key: string;
let browser: Browser;
let context: BrowserContext;
let page: Page;
const complaints: string[] = [];
const streams: string[] = [];

beforeAll(async () => {
  folder = new ProgramFolder();
  settings = {
    PORT: String(await freePort()),
    MESSAGING_SIMULATOR_PORT: String(await freePort()),
    MESSAGING_DATA_DIR: fillDataFolder(folder.data),
  };
  program = folder.start(STARTER, [], settings);
  const [link = ''] = await program.printed(/http\S+\/sign-in#token=\S+/);
  await program.printed(/Ctrl-C stops/);
  [key = ''] = await program.printed(/pr_test_\w+/);
  // A microphone that beeps, for which nobody is asked.
  const microphone = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];
  browser = await launchBrowser({ flags: microphone });
  context = await browser.newContext({ viewport: SCREEN });
  context.setDefaultTimeout(PATIENCE_MS);
  page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  context.on('request', (request) => request.url().includes('/v1/events/stream') && streams.push(request.url()));
  await page.goto(link);
  await page.waitForURL('**/inbox');
  await page.getByRole('textbox', { name: `Message from ${CUSTOMER}` }).fill('Hello?');
  await page.keyboard.press('Enter');
  await page.getByRole('list', { name: 'All open' }).getByRole('button', { name: CUSTOMER }).click();
  await thread().getByText('Hello?').waitFor();
});
afterAll(async () => {
  await browser?.close();
  program?.child.kill('SIGTERM');
  await program?.finished;
  await folder.close();
});

const thread = (of: Page = page) => of.getByRole('log', { name: 'Messages' });
const phone = (of: Page = page) => of.getByRole('log', { name: 'Customer’s phone' });
const field = (of: Page = page) => of.getByRole('textbox', { name: `Reply to ${CUSTOMER}` });

async function write(text: string, of: Page = page): Promise<void> {
  await field(of).fill(text);
  await of.keyboard.press('Enter');
}

test('a picture is uploaded, shown before it is sent, and reaches the customer with its caption', async () => {
  const files = page.locator('input[type=file][multiple]');
  await files.setInputFiles({ name: 'box.png', mimeType: 'image/png', buffer: PICTURE });
  await page.getByRole('list', { name: 'Attached files' }).getByText('box.png').waitFor();
  await field().fill('The *box*');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await thread()
    .getByRole('button', { name: /^(Delivered|Read)/ })
    .first()
    .waitFor();
  await phone().getByText('box').waitFor();
  expect(await thread().getByRole('img', { name: 'The *box*' }).count()).toBe(1);
});

test('a file that the network does not take is refused before it is uploaded, and nothing is sent', async () => {
  const files = page.locator('input[type=file][multiple]');
  await files.setInputFiles({ name: 'page.html', mimeType: 'text/html', buffer: Buffer.from('<p>') });
  await page.getByText('The network does not take files of this type.').waitFor();
  expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Remove page.html' }).click();
  await page.getByRole('list', { name: 'Attached files' }).waitFor({ state: 'detached' });
});

test('a large document is uploaded in portions, and goes on where it was after a cut', async () => {
  const uploads = '**/v1/media/resumable/*';
  let cuts = 0;
  await context.route(uploads, (route) => {
    const isSecond = route.request().headers()['upload-offset'] === String(4 * MIB);
    return isSecond && cuts++ === 0 ? route.abort('connectionfailed') : route.continue();
  });
  const buffer = Buffer.alloc(17 * MIB, 'Every line of it. ');
  const files = page.locator('input[type=file][multiple]');
  await files.setInputFiles({ name: 'long.txt', mimeType: 'text/plain', buffer });
  await page.getByRole('list', { name: 'Attached files' }).getByText('17 MB').waitFor();
  await context.unroute(uploads);
  expect(cuts).toBe(2);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await thread().getByRole('link', { name: 'long.txt' }).waitFor();
  await phone().getByText('long.txt').waitFor();
});

test('a voice note is recorded, and reaches the network as a voice note', async () => {
  await page.getByRole('button', { name: 'Record a voice note' }).click();
  // A busy page may leave out a second.
  await page
    .getByRole('timer')
    .getByText(/:(?!00)\d\d/)
    .waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  const stored = page.waitForResponse((answer) => answer.url().endsWith('/messages') && answer.status() === 202);
  await page.getByRole('list', { name: 'Attached files' }).getByText('Voice message').waitFor();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  expect((await stored).request().postDataJSON()).toMatchObject({ type: 'audio', media: { voice: true } });
  await thread().getByRole('button', { name: 'Play' }).waitFor();
  await thread()
    .getByRole('button', { name: /^(Delivered|Read)/ })
    .nth(1)
    .waitFor();
});

test('a reply that is undone in time is back in the field, and the customer never sees it', async () => {
  // The time in which it can be undone passes only when the page has done so.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 10_000);
  await write('Too fast');
  await thread().getByRole('button', { name: 'Undo' }).click();
  await thread().getByText('Too fast').waitFor({ state: 'detached' });
  expect(await field().inputValue()).toBe('Too fast');
  await page.clock.resume();
  await field().fill('');
});

test('a draft goes on in another browser', async () => {
  const saved = page.waitForResponse((answer) => {
    const request = answer.request();
    return request.method() === 'PUT' && request.postDataJSON()?.body === 'Begun here' && answer.ok();
  });
  await field().fill('Begun here');
  expect(await field().inputValue()).toBe('Begun here');
  await saved;
  const other = await browser.newContext({ viewport: SCREEN, storageState: await context.storageState() });
  // Without what the first one keeps for itself: only what the service has.
  await other.addInitScript(() => localStorage.clear());
  other.setDefaultTimeout(PATIENCE_MS);
  const there = await other.newPage();
  await there.goto(page.url());
  await field(there).waitFor();
  await there.waitForFunction(
    (name) => document.querySelector<HTMLTextAreaElement>(`textarea[aria-label="${name}"]`)?.value === 'Begun here',
    `Reply to ${CUSTOMER}`,
  );
  // Where another conversation is open, the list says what was begun in this one.
  await there.goto(new URL('/inbox', page.url()).href);
  const row = there.getByRole('list', { name: 'All open' }).getByRole('button', { name: CUSTOMER });
  await row.getByText('Draft: Begun here').waitFor();
  await other.close();
  await field().fill('');
});

test('two tabs share one stream, and the second goes on when the first is closed', async () => {
  const before = streams.length;
  const second = await context.newPage();
  await second.goto(page.url());
  await thread(second).getByText('Hello?').waitFor();
  await write('Seen in both');
  await thread(second).getByText('Seen in both').waitFor();
  expect(streams.length).toBe(before);
  const address = page.url();
  await page.close();
  page = second;
  page.on('pageerror', (error) => complaints.push(String(error)));
  expect(page.url()).toBe(address);
  await page.getByRole('textbox', { name: `Message from ${CUSTOMER}` }).fill('Still there?');
  await page.keyboard.press('Enter');
  await thread().getByText('Still there?').waitFor();
  expect(streams.length).toBe(before + 1);
});

test('an answer that came while one was written is shown, and the text waits for a decision', async () => {
  await field().fill('Mine');
  await answerByKey('From elsewhere');
  await page.getByRole('alert').getByText('From elsewhere').waitFor();
  await field().press('Enter');
  expect(await field().inputValue()).toBe('Mine');
  await page.getByRole('button', { name: 'Send anyway' }).click();
  await phone().getByText('Mine', { exact: true }).waitFor();
  expect(await phone().getByText('Mine', { exact: true }).count()).toBe(1);
});

test('an answer that overtakes a reply on its way refuses it, shows what came in between, and it can be sent anyway', async () => {
  const path = '**/v1/conversations/*/messages';
  const isOnItsWay = new Promise<() => Promise<void>>((resolve) => {
    void page.route(path, (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      return resolve(() => route.continue());
    });
  });
  // What is on its way from here has not been overtaken by anybody.
  await thread().getByText('Sending', { exact: true }).first().waitFor({ state: 'detached' });
  await write('Late');
  const arrive = await isOnItsWay;
  await answerByKey('Faster');
  await arrive();
  await page.unroute(path);
  const refused = thread().getByRole('alert');
  await refused.getByText('Faster').waitFor();
  await refused.getByRole('button', { name: 'Send anyway' }).click();
  await phone().getByText('Late', { exact: true }).waitFor();
  expect(await phone().getByText('Late', { exact: true }).count()).toBe(1);
});

test('a reply is scheduled in words, listed with its time, and can be canceled', async () => {
  await field().fill('Good morning');
  await page.getByRole('button', { name: 'Send later' }).click();
  await page.getByRole('textbox', { name: 'When' }).fill('in 3 hours');
  await page.getByRole('button', { name: 'Schedule', exact: true }).click();
  await page.getByRole('button', { name: '1 scheduled reply' }).click();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('button', { name: '1 scheduled reply' }).waitFor({ state: 'detached' });
  expect(await phone().getByText('Good morning').count()).toBe(0);
});

test('what a message of the customer refers to is shown with it: an advertisement, another chat, an earlier message, a form', async () => {
  await customerSends({
    ...{ type: 'text', text: { body: 'Is it still there?' }, context: { forwarded: true } },
    referral: { source_type: 'ad', source_url: 'https://shop.example/sale', headline: 'Summer sale' },
  });
  await thread().getByText('Is it still there?').waitFor();
  await thread().getByText('Forwarded', { exact: true }).waitFor();
  await thread().getByText('From an advertisement').waitFor();
  expect(await thread().getByRole('link', { name: 'Summer sale' }).getAttribute('href')).toBe(
    'https://shop.example/sale',
  );
  const answers = {
    name: 'flow',
    body: 'Sent',
    response_json: JSON.stringify({ size: 'Medium', flow_token: 'token' }),
  };
  await customerSends({
    ...{ type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply: answers } },
    context: { id: 'wamid.FROM.LONG.AGO' },
  });
  await thread().getByRole('definition').getByText('Medium').waitFor();
  await thread().getByText('Replies to an earlier message').waitFor();
});

test('the service is killed while somebody writes and sends: nothing is lost, nothing is sent twice, and the page recovers', async () => {
  await write('Before the end');
  await write('At the end');
  await field().fill('While it is aw');
  process.kill(servicePid(), 'SIGKILL');
  await program.finished;
  await field().pressSequentially('ay');
  await page
    .getByRole('status')
    .getByText(/^Offline/)
    .first()
    .waitFor();
  await page.keyboard.press('Enter');
  await field().fill('Still being written');
  program = folder.start(STARTER, [], settings);
  await program.printed(/Ctrl-C stops/);
  const texts = ['Before the end', 'At the end', 'While it is away'];
  for (const text of texts) await phone().getByText(text, { exact: true }).waitFor();
  await page.getByRole('status').getByText('Up to date').first().waitFor();
  for (const text of texts) {
    expect(await phone().getByText(text, { exact: true }).count()).toBe(1);
    expect(await thread().getByText(text, { exact: true }).count()).toBe(1);
  }
  expect(await field().inputValue()).toBe('Still being written');
});

test('the page keeps to its policy', () => {
  // Requests that these tests cut off are reported by the browser.
  expect(complaints.filter((text) => !/ERR_|Failed to load resource/.test(text))).toEqual([]);
});

/** Somebody else answers, through the API. */
async function answerByKey(body: string): Promise<void> {
  const { origin, pathname } = new URL(page.url());
  const id = pathname.split('/').at(-1);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const url = `${origin}/v1/conversations/${id}/messages`;
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ body, force: true }) });
  expect(answer.status).toBe(202);
}

/** The customer sends a message of any kind that the network has. */
async function customerSends(message: object): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const contacts = await fetch(`${new URL(page.url()).origin}/v1/contacts?q=${encodeURIComponent(CUSTOMER)}`, {
    headers,
  });
  const [{ phone: from }] = ((await contacts.json()) as { data: [{ phone: string }] }).data;
  const network = `http://127.0.0.1:${settings.MESSAGING_SIMULATOR_PORT}/_sim/inbound`;
  const answer = await fetch(network, { method: 'POST', headers, body: JSON.stringify({ from, message }) });
  expect(answer.status).toBe(200);
}

/** The process of the service, which the data folder names. */
function servicePid(): number {
  return (JSON.parse(readFileSync(join(folder.data, 'postrider.lock'), 'utf8')) as { pid: number }).pid;
}
