import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CUSTOMER, type OpenConsole, openConsole } from './console-browser.ts';

/* Answers that are prepared or proposed, in a browser, against what `npm start` begins. */

const PDF = '%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n';
let opened: OpenConsole;
let page: Page;
let conversationId: string;
const complaints: string[] = [];

beforeAll(async () => {
  opened = await openConsole();
  ({ page } = opened);
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  await page.getByRole('textbox', { name: `Message from ${CUSTOMER}` }).fill('What are your terms?');
  await page.keyboard.press('Enter');
  await page.getByRole('list', { name: 'All open' }).getByRole('button', { name: CUSTOMER }).click();
  await thread().getByText('What are your terms?').waitFor();
  conversationId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
});
afterAll(() => opened?.close());

const thread = () => page.getByRole('log', { name: 'Messages' });
const phone = () => page.getByRole('log', { name: 'Customer’s phone' });
const field = () => page.getByRole('textbox', { name: `Reply to ${CUSTOMER}` });
const offer = () => page.getByRole('region', { name: 'Suggested answer' });

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  /** A file to upload instead of a body. */
  readonly file?: { readonly name: string; readonly text: string };
}

/** Asks the service as the person who is signed in. */
// biome-ignore lint/suspicious/noExplicitAny: an answer of the API, read as it comes
async function request(asked: Asked): Promise<any> {
  const answer = await page.evaluate(async ({ method, path, body, file }) => {
    const headers: Record<string, string> = { 'postrider-client': 'test' };
    let sent: BodyInit | null = null;
    if (file !== undefined) {
      sent = new FormData();
      sent.append('file', new File([file.text], file.name));
    } else if (body !== undefined) {
      headers['content-type'] = 'application/json';
      sent = JSON.stringify(body);
    }
    const got = await fetch(path, { method, headers, body: sent });
    return { status: got.status, body: await got.json() };
  }, asked);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
}

const suggest = (body: string) =>
  request({ method: 'POST', path: `/v1/conversations/${conversationId}/suggestions`, body: { body } });

test('a canned reply asks for what it does not know, brings its file, is sent with it, and counts as used', async () => {
  const uploaded = await request({ method: 'POST', path: '/v1/media', file: { name: 'terms.pdf', text: PDF } });
  const text = 'Hello {{contact.name|there}}, here are the terms of {{?year}}.';
  const fields = { shortcut: 'terms', text, media_ids: [uploaded.media_id] };
  const { id } = await request({ method: 'POST', path: '/v1/canned-replies', body: fields });
  await field().fill('/terms');
  await page.getByRole('option', { name: /terms/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'year' }).fill('2030');
  await page.getByRole('button', { name: 'Insert' }).click();
  await page.getByRole('list', { name: 'Attached files' }).getByText('terms.pdf').waitFor();
  expect(await field().inputValue()).toBe(`Hello ${CUSTOMER}, here are the terms of 2030.`);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await phone().getByText(`Hello ${CUSTOMER}, here are the terms of 2030.`).waitFor();
  await thread().getByRole('link', { name: 'terms.pdf' }).waitFor();
  expect((await request({ method: 'GET', path: `/v1/canned-replies/${id}` })).use_count).toBe(1);
});

test('a suggested answer is taken over into the field, below what is written there, and only sent by a person', async () => {
  const { id } = await suggest('It leaves today.');
  await offer().getByText('It leaves today.').waitFor();
  await field().fill('One moment.');
  await offer().getByRole('button', { name: 'Use' }).click();
  await offer().waitFor({ state: 'detached' });
  expect(await field().inputValue()).toBe('One moment.\n\nIt leaves today.');
  expect(await phone().getByText('It leaves today.').count()).toBe(0);
  await page.keyboard.press('Enter');
  await phone().getByText('It leaves today.').waitFor();
  const { data } = await request({ method: 'GET', path: `/v1/conversations/${conversationId}/suggestions` });
  expect(data[0]).toMatchObject({ id, status: 'taken' });
});

test('one that is discarded makes room for the next', async () => {
  await suggest('The older one.');
  await suggest('The newer one.');
  await offer().getByText('The newer one.').waitFor();
  await offer().getByText('1 more').waitFor();
  await offer().getByRole('button', { name: 'Discard' }).click();
  await offer().getByText('The older one.').waitFor();
  expect(await field().inputValue()).toBe('');
  expect(complaints).toEqual([]);
});
