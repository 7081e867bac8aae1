import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, type StartedService, startService } from './console-browser.ts';
import { PATIENCE_MS } from './patience.ts';

/* The page of the team, in a browser: an owner adds a person, who signs in with the link. TEST_BROWSER names a Chromium. */
const PERSON = 'Bela Costa';

let service: StartedService;
let browser: Browser;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  service = await startService();
  const { link } = service;
  browser = await launchBrowser();
  page = await newPage();
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(link);
  await page.waitForURL('**/inbox');
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

/** In a browser of its own: another person. */
async function newPage(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const opened = await context.newPage();
  opened.setDefaultTimeout(PATIENCE_MS);
  return opened;
}

const people = () => page.getByRole('list', { name: 'Team', exact: true });
let invitation = '';

test('the palette leads to the team, where a person is added and gets a link', async () => {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('Team');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/settings/team');
  await page.getByRole('button', { name: 'Add a person' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(PERSON);
  await page.getByRole('button', { name: 'Add and invite' }).click();
  invitation = await page.getByRole('textbox', { name: 'Invitation link' }).inputValue();
  expect(invitation).toContain('/sign-in#token=');
  await page.keyboard.press('Escape');
  await people().getByText(PERSON).waitFor();
});

test('a role is changed where it is shown, and stays', async () => {
  const role = page.getByRole('combobox', { name: `Role of ${PERSON}` });
  const changed = page.waitForResponse((response) => response.request().method() === 'PATCH');
  await role.selectOption('admin');
  expect((await changed).status()).toBe(200);
  await page.reload();
  await people().getByText(PERSON).waitFor();
  expect(await role.inputValue()).toBe('admin');
  const changedBack = page.waitForResponse((response) => response.request().method() === 'PATCH');
  await role.selectOption('agent');
  expect((await changedBack).status()).toBe(200);
});

test('the person signs in with the link, and sees the team without being able to change it', async () => {
  const theirs = await newPage();
  await theirs.goto(invitation);
  await theirs.waitForURL('**/inbox');
  await theirs.goto(new URL('/settings/team', invitation).href);
  await theirs.getByText('Your role does not allow changes here.').waitFor();
  expect(await theirs.getByRole('button', { name: 'Add a person' }).count()).toBe(0);
  await theirs.context().close();
});

test('a removed person is gone from the list, after it was said what goes with them', async () => {
  await page.getByRole('button', { name: `Actions: ${PERSON}` }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/signed out everywhere/).waitFor();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await people().getByText(PERSON).waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});

test('a team of more than 200 people is shown step by step, and anybody is found by name', async () => {
  const made = await page.evaluate(async (count) => {
    const headers = { 'postrider-client': 'test', 'content-type': 'application/json' };
    const add = (place: number) => {
      const person = { name: `Person ${String(place).padStart(3, '0')}`, email: `person-${place}@shop.example` };
      return fetch('/v1/agents', { method: 'POST', headers, body: JSON.stringify(person) });
    };
    const statuses = new Set<number>();
    for (let place = 0; place < count; place += 1) statuses.add((await add(place)).status);
    return [...statuses];
  }, 210);
  expect(made).toEqual([201]);
  await page.reload();
  await people().getByText('Person 209').waitFor();
  expect(await people().getByRole('listitem').count()).toBe(50);
  await page.getByRole('button', { name: 'Show 50 more' }).click();
  await people().getByText('Person 110').waitFor();
  const find = page.getByRole('searchbox', { name: 'Find by name or email address' });
  await find.fill('PERSON-7@');
  await people().getByText('Person 007').waitFor();
  expect(await people().getByRole('listitem').count()).toBe(1);
  await page.getByText('1 person found').waitFor();
  await find.fill('nobody of this name');
  await page.getByText('Nobody is called that').waitFor();
  await find.fill('');
  await page.getByRole('combobox', { name: 'Who is shown' }).selectOption({ label: 'Owner' });
  await people().getByText('Owner', { exact: true }).first().waitFor();
  expect(await people().getByRole('listitem').count()).toBe(1);
  await page.getByRole('combobox', { name: 'Who is shown' }).selectOption({ label: 'Everybody' });
});

test('a refusal for an old sign-in leads to signing in again', async () => {
  await page.route('**/v1/agents/*/invitation', (route) =>
    route.fulfill({
      status: 403,
      contentType: 'application/json',
      body: JSON.stringify({ error: 'Sign in again.', code: 'sign_in_again' }),
    }),
  );
  await people()
    .getByRole('button', { name: /^Actions/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Invite' }).click();
  await page.getByRole('button', { name: 'Sign in again' }).click();
  await page.waitForURL('**/sign-in*');
});
