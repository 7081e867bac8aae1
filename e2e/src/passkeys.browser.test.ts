/// <reference lib="dom" />

import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, type StartedService, startService } from './console-browser.ts';
import { PATIENCE_MS } from './patience.ts';

/* A person adds a passkey and signs in with it, in a browser whose authenticator is Chromium's virtual one. */

let service: StartedService;
let browser: Browser;
let page: Page;
let devtools: CDPSession;
let link: string;
const complaints: string[] = [];

beforeAll(async () => {
  service = await startService();
  link = service.link;
  browser = await launchBrowser();
  page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

const passkeys = () => page.getByRole('list', { name: 'Passkeys' });
const signOut = () => page.context().clearCookies();
const address = (path: string) => new URL(path, link).href;

test('a person adds a passkey to their account, and renames it', async () => {
  await page.goto(link);
  await page.waitForURL('**/inbox');
  await page.goto(address('/account'));
  await page.getByText('You have no passkey yet.').waitFor();
  await page.getByRole('textbox', { name: 'Name of the new passkey' }).fill('This machine');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await passkeys().getByText('This machine').waitFor();
  await page.getByRole('button', { name: 'Rename This machine' }).click();
  await page.getByRole('textbox', { name: 'Name of the passkey' }).fill('Desk');
  await page.keyboard.press('Enter');
  await passkeys().getByText('Desk').waitFor();
});

test('a device that has a passkey for the person does not make another one', async () => {
  await page.getByRole('textbox', { name: 'Name of the new passkey' }).fill('Again');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByText('No passkey was added').waitFor();
  expect(await passkeys().getByRole('listitem').count()).toBe(1);
});

test('the passkey signs the person in, without a name to type', async () => {
  await signOut();
  await page.goto(address('/sign-in'));
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.waitForURL('**/inbox');
  await page.goto(address('/account'));
  await passkeys().getByText('Last used').waitFor();
});

test('a passkey that was removed signs nobody in, and the page says so', async () => {
  await page.getByRole('button', { name: 'Remove Desk' }).click();
  await page.getByRole('button', { name: 'Remove it' }).click();
  await page.getByText('You have no passkey yet.').waitFor();
  await signOut();
  await page.goto(address('/sign-in'));
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByText('This passkey was not accepted').waitFor();
});

test('a page that cannot reach the service says so', async () => {
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByText('The service does not answer').waitFor();
  await page.context().setOffline(false);
});

test('the page keeps to its policy', () => {
  // Requests that were refused or cut off on purpose are reported by the browser.
  expect(complaints.filter((text) => !/status of 401|ERR_INTERNET_DISCONNECTED/.test(text))).toEqual([]);
});
