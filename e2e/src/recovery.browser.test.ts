import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MailServer, startMailServer } from '../../server/src/testing/peers/mail-server.ts';
import { launchBrowser, type StartedService, startService } from './console-browser.ts';
import { PATIENCE_MS } from './patience.ts';

/* A forgotten password, in a browser, with a mail server on loopback. TEST_BROWSER names a Chromium. */
const EMAIL = 'owner@shop.example';

let mail: MailServer;
let service: StartedService;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  mail = await startMailServer();
  service = await startService({
    MESSAGING_SMTP_URL: mail.url,
    MESSAGING_SMTP_FROM: 'Flower shop <inbox@shop.example>',
  });
  browser = await launchBrowser();
  page = await newPage();
  await page.goto(service.link);
  await page.waitForURL('**/inbox');
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
  await mail?.close();
});

async function newPage(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const opened = await context.newPage();
  opened.setDefaultTimeout(PATIENCE_MS);
  return opened;
}

/** The link of the mail that arrived last, once there are so many. */
async function linkOfMail(count: number): Promise<string> {
  await expect.poll(() => mail.mails.length).toBeGreaterThanOrEqual(count);
  return /http\S+#(?:token|confirm)=[\w-]+/.exec(mail.mails.at(-1)?.raw ?? '')?.[0] ?? '';
}

const go = (path: string) => page.goto(new URL(path, service.link).href);

test('an address is confirmed by the link of a mail', async () => {
  await go('/account');
  await page.getByRole('textbox', { name: 'Email' }).fill(EMAIL);
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.getByRole('button', { name: 'Send a link to confirm it' }).click();
  await page.getByText(`A link was sent to ${EMAIL}.`).waitFor();
  await page.goto(await linkOfMail(1));
  await page.getByText(/^Confirmed: /).waitFor();
  expect(page.url()).not.toContain('#');
});

test('whoever has forgotten the password gets a link, which leads to where a new one is set', async () => {
  const theirs = await newPage();
  await theirs.goto(new URL('/sign-in', service.link).href);
  await theirs.getByRole('textbox', { name: 'Email' }).fill('nobody@shop.example');
  await theirs.getByRole('button', { name: 'Forgot your password?' }).click();
  await theirs.getByRole('textbox', { name: 'Email' }).fill('nobody@shop.example');
  await theirs.getByRole('button', { name: 'Send the link' }).click();
  await theirs.getByText('Check your mail').waitFor();
  await theirs.getByRole('button', { name: 'Back to signing in' }).click();
  await theirs.getByRole('button', { name: 'Forgot your password?' }).click();
  await theirs.getByRole('textbox', { name: 'Email' }).fill(EMAIL);
  await theirs.getByRole('button', { name: 'Send the link' }).click();
  await theirs.getByText('Check your mail').waitFor();
  await theirs.goto(await linkOfMail(2));
  await theirs.waitForURL('**/account');
  await theirs.getByRole('heading', { name: 'Password' }).waitFor();
  expect(mail.mails).toHaveLength(2);
});

test('the browser that was signed in before is not any more', async () => {
  await page.reload();
  await page.waitForURL('**/sign-in*');
});
