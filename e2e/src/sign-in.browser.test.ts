/// <reference lib="dom" />
import { createHmac } from 'node:crypto';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, type StartedService, startService } from './console-browser.ts';
import { PATIENCE_MS } from './patience.ts';

/* Somebody sets a password and an authenticator app in a browser, and signs in with them. */
const EMAIL = 'ada@example.com';
const PASSWORD = 'seven quiet lanterns bloom';
const STEP_MS = 30_000;

let service: StartedService;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let origin: string;
let secret: string;
let recoveryCodes: readonly string[];
const complaints: string[] = [];
/** Steps whose code was used: none works twice. */
const used = new Set<number>();

beforeAll(async () => {
  service = await startService();
  const { link } = service;
  browser = await launchBrowser();
  context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  origin = new URL(link).origin;
  await page.goto(link);
  await page.waitForURL('**/inbox');
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

/** What an app shows, of a step that was not used: the one now or the one after, which counts too. */
function appCode(): string {
  const now = Math.floor(Date.now() / STEP_MS);
  const step = [now, now + 1, now - 1].find((one) => !used.has(one)) ?? now;
  used.add(step);
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 0xf) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

function fromBase32(text: string): Buffer {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...text].map((character) => alphabet.indexOf(character).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

const section = (name: string) => page.getByRole('region', { name });

async function signOut(): Promise<void> {
  await page.goto(`${origin}/account`);
  await section('Where you are signed in')
    .getByRole('button', { name: /^Sign out/ })
    .first()
    .click();
  await page.waitForURL('**/sign-in');
}

async function enterPassword(password: string): Promise<void> {
  await page.getByLabel('Email address').fill(EMAIL);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('the menu leads to the account, where an address and a password are set', async () => {
  await page.getByRole('button', { name: 'Owner' }).first().click();
  await page.getByRole('menuitem', { name: 'Account' }).click();
  await page.waitForURL('**/account');
  await section('You').getByLabel('Email address').fill(EMAIL);
  await section('You').getByRole('button', { name: 'Save' }).click();
  await section('You').getByText('Saved.').waitFor();
  const password = section('Password');
  await password.getByLabel('New password', { exact: true }).fill('Password12345');
  await password.getByLabel('New password again').fill('Password12345');
  await password.getByRole('button', { name: 'Set password' }).click();
  await password.getByText('too easy to guess').waitFor();
  await password.getByLabel('New password', { exact: true }).fill(PASSWORD);
  await password.getByRole('button', { name: 'Set password' }).click();
  await password.getByText('The two passwords differ.').waitFor();
  await password.getByLabel('New password again').fill(PASSWORD);
  await password.getByRole('button', { name: 'Set password' }).click();
  await password.getByText('The password is set.').waitFor();
});

test('the password signs its person in, and a wrong one says so', async () => {
  await signOut();
  await enterPassword('a wrong password here');
  await page.getByText('The email address or the password is wrong.').waitFor();
  expect(await page.getByLabel('Email address').inputValue()).toBe(EMAIL);
  await enterPassword(PASSWORD);
  await page.waitForURL('**/inbox');
});

test('an authenticator app is set up by a QR code, and recovery codes are shown once', async () => {
  await page.goto(`${origin}/account`);
  const app = section('Authenticator app');
  await app.getByRole('button', { name: 'Set up' }).click();
  await app.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
  secret = (await app.locator('code').innerText()).replaceAll(' ', '');
  await app.getByLabel('Code', { exact: true }).fill('000000');
  await app.getByRole('button', { name: 'Turn on' }).click();
  await app.getByText('This code is wrong').waitFor();
  await app.getByLabel('Code', { exact: true }).fill(appCode());
  await app.getByRole('button', { name: 'Turn on' }).click();
  await app.getByRole('heading', { name: 'Recovery codes' }).waitFor();
  recoveryCodes = await app.getByRole('listitem').allInnerTexts();
  expect(recoveryCodes.length).toBe(10);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    app.getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('postrider-recovery-codes.txt');
  await app.getByRole('button', { name: 'I have kept them' }).click();
  await app.getByText('10 recovery codes are left.').waitFor();
});

test('the code of the app is asked for, and lets its person in', async () => {
  await signOut();
  await enterPassword(PASSWORD);
  await page.getByText('One more step').waitFor();
  await page.getByLabel('Code', { exact: true }).fill('000000');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('This code is wrong').waitFor();
  await page.getByLabel('Code', { exact: true }).fill(appCode());
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('**/inbox');
});

test('a recovery code stands in for the app, once', async () => {
  await signOut();
  await enterPassword(PASSWORD);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('**/inbox');
  await page.goto(`${origin}/account`);
  await section('Authenticator app').getByText('9 recovery codes are left.').waitFor();
});

test('without a connection, the page says so and tries again with what was typed', async () => {
  await signOut();
  await context.setOffline(true);
  await enterPassword(PASSWORD);
  await page.getByText('You are offline').waitFor();
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('One more step').waitFor();
});

test('too many wrong codes have to wait, and the page counts the seconds', async () => {
  for (let count = 0; count < 11; count += 1) {
    if (await page.getByText('Too many attempts').isVisible()) break;
    await page.getByLabel('Code', { exact: true }).fill('000000');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText(/This code is wrong|Too many attempts/).waitFor();
  }
  await page.getByText(/You can try again in \d+:\d\d\./).waitFor();
});

test('the page keeps to its policy', () => {
  // Refusals and requests without a connection are reported by the browser too.
  const expected = /status of (401|403|409|429|400)|ERR_INTERNET_DISCONNECTED/;
  expect(complaints.filter((text) => !expected.test(text))).toEqual([]);
});
