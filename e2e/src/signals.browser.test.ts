import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CUSTOMER, launchBrowser, type StartedService, startService } from './console-browser.ts';
import { PATIENCE_MS } from './patience.ts';

/* Two people in two browsers, in the same conversation at the same time. */
const SCREEN = { width: 1600, height: 900 };

let service: StartedService;
let browser: Browser;
let owner: Page;
let ben: Page;

beforeAll(async () => {
  service = await startService();
  const { link } = service;
  browser = await launchBrowser();
  owner = await signIn(link);
  ben = await signIn(await invitation(owner.context(), new URL(link).origin));
  await owner.getByRole('textbox', { name: `Message from ${CUSTOMER}` }).fill('Where is my parcel?');
  await owner.keyboard.press('Enter');
  await row(owner).waitFor();
  await row(ben).waitFor();
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

async function signIn(link: string): Promise<Page> {
  const context = await browser.newContext({ viewport: SCREEN });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(link);
  await page.waitForURL('**/inbox');
  return page;
}

/** A link with which a second person signs in, as the agent Ben. */
async function invitation({ request }: BrowserContext, origin: string): Promise<string> {
  const headers = { 'postrider-client': 'test', 'sec-fetch-site': 'same-origin' };
  const post = async (path: string, data: object) =>
    (await request.post(`${origin}/v1/agents${path}`, { headers, data })).json();
  const { id } = await post('', { name: 'Ben', role: 'agent' });
  const { url } = await post(`/${id}/invitation`, {});
  return url;
}

const row = (page: Page) => page.getByRole('list', { name: 'All open' }).getByRole('button', { name: CUSTOMER });
const field = (page: Page) => page.getByRole('textbox', { name: `Reply to ${CUSTOMER}` });
const thread = (page: Page) => page.getByRole('log', { name: 'Messages' });

test('who looks at a conversation is shown in the list of colleagues, and not to themselves', async () => {
  await row(owner).click();
  await thread(owner).getByText('Where is my parcel?').waitFor();
  await row(ben).getByRole('img', { name: 'Owner is looking' }).waitFor();
  expect(await owner.getByText('Owner is looking').count()).toBe(0);
});

test('who writes is shown above the thread and above the composer', async () => {
  await row(ben).click();
  await ben.getByText('Owner is looking').waitFor();
  // Both from the beginning: it is shown for a few seconds.
  const shown = [ben.getByRole('status'), ben.locator('main header')].map((place) =>
    place.getByText('Owner is writing').waitFor(),
  );
  await field(owner).fill('It left');
  await Promise.all(shown);
});

test('two answers at once are both sent and seen by both, and nobody is said to write any more', async () => {
  await field(owner).fill('It left this morning.');
  const shown = owner.getByRole('status').getByText('Ben is writing').waitFor();
  await field(ben).fill('It arrives tomorrow.');
  await shown;
  // Whoever comes second is shown what came between, keeps the text, and sends it anyway.
  let isSent = false;
  const insist = async (page: Page) => {
    const anyway = page.getByRole('button', { name: 'Send anyway' }).first();
    while (!isSent) await anyway.click({ timeout: 1_000 }).catch(() => undefined);
  };
  const insisting = [insist(owner), insist(ben)];
  await Promise.all([field(owner).press('Enter'), field(ben).press('Enter')]);
  for (const page of [owner, ben]) {
    for (const text of ['It left this morning.', 'It arrives tomorrow.']) {
      await thread(page).getByText(text).waitFor();
      expect(await thread(page).getByText(text).count()).toBe(1);
    }
  }
  isSent = true;
  await Promise.all(insisting);
  for (const page of [owner, ben]) {
    await page.getByRole('status').getByText('is writing').waitFor({ state: 'hidden' });
  }
});

test('a colleague who is mentioned in a note is notified, and finds the conversation from there', async () => {
  await owner.keyboard.press('Escape');
  await owner.getByRole('tab', { name: 'Note' }).click();
  const note = owner.getByRole('textbox', { name: `Note about ${CUSTOMER}` });
  await note.pressSequentially('Please call her, @be');
  await owner.getByRole('option', { name: 'Ben' }).waitFor();
  await note.press('Enter');
  await note.press('Enter');
  await thread(owner).getByText('Please call her, @Ben').waitFor();
  await ben.getByRole('button', { name: 'Notifications: 1 unread' }).click();
  await ben
    .getByRole('dialog')
    .getByRole('button', { name: `Owner mentioned you in a note about ${CUSTOMER}` })
    .click();
  await ben.getByRole('button', { name: 'Notifications: 0 unread' }).waitFor();
  await thread(ben).getByText('Please call her, @Ben').waitFor();
  expect(await owner.getByRole('button', { name: 'Notifications: 0 unread' }).count()).toBe(1);
});

test('what somebody is notified of is chosen in the preferences, and kept', async () => {
  await ben.getByRole('button', { name: 'Notifications: 0 unread' }).click();
  await ben.getByRole('button', { name: 'Notification preferences' }).click();
  const mentions = ben.getByRole('checkbox', { name: 'Somebody mentions me in a note: In the list' });
  expect(await mentions.isChecked()).toBe(true);
  const saved = ben.waitForResponse(
    (answer) => answer.url().endsWith('/v1/me') && answer.request().method() === 'PATCH',
  );
  await mentions.click();
  expect((await saved).status()).toBe(200);
  await ben.reload();
  await ben.getByRole('button', { name: 'Notifications: 0 unread' }).click();
  await ben.getByRole('button', { name: 'Notification preferences' }).click();
  await mentions.waitFor();
  expect(await mentions.isChecked()).toBe(false);
  await ben.keyboard.press('Escape');
});

test('whose page is gone is no longer shown soon after', async () => {
  await owner.getByText('Ben is looking').first().waitFor();
  await ben.close();
  await owner.locator('main header').getByText('Ben is looking').waitFor({ state: 'hidden' });
});
