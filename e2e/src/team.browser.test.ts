/// <reference lib="dom" />
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillDataFolder } from './data-folder.ts';
import { freePort, type Program, root } from './postrider-process.ts';
import { ProgramFolder } from './program-folder.ts';

/* The page of the team, in a browser: an owner adds a person, who signs in with the link. TEST_BROWSER names a Chromium. */
const STARTER = join(root, 'scripts', 'start.mjs');
/** Nothing is drawn slower than this, on the slowest machine. */
const PATIENCE_MS = 120_000;
const PERSON = 'Bela Costa';

let folder: ProgramFolder;
let program: Program;
let browser: Browser;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  folder = new ProgramFolder();
  program = folder.start(STARTER, [], {
    PORT: String(await freePort()),
    MESSAGING_SIMULATOR_PORT: String(await freePort()),
    MESSAGING_DATA_DIR: fillDataFolder(folder.data),
  });
  const [link = ''] = await program.printed(/http\S+\/sign-in#token=\S+/);
  await program.printed(/Ctrl-C stops/);
  const executablePath = process.env.TEST_BROWSER;
  if (!executablePath) throw new Error('TEST_BROWSER does not name a Chromium.');
  const offline = ['--disable-background-networking', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost'];
  browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', ...offline],
  });
  page = await newPage();
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(link);
  await page.waitForURL('**/inbox');
});
afterAll(async () => {
  await browser?.close();
  program?.child.kill('SIGTERM');
  await program?.finished;
  await folder.close();
});

/** In a browser of its own: another person. */
async function newPage(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const opened = await context.newPage();
  opened.setDefaultTimeout(PATIENCE_MS);
  return opened;
}

const people = () => page.getByRole('list', { name: 'Team' });
let invitation = '';

test('the palette leads to the team, where a person is added and gets a link', async () => {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('Team');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/settings/team');
  await page.getByRole('button', { name: 'Add a person' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill(PERSON);
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
  await role.selectOption('agent');
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
  await page.getByRole('button', { name: `Remove: ${PERSON}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/signed out everywhere/).waitFor();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await people().getByText(PERSON).waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
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
    .getByRole('button', { name: /^Invite/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Sign in again' }).click();
  await page.waitForURL('**/sign-in*');
});
