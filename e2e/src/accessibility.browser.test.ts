/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CUSTOMER, type OpenConsole, openConsole } from './console-browser.ts';

/*
 * Every screen of the console before axe-core, in both themes. What axe cannot judge (order of focus, names that say
 * enough) is not shown by this.
 */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const THEMES = ['light', 'dark'] as const;
const TELEPHONE = { width: 390, height: 844 };
const SCREEN = { width: 1440, height: 900 };

let opened: OpenConsole;
let page: Page;

beforeAll(async () => {
  opened = await openConsole();
  ({ page } = opened);
  await page.getByRole('textbox', { name: `Message from ${CUSTOMER}` }).fill('Where is my parcel?');
  await page.keyboard.press('Enter');
  await openThread();
  await page.getByRole('textbox', { name: `Reply to ${CUSTOMER}` }).fill('It left this *morning*.');
  await page.keyboard.press('Enter');
  await page.getByRole('log', { name: 'Messages' }).getByRole('button', { name: /^Read/ }).waitFor();
});
afterAll(() => opened?.close());

const go = (path: string) => page.goto(new URL(path, opened.link).href);

async function openThread(): Promise<void> {
  await page.getByRole('list', { name: 'All open' }).getByRole('button', { name: CUSTOMER }).click();
  await page.getByRole('log', { name: 'Messages' }).getByText('Where is my parcel?').waitFor();
}

/** Opens a conversation with an address of its own. */
async function goToThread(): Promise<void> {
  await go('/inbox');
  await openThread();
}

/** Each screen with the steps that lead to it. */
const SCREENS: Readonly<Record<string, () => Promise<void>>> = {
  'an inbox with nothing in it': async () => {
    await go('/inbox?view=snoozed');
    await page.getByText('Nothing is snoozed').waitFor();
  },
  'a conversation': goToThread,
  'the customer’s details': async () => {
    await goToThread();
    await page.getByRole('button', { name: 'Customer details' }).click();
    await page.getByRole('complementary', { name: 'Customer details' }).waitFor();
  },
  'the trace of a message': async () => {
    await goToThread();
    await page.getByRole('log', { name: 'Messages' }).getByRole('button', { name: /^Read/ }).click();
    await page.getByRole('dialog').getByText('The network reported: read.').waitFor();
  },
  'the palette of commands': async () => {
    await goToThread();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
  },
  'the help about keys': async () => {
    await goToThread();
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
  },
  'the search': async () => {
    await go('/search?q=parcel');
    await page.getByRole('region', { name: 'Messages' }).getByRole('link', { name: CUSTOMER }).waitFor();
  },
  'the help of the search': async () => {
    await go('/search');
    await page.getByText('What you can search for').waitFor();
  },
  'the account': async () => {
    await go('/account');
    await page.getByRole('heading', { name: 'Passkeys' }).waitFor();
  },
  'the team': async () => {
    await go('/settings/team');
    await page.getByRole('list', { name: 'Team', exact: true }).waitFor();
  },
  'somebody of the team': async () => {
    await go('/settings/team');
    await page.getByRole('button', { name: 'Details: Owner' }).click();
    await page.getByRole('dialog').getByRole('list', { name: 'Where signed in' }).waitFor();
  },
  'single sign-on': async () => {
    await go('/settings/sso');
    await page.getByRole('button', { name: 'Add a group' }).click();
    await page.getByLabel('Single sign-on is the only way in').check();
    await page.getByLabel('The owner who can still sign in another way').waitFor();
  },
  'the notifications': async () => {
    await goToThread();
    await page.getByRole('button', { name: /^Notifications/ }).click();
    await page.getByText('No notifications').waitFor();
  },
  'a view to save': async () => {
    await goToThread();
    await page.getByRole('button', { name: 'Save a view' }).click();
    await page.getByRole('dialog').getByLabel('Name').waitFor();
  },
  'everything in a view selected, under a change that is done': async () => {
    await goToThread();
    await command('select all in this view');
    await page.getByRole('toolbar').getByText('in this view').waitFor();
    await command('mark the selected as read');
    await page.getByText(/^\d+ changed$/).waitFor();
    await command('select all in this view');
    await page.getByRole('toolbar').getByRole('button', { name: 'More changes' }).waitFor();
  },
  'emoji to choose': async () => {
    await goToThread();
    await page.getByRole('button', { name: 'Emoji' }).click();
    await page
      .getByRole('searchbox', { name: 'Search emoji' })
      .or(page.getByRole('textbox', { name: 'Search emoji' }))
      .waitFor();
  },
  'a time to send at': async () => {
    await goToThread();
    await page.getByRole('textbox', { name: `Reply to ${CUSTOMER}` }).fill('Later');
    await page.getByRole('button', { name: 'Send later' }).click();
    await page.getByRole('textbox', { name: 'When' }).waitFor();
  },
  'a page that is not there': async () => {
    await go('/health/nowhere');
    await page.getByRole('heading').waitFor();
  },
  'a conversation on a telephone': async () => {
    await page.setViewportSize(TELEPHONE);
    await goToThread();
  },
};

async function command(name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'What do you want to do?' }).fill(name);
  await page.keyboard.press('Enter');
}

/** What axe finds, one line for each element. */
async function violations(): Promise<readonly string[]> {
  await page.evaluate(axeSource);
  // Movements are over: colours that fade in have less contrast than they end with.
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));
  const results = await page.evaluate(() => (globalThis as unknown as { axe: typeof import('axe-core') }).axe.run());
  return (results as AxeResults).violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} at ${target.join(' ')} (${failureSummary})`),
  );
}

describe.each(THEMES)('axe-core finds nothing in the %s theme', (theme) => {
  beforeAll(async () => {
    await opened.context.addCookies([{ name: 'postrider_theme', value: theme, url: opened.link }]);
  });

  test.each(Object.keys(SCREENS))('on %s', async (name) => {
    await page.setViewportSize(SCREEN);
    await SCREENS[name]?.();
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe(theme);
    expect(await violations()).toEqual([]);
  });

  test('on the page to sign in', async () => {
    const stranger = await opened.browser.newContext();
    await stranger.addCookies([{ name: 'postrider_theme', value: theme, url: opened.link }]);
    const kept = page;
    page = await stranger.newPage();
    await page.goto(opened.link);
    await page.getByText('This link no longer works').waitFor();
    const onLink = await violations();
    await page.goto(new URL('/sign-in', opened.link).href);
    await page.getByRole('textbox', { name: 'Email' }).waitFor();
    const found = [...onLink, ...(await violations())];
    page = kept;
    await stranger.close();
    expect(found).toEqual([]);
  });
});
