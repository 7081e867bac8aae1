/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Simulator, startSimulator } from '@postrider/simulator/simulator';
import type { AxeResults } from 'axe-core';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from './console-browser.ts';
import { PATIENCE_MS } from './patience.ts';

/* The simulator's page with the phones of all customers, in a browser. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const NUMBER = '100000000000001';
const ADA = '15550002222';
const SCREEN = { width: 1200, height: 1600 };
const TELEPHONE = { width: 390, height: 844 };

let sim: Simulator;
let browser: Browser;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  sim = await startSimulator({ callbackUrl: null, numbers: [NUMBER], demoTemplate: true });
  browser = await launchBrowser({ host: '127.0.0.1' });
  page = await browser.newPage({ viewport: SCREEN });
  page.setDefaultTimeout(PATIENCE_MS);
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  await control('/_sim/inbound', { from: ADA, name: 'Ada Obi', text: 'Is *this* left? https://shop.example/roses' });
  await page.goto(sim.url);
  await page.getByRole('button', { name: 'Ada Obi' }).click();
});
afterAll(async () => {
  await browser?.close();
  await sim?.close();
});

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
async function post(path: string, body: object): Promise<any> {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer any' };
  const answer = await fetch(sim.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const said = await answer.json();
  if (!answer.ok) throw new Error(JSON.stringify(said));
  return said;
}

const control = (path: string, body: object) => post(path, { phone_number_id: NUMBER, ...body });

/** The business sends. @returns the id of the message */
async function send(message: object): Promise<string> {
  const { messages } = await post(`/v23.0/${NUMBER}/messages`, { messaging_product: 'whatsapp', to: ADA, ...message });
  return messages[0].id;
}

const bubble = (words: string): Locator => page.locator('.bubble', { hasText: words });
const thread = () => page.getByRole('log', { name: 'Messages' });

/** What the customer wrote last, as the network reports it. */
// biome-ignore lint/suspicious/noExplicitAny: messages of many shapes
async function lastWritten(): Promise<any> {
  const answer = await fetch(`${sim.url}/_sim/phone?peer=${ADA}`);
  const { data } = (await answer.json()) as { data: { direction: string; message: object }[] };
  return data.findLast(({ direction }) => direction === 'written')?.message;
}

test('a text is formatted, its links can be followed, and its ticks turn when the business has read it', async () => {
  const written = bubble('Is this left?');
  expect(await written.locator('b').innerText()).toBe('this');
  expect(await written.getByRole('link').getAttribute('href')).toBe('https://shop.example/roses');
  await written.getByRole('img', { name: 'Delivered' }).waitFor();
  const { id } = await lastWritten();
  await post(`/v23.0/${NUMBER}/messages`, { messaging_product: 'whatsapp', status: 'read', message_id: id });
  await written.getByRole('img', { name: 'Read by the business' }).waitFor();
});

