/// <reference lib="dom" />

import { join } from 'node:path';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillDataFolder } from './data-folder.ts';
import { freePort, type Program, root } from './postrider-process.ts';
import { ProgramFolder } from './program-folder.ts';

/* A person adds a passkey and signs in with it, in a browser whose authenticator is Chromium's virtual one. */
const STARTER = join(root, 'scripts', 'start.mjs');
/** Nothing is drawn slower than this, on the slowest machine. */
const PATIENCE_MS = 120_000;

let folder: ProgramFolder;
let program: Program;
let browser: Browser;
let page: Page;
let devtools: CDPSession;
let link: string;
const complaints: string[] = [];

beforeAll(async () => {
  folder = new ProgramFolder();
  program = folder.start(STARTER, [], {
    PORT: String(await freePort()),
    MESSAGING_SIMULATOR_PORT: String(await freePort()),
    MESSAGING_DATA_DIR: fillDataFolder(folder.data),
  });
  [link = ''] = await program.printed(/http\S+\/sign-in#token=\S+/);
  await program.printed(/Ctrl-C stops/);
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
  program?.child.kill('SIGTERM');
  await program?.finished;
  await folder.close();
});

function launchBrowser(): Promise<Browser> {
  const executablePath = process.env.TEST_BROWSER;
  if (!executablePath) throw new Error('TEST_BROWSER does not name a Chromium.');
  const offline = ['--disable-background-networking', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost'];
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', ...offline],
  });
}

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
