import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenConsole, openConsole } from './console-browser.ts';

/* Changing many conversations in the inbox, in a browser, against what `npm start` begins. */

const CUSTOMERS = ['Ben', 'Cleo', 'Dora', 'Emil'];
let opened: OpenConsole;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  opened = await openConsole();
  ({ page } = opened);
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  await page.getByText('No open conversations').waitFor();
  for (const [place, name] of CUSTOMERS.entries()) {
    await request('POST', '/simulator/inbound', { from: `44770090080${place}`, name, text: `Hello from ${name}` });
  }
  for (const name of CUSTOMERS) await row(name).waitFor();
});
afterAll(() => opened?.close());

const list = () => page.getByRole('region', { name: 'Conversations' });
const row = (name: string) => list().getByRole('listitem').getByRole('button', { name });
const toolbar = () => page.getByRole('toolbar', { name: 'Selected conversations' });

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: an answer of the API, read as it comes
  readonly body: any;
}

/** Asks the service as the person who is signed in. */
async function request(method: string, path: string, body?: object): Promise<Answer['body']> {
  const answer: Answer = await page.evaluate(
    async (asked) => {
      const headers = { 'content-type': 'application/json', 'postrider-client': 'test' };
      const sent = asked.body === undefined ? {} : { body: JSON.stringify(asked.body) };
      const got = await fetch(asked.path, { method: asked.method, headers, ...sent });
      const text = await got.text();
      return { status: got.status, body: text === '' ? null : JSON.parse(text) };
    },
    { method, path, body },
  );
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
}

const conversations = async () =>
  (await request('GET', '/v1/conversations?limit=100')).data as readonly {
    readonly id: string;
    readonly status: string;
    readonly priority: string;
    readonly tags: readonly string[];
    readonly contact: { readonly name: string };
  }[];

async function command(name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'What do you want to do?' }).fill(name);
  await page.keyboard.press('Enter');
}

async function more(name: string): Promise<void> {
  await toolbar().getByRole('button', { name: 'More changes' }).click();
  await page.getByRole('menuitem', { name }).click();
}

test('two that are selected are changed together, and nobody else', async () => {
  await row('Ben').click({ modifiers: ['Control'] });
  await row('Cleo').click({ modifiers: ['Control'] });
  await toolbar().getByText('2 selected').waitFor();
  await more('Set priority: Urgent');
  await list().getByText('2 changed').waitFor();
  const urgent = (await conversations()).filter(({ priority }) => priority === 'urgent');
  expect(urgent.map(({ contact }) => contact.name).toSorted()).toEqual(['Ben', 'Cleo']);
});

test('tags are added by a form, which says nothing until there is one', async () => {
  await row('Dora').click({ modifiers: ['Control'] });
  await more('Change tags');
  const apply = page.getByRole('dialog').getByRole('button', { name: 'Apply' });
  expect(await apply.isDisabled()).toBe(true);
  await page.getByRole('dialog').getByLabel('Add tags').fill('parcel, late , parcel');
  await apply.click();
  await list().getByText('1 changed').waitFor();
  const [dora] = (await conversations()).filter(({ contact }) => contact.name === 'Dora');
  expect(dora?.tags).toEqual(['parcel', 'late']);
});

test('the whole view is counted, changed and undone, and what somebody changed since is left, with the reason', async () => {
  await command('select all in this view');
  await toolbar().getByText('All 4 in this view').waitFor();
  await toolbar().getByRole('button', { name: 'Resolve the selected' }).click();
  await list().getByText('4 changed').waitFor();
  await page.getByText('No open conversations').waitFor();
  const [ben] = (await conversations()).filter(({ contact }) => contact.name === 'Ben');
  await request('POST', `/v1/conversations/${ben?.id}/reopen`);
  await row('Ben').waitFor();
  await list().getByRole('button', { name: 'Undo' }).click();
  await list().getByText('3 put back').waitFor();
  for (const name of CUSTOMERS) await row(name).waitFor();
  await list().getByRole('button', { name: '1 was left' }).click();
  const left = page.getByRole('dialog', { name: '1 conversation was left' });
  await left.getByText('Its status has been changed since.').waitFor();
  await left.getByRole('button', { name: 'Ben' }).click();
  await page.waitForURL(`**/inbox/${ben?.id}`);
});

