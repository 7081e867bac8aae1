import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  CLIENT,
  type IdentityProvider,
  startIdentityProvider,
} from '../../server/src/users/testing/identity-provider.ts';
import { launchBrowser, type StartedService, startService } from './console-browser.ts';
import { PATIENCE_MS } from './patience.ts';

/* Single sign-on in a browser, at a real identity provider: an owner sets it up, and colleagues come in or are refused. */
const HEADERS = { 'postrider-client': 'test', 'sec-fetch-site': 'same-origin' };
const EMAIL = 'bela@shop.example';
const PASSWORD = 'seven quiet lanterns bloom';
/** The console is on `localhost`, the provider on the address. */
const HOSTS = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1';

let service: StartedService;
let provider: IdentityProvider;
let browser: Browser;
let owner: Page;
let origin: string;
let startUrl: string;
const complaints: string[] = [];

beforeAll(async () => {
  service = await startService({ MESSAGING_WEBHOOK_ALLOW: '127.0.0.1' });
  origin = new URL(service.link).origin;
  provider = await startIdentityProvider(`${origin}/v1/sso/callback`);
  browser = await launchBrowser({ flags: [HOSTS] });
  owner = await newPage();
  await owner.goto(service.link);
  await owner.waitForURL('**/inbox');
});
afterAll(async () => {
  await browser?.close();
  await provider?.close();
  await service?.close();
});

/** In a browser of its own: another person. */
async function newPage(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  page.on('pageerror', (error) => complaints.push(String(error)));
  return page;
}

/** Somebody at the page of sign-in who presses the button for the provider, where they are who is given. */
async function comes(account: IdentityProvider['account']): Promise<Page> {
  provider.account = account;
  const page = await newPage();
  await page.goto(`${origin}/sign-in?sso=${startUrl.split('/').at(-2)}`);
  await page.getByRole('button', { name: 'Single sign-on' }).click();
  return page;
}

const field = (name: string) => owner.getByRole('textbox', { name, exact: true });
const save = () => owner.getByRole('button', { name: 'Save', exact: true }).click();

test('an owner tests the issuer, and is told when nobody answers there', async () => {
  await owner.keyboard.press('Control+k');
  await owner.getByRole('combobox').fill('Single sign-on');
  await owner.keyboard.press('Enter');
  await owner.waitForURL('**/settings/sso');
  await field('Issuer').fill(`${provider.issuer}/elsewhere`);
  await owner.getByRole('button', { name: 'Test the issuer' }).click();
  await owner.getByText('No identity provider answered there within 5 seconds.').waitFor();
  await field('Issuer').fill(provider.issuer);
  await owner.getByRole('button', { name: 'Test the issuer' }).click();
  await owner.getByText(`The provider answers. People sign in at ${provider.issuer}/auth`).waitFor();
});

test('the connection is saved, and its secret is never shown again', async () => {
  await field('Client ID').fill(CLIENT.id);
  await owner.getByLabel('Client secret').fill(CLIENT.secret);
  await owner.getByRole('button', { name: 'Add a group' }).click();
  await field('Group 1').fill('support');
  await owner.getByLabel('People whom nobody has invited may come in').check();
  await save();
  await owner.getByText('Saved.').waitFor();
  expect(await field('Redirect address').inputValue()).toBe(`${origin}/v1/sso/callback`);
  expect(await field('Address for back-channel logout').inputValue()).toMatch(/\/v1\/sso\/[\da-f-]{36}\/logout$/);
  startUrl = await field('Where people sign in').inputValue();
  await owner.reload();
  await owner.getByText('Stored, and never shown.').waitFor();
  expect(await owner.getByLabel('Client secret').inputValue()).toBe('');
  expect(await owner.content()).not.toContain(CLIENT.secret);
});

test('the button on the page of sign-in leads by the provider to the inbox', async () => {
  const page = await comes({ sub: 'cleo', name: 'Cleo Duarte', groups: ['support'] });
  await page.waitForURL('**/inbox');
  await page.getByRole('button', { name: 'Cleo Duarte' }).first().waitFor();
  await page.context().close();
});

test('whoever is in none of the groups is refused with a sentence, and can try again', async () => {
  const page = await comes({ sub: 'dora', name: 'Dora', groups: ['sales'] });
  await page.getByText('None of your groups has access to Postrider.').waitFor();
  expect(new URL(page.url()).pathname).toBe('/sign-in');
  await page.context().close();
});

test('a colleague who signs in otherwise connects an identity on the account page', async () => {
  provider.account = { sub: 'boss', name: 'The boss', groups: ['support'] };
  // Groups would make an agent of the only owner, who stays one.
  await owner.goto(`${origin}/account`);
  await owner.getByRole('button', { name: 'Connect my identity' }).click();
  await owner.waitForURL('**/account');
  await owner.getByText('Your identity at the provider is connected.').waitFor();
});

/** Somebody with a password. */
async function makeColleague(): Promise<void> {
  const { request } = owner.context();
  const made = await request.post(`${origin}/v1/agents`, { headers: HEADERS, data: { name: 'Bela', email: EMAIL } });
  const { id } = await made.json();
  const invited = await request.post(`${origin}/v1/agents/${id}/invitation`, { headers: HEADERS });
  const page = await newPage();
  await page.goto((await invited.json()).url);
  await page.waitForURL('**/inbox');
  const options = { headers: HEADERS, data: { new_password: PASSWORD } };
  expect((await page.context().request.put(`${origin}/v1/me/password`, options)).status()).toBe(200);
  await page.context().close();
}

async function entersPassword(): Promise<Page> {
  const page = await newPage();
  await page.goto(`${origin}/sign-in`);
  await page.getByLabel('Email address').fill(EMAIL);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  return page;
}

test('as the only way in it needs an owner who can get in nevertheless, and refuses passwords with a sentence', async () => {
  await makeColleague();
  const before = await entersPassword();
  await before.waitForURL('**/inbox');
  await before.context().close();
  await owner.goto(`${origin}/settings/sso`);
  await owner.getByLabel('Single sign-on is the only way in').check();
  await owner.getByText(/stop working for this tenant/).waitFor();
  await owner.getByLabel('The owner who can still sign in another way').selectOption({ label: 'Owner' });
  await save();
  await owner.getByText('Saved.').waitFor();
  const refused = await entersPassword();
  await refused.getByText('Your team signs in with single sign-on only.').waitFor();
  expect(await refused.getByLabel('Email address').inputValue()).toBe(EMAIL);
  await refused.context().close();
});

test('a removed connection lets passwords in again, after it was said what follows', async () => {
  await owner.getByRole('button', { name: 'Remove single sign-on' }).click();
  await owner.getByText(/People sign in by other ways again/).waitFor();
  await owner.getByRole('button', { name: 'Remove it now' }).click();
  await owner.getByText('Not connected yet.').waitFor();
  const page = await entersPassword();
  await page.waitForURL('**/inbox');
  await page.context().close();
  expect(complaints).toEqual([]);
});
