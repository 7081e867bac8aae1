import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CUSTOMER, launchBrowser, type StartedService, startService } from './console-browser.ts';
import { PATIENCE_MS } from './patience.ts';

/* Views in the inbox, in a browser, against what `npm start` begins. */

let service: StartedService;
let browser: Browser;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  service = await startService();
  const { link } = service;
  browser = await launchBrowser();
  page = await browser.newPage({ viewport: { width: 1600, height: 900 } });
  page.setDefaultTimeout(PATIENCE_MS);
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  await page.goto(link);
  await page.waitForURL('**/inbox');
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

const views = () => page.getByRole('region', { name: 'Views' });
const dialog = () => page.getByRole('dialog');

async function command(name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'What do you want to do?' }).fill(name);
  await page.keyboard.press('Enter');
}

test('a view is saved, shown at once, and is where its address leads', async () => {
  await page.getByText('No open conversations').waitFor();
  await page.getByRole('button', { name: 'Save a view' }).click();
  await dialog().getByLabel('Name').fill('Mine, waiting');
  await dialog().getByLabel('Assigned to').selectOption({ label: 'The person viewing' });
  await dialog().getByLabel('Waiting for an answer').check();
  await dialog().getByRole('button', { name: 'Save' }).click();
  await views().getByRole('button', { name: 'Mine, waiting', exact: true }).waitFor();
  await page.getByText('No conversation matches this view at present.').waitFor();
  expect(page.url()).toContain('view=');
  await page.reload();
  await page.getByRole('heading', { name: 'Mine, waiting' }).waitFor();
});

test('conversations enter and leave it with the events that change them, and it is counted', async () => {
  await page.getByRole('textbox', { name: `Message from ${CUSTOMER}` }).fill('Where is my parcel?');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^All open/ }).click();
  await page.getByRole('list', { name: 'All open' }).getByRole('button', { name: CUSTOMER }).click();
  await page.getByRole('log', { name: 'Messages' }).getByText('Where is my parcel?').waitFor();
  await command('assign to me');
  await views().getByRole('button', { name: 'Mine, waiting 1' }).click();
  await page.getByRole('list', { name: 'Mine, waiting' }).getByRole('button', { name: CUSTOMER }).click();
  await page.getByRole('textbox', { name: `Reply to ${CUSTOMER}` }).fill('It left this morning.');
  await page.keyboard.press('Enter');
  await page.getByText('No conversation matches this view at present.').waitFor();
});

test('it is changed and shared by command, a name that is taken is said, and nothing is lost', async () => {
  await command('edit view');
  await dialog().getByLabel('Name').fill('Ours');
  await dialog().getByLabel('Waiting for an answer').uncheck();
  await dialog().getByLabel('Everybody sees it').check();
  await dialog().getByRole('button', { name: 'Save' }).click();
  await page.getByRole('list', { name: 'Ours' }).getByRole('button', { name: CUSTOMER }).waitFor();
  await command('save a view');
  await dialog().getByLabel('Name').fill('ours');
  await dialog().getByLabel('Everybody sees it').check();
  await dialog().getByRole('button', { name: 'Save' }).click();
  await dialog().getByRole('alert').getByText('Another view has the name ours.').waitFor();
  await dialog().getByRole('button', { name: 'Cancel' }).click();
});

test('what is selected is changed together, and undone', async () => {
  await page.keyboard.press('j');
  await page.getByRole('log', { name: 'Messages' }).waitFor();
  await page.keyboard.press('x');
  await page.getByRole('toolbar', { name: 'Selected conversations' }).getByText('1 selected').waitFor();
  await page.getByRole('button', { name: 'Resolve the selected' }).click();
  await page.getByText('No conversation matches this view at present.').waitFor();
  await page.getByText('1 changed').waitFor();
  await page.getByRole('region', { name: 'Conversations' }).getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('list', { name: 'Ours' }).getByRole('button', { name: CUSTOMER }).waitFor();
});

test('a deleted view is gone, and the inbox shows what is open', async () => {
  await command('delete view');
  await page.getByRole('heading', { name: 'All open' }).waitFor();
  expect(await views().getByRole('button', { name: 'Ours', exact: true }).count()).toBe(0);
  // The browser reports what the service refuses.
  expect(complaints.filter((text) => !/\b409\b/.test(text))).toEqual([]);
});