test('a change that goes on is shown again after the page was loaded anew, and followed to its end', async () => {
  await page.goto(new URL('/inbox', page.url()).href);
  await row('Emil').click({ modifiers: ['Control'] });
  await more('Set priority: High');
  await list().getByText('1 changed').waitFor();
  const { data } = await request('GET', '/v1/bulk-changes?limit=1');
  // It is as if the service had not come to it yet: for a single conversation it is too fast to be seen.
  const running = { ...data[0], status: 'running', waiting: 1, changed: 0, undo_until: null, finished_at: null };
  const open = (url: URL) => url.pathname === '/v1/bulk-changes' && url.searchParams.get('open') === 'true';
  const one = `**/v1/bulk-changes/${running.id}`;
  await page.route(open, (route) => route.fulfill({ json: { data: [running], page: { has_more: false } } }));
  await page.route(one, (route) => route.fulfill({ json: running }));
  await page.reload();
  await list().getByText('Changing 0 of 1').waitFor();
  await list().getByRole('button', { name: 'Cancel' }).waitFor();
  await page.unroute(one);
  await list().getByText('1 changed').waitFor();
  await page.unroute(open);
  await list().getByRole('button', { name: 'Undo' }).waitFor();
});

test('a number that is no longer true changes nothing, and the new one is shown', async () => {
  await command('select all in this view');
  await toolbar().getByText('All 4 in this view').waitFor();
  await request('POST', '/simulator/inbound', { from: '447700900899', name: 'Fay', text: 'One more' });
  await row('Fay').waitFor();
  await toolbar().getByRole('button', { name: 'Resolve the selected' }).click();
  await list().getByRole('alert').getByText('5 conversations match now, and you expected 4.').waitFor();
  await toolbar().getByText('All 5 in this view').waitFor();
  expect((await conversations()).filter(({ status }) => status === 'resolved')).toEqual([]);
  await toolbar().getByRole('button', { name: 'Clear the selection' }).click();
  expect(await toolbar().count()).toBe(0);
  // The browser reports what the service refuses.
  expect(complaints.filter((text) => !/\b409\b/.test(text))).toEqual([]);
});

test('of the rows that keys pass quickly, only the last is opened and enters the address', async () => {
  await page.goto(new URL('/inbox', page.url()).href);
  for (const name of CUSTOMERS) await row(name).waitFor();
  const asked: string[] = [];
  page.on('request', (one) => asked.push(one.url()));
  // Nobody rests anywhere while no time passes.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 10_000);
  const all = await conversations();
  const passed: string[] = [];
  for (const _ of CUSTOMERS) {
    const before = (await marked().allInnerTexts())[0] ?? '';
    await page.keyboard.press('j');
    await marked()
      .filter({ hasNotText: before === '' ? 'nobody' : nameIn(before, all) })
      .waitFor();
    await page.evaluate(drawEverything);
    passed.push(nameIn(await marked().innerText(), all));
  }
  const ids = passed.map((name) => all.find(({ contact }) => contact.name === name)?.id ?? '');
  const opened = () => ids.filter((id) => asked.some((url) => url.includes(`/v1/conversations/${id}/messages`)));
  expect(opened()).toEqual(ids.slice(0, 1));
  expect(new URL(page.url()).pathname).toBe('/inbox');
  await page.clock.resume();
  await page.waitForURL(`**/inbox/${ids.at(-1)}`);
  await page.getByRole('heading', { name: passed.at(-1) ?? '', exact: true }).waitFor();
  expect(opened()).toEqual([ids[0], ids.at(-1)]);
});

const marked = () => list().locator('[aria-current=true]');

const nameIn = (text: string, all: readonly { readonly contact: { readonly name: string } }[]): string =>
  all.find(({ contact }) => text.includes(contact.name))?.contact.name ?? '';

/** Lets the page do what waits for no time. */
async function drawEverything(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) {
    await new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = resolve;
      port2.postMessage(null);
    });
  }
}