test('a list is behind its button, and the row that is chosen goes to the business', async () => {
  const rows = [{ id: 'red', title: 'Red roses', description: '12 stems' }];
  const action = { button: 'See bouquets', sections: [{ title: 'Roses', rows }] };
  const id = await send({ type: 'interactive', interactive: { type: 'list', body: { text: 'Choose' }, action } });
  expect(await page.getByText('12 stems').count()).toBe(0);
  await page.getByRole('button', { name: 'See bouquets' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Red roses' }).click();
  await bubble('Red roses').waitFor();
  const reply = { type: 'list_reply', list_reply: { id: 'red', title: 'Red roses', description: '12 stems' } };
  expect(await lastWritten()).toMatchObject({ interactive: reply, context: { id } });
});

test('a template has its text and its buttons, and a tap on one goes to the business', async () => {
  const buttons = [
    { type: 'QUICK_REPLY', text: 'Not now' },
    { type: 'URL', text: 'Track', url: 'https://shop.example/t/{{1}}', example: ['https://shop.example/t/1'] },
  ];
  const body = { type: 'BODY', text: 'Your order {{1}} is on its way.', example: { body_text: [['A-1']] } };
  const components = [body, { type: 'BUTTONS', buttons }];
  const [{ waba_id: account }] = (await (await fetch(`${sim.url}/_sim/numbers`)).json()).data;
  const named = { name: 'on_its_way', language: 'en' };
  const { id } = await post(`/v23.0/${account}/message_templates`, { ...named, category: 'UTILITY', components });
  await post('/_sim/templates', { id, status: 'APPROVED' });
  const values = [{ type: 'text', text: 'A-17' }];
  const sent = [
    { type: 'body', parameters: values },
    { type: 'button', sub_type: 'url', index: '1', parameters: values },
  ];
  await send({ type: 'template', template: { name: named.name, language: { code: 'en' }, components: sent } });
  const shown = bubble('Your order A-17 is on its way.');
  expect(await shown.getByRole('link', { name: 'Track' }).getAttribute('href')).toBe('https://shop.example/t/A-17');
  await shown.getByRole('button', { name: 'Not now' }).click();
  await page.locator('.bubble.written', { hasText: 'Not now' }).waitFor();
  expect(await lastWritten()).toMatchObject({ type: 'button', button: { text: 'Not now' } });
});

test('a reaction, a reply, a place and a picture go from the phone to the business', async () => {
  const id = await send({ type: 'text', text: { body: 'Shall I keep them?' } });
  const asked = bubble('Shall I keep them?').filter({ hasNot: page.locator('.quote') });
  await asked.getByRole('button', { name: 'React with 👍' }).click();
  await asked.locator('.reactions').getByText('👍').waitFor();
  expect(await lastWritten()).toMatchObject({ reaction: { message_id: id, emoji: '👍' } });
  await asked.getByRole('button', { name: 'Reply' }).click();
  await page.getByRole('textbox', { name: 'Write as this customer' }).fill('Please do');
  await page.keyboard.press('Enter');
  await bubble('Please do').locator('.quote').getByText('Shall I keep them?').waitFor();
  expect(await lastWritten()).toMatchObject({ text: { body: 'Please do' }, context: { id } });
  await page.locator('#attach summary').click();
  await page.getByRole('button', { name: 'Location' }).click();
  await bubble('Alexanderplatz').waitFor();
  expect(await lastWritten()).toMatchObject({ type: 'location' });
  const bytes = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  await page.locator('#chosen').setInputFiles({ name: 'vase.png', mimeType: 'image/png', buffer: bytes });
  await thread()
    .getByRole('img', { name: /vase\.png|image\/png/ })
    .waitFor();
  expect(await lastWritten()).toMatchObject({ type: 'image' });
});

test('what the business writes on its own phone, calls, edits and deletions stand in the thread', async () => {
  await control('/_sim/echo', { to: ADA, text: 'From my pocket' });
  await bubble('From my pocket').getByText("from the business's phone").waitFor();
  await page.locator('#calls summary').click();
  await page.getByRole('button', { name: 'and nobody answers' }).click();
  await bubble('Call, nobody answered').waitFor();
  const { id } = await control('/_sim/inbound', { from: ADA, text: 'Wrong chat' });
  await bubble('Wrong chat').waitFor();
  await control('/_sim/inbound', { from: ADA, message: { type: 'revoke', revoke: { original_message_id: id } } });
  await bubble('This message was deleted.').waitFor();
  expect(await bubble('Wrong chat').count()).toBe(0);
});

test.each([
  ['somebody who hides their number', 'US.13491208655302741918', 'I hide'],
  ['somebody in a group', '15550003333', 'in the group Neighbours'],
])('%s can write first', async (kind, from, shown) => {
  const form = page.locator('#new-customer');
  if (!(await form.getAttribute('open').then((open) => open !== null))) await form.locator('summary').click();
  await form.getByRole('combobox').selectOption({ label: kind });
  await form.locator('input[name=from]').fill(from);
  await form.locator('input[name=text]').fill('I hide');
  await form.getByRole('button', { name: 'Write to the business' }).click();
  await thread().getByText(shown).waitFor();
});

test('a number that is none is refused with a sentence', async () => {
  const form = page.locator('#new-customer');
  await form.getByRole('combobox').selectOption({ label: 'somebody with a phone number' });
  await form.locator('input[name=from]').fill('12');
  await form.locator('input[name=text]').fill('Hello');
  await form.getByRole('button', { name: 'Write to the business' }).click();
  await form.getByText('"from" must be a phone number of 7 to 15 digits.').waitFor();
});

test.each([
  ['light', SCREEN],
  ['dark', SCREEN],
  ['light', TELEPHONE],
  ['dark', TELEPHONE],
] as const)('%s at %j has no fault that axe finds, and nothing is wider than the screen', async (colorScheme, size) => {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize(size);
  await page.goto(`${sim.url}/?peer=${ADA}`);
  await bubble('Please do').waitFor();
  await page.evaluate(axeSource);
  const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(size.width);
});

test('its console reports no error', () => {
  // Except for the request that was refused.
  expect(complaints.filter((words) => !words.includes('400'))).toEqual([]);
});
