// npm run screens: starts the service on free ports with a folder of its own, fills it, and takes pictures of every
// screen in both themes and three widths into screens/. For people to look at; nothing is compared.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { fillInbox, PICTURE } from './fill-inbox.mjs';
import { BROWSER, BROWSER_FLAGS, root, withService } from './started-service.mjs';

const folder = join(root, 'screens');
const SIZES = [
  { width: 390, height: 844 },
  { width: 1024, height: 768 },
  { width: 1600, height: 900 },
];
const THEMES = ['light', 'dark'];
/** A mail server that is never asked: what is offered where there is one is in the pictures, too. */
const MAIL = {
  MESSAGING_SMTP_URL: 'smtp://127.0.0.1:1?tls=optional',
  MESSAGING_SMTP_FROM: 'Shop <inbox@shop.example>',
};
const only = process.argv[2];

await withService(async ({ base, simulator, link, key }) => {
  await fillInbox({ base, simulator, key });
  await takePictures(link);
}, MAIL);

async function takePictures(link) {
  mkdirSync(folder, { recursive: true });
  const browser = await chromium.launch({ executablePath: BROWSER, args: BROWSER_FLAGS });
  const context = await browser.newContext();
  const page = await context.newPage();
  page.on('console', (message) => message.type() === 'error' && console.error(`The page says: ${message.text()}`));
  page.on('pageerror', (error) => console.error(`The page fails: ${error.message}`));
  await page.goto(link);
  await page.waitForURL('**/inbox');
  for (const theme of THEMES) {
    for (const size of SIZES) {
      await page.setViewportSize(size);
      const shoot = async (name) => {
        if (only && !`${name}-${size.width}-${theme}`.includes(only)) return;
        // Fonts, pictures and the ends of movements.
        await page.waitForTimeout(350);
        await page.screenshot({ path: join(folder, `${name}-${size.width}-${theme}.png`) });
      };
      await context.addCookies([{ name: 'postrider_theme', value: theme, url: new URL('/', page.url()).href }]);
      await walk(page, shoot, size.width);
    }
  }
  await context.clearCookies();
  for (const theme of THEMES) {
    await context.addCookies([{ name: 'postrider_theme', value: theme, url: new URL('/', page.url()).href }]);
    await page.goto(new URL('/sign-in', page.url()).href);
    await page.getByRole('textbox', { name: 'Email' }).waitFor();
    await page.screenshot({ path: join(folder, `sign-in-1600-${theme}.png`) });
    await page.getByRole('button', { name: 'Forgot your password?' }).click();
    await page.getByRole('button', { name: 'Send the link' }).waitFor();
    await page.screenshot({ path: join(folder, `forgotten-password-1600-${theme}.png`) });
    await page.goto('about:blank');
    await page.goto(link);
    await page.getByRole('alert').waitFor();
    await page.screenshot({ path: join(folder, `used-link-1600-${theme}.png`) });
  }
  await browser.close();
}

/** Opens every screen as a person would. */
async function walk(page, shoot, width) {
  await page.goto(new URL('/inbox', page.url()).href);
  await page.getByRole('list', { name: 'All open' }).waitFor();
  await shoot('inbox');
  if (width < 1200) {
    await page.getByRole('button', { name: 'Show the customer’s phone' }).click();
    await page.getByRole('region', { name: 'Customer’s phone' }).waitFor();
    await shoot('phone');
    await page.getByRole('region', { name: 'Customer’s phone' }).getByRole('button', { name: /^Hide/ }).click();
  }
  await open(page, 'Ada Obi');
  await shoot('thread');
  await compose(page, shoot);
  await page
    .getByRole('button', { name: /Show what happened/ })
    .last()
    .click();
  await page.getByRole('dialog').getByRole('listitem').first().waitFor();
  await shoot('trace');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Customer details' }).click();
  await shoot('contact');
  await page.getByRole('complementary', { name: 'Customer details' }).getByRole('button', { name: 'Close' }).click();
  await back(page, width);
  await open(page, 'مريم حداد');
  await shoot('right-to-left');
  await back(page, width);
  await open(page, 'Old Customer');
  await shoot('closed-window');
  await page.getByRole('button', { name: 'Choose a template' }).click();
  await page.getByText('What the customer reads').waitFor();
  await shoot('template');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').waitFor();
  await shoot('palette');
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await shoot('help');
  await page.keyboard.press('Escape');
  await page.goto(new URL('/inbox?view=mine', page.url()).href);
  await page.getByText('Nothing is assigned to you').waitFor();
  await shoot('empty');
  await page.goto(new URL('/search?q=parcel', page.url()).href);
  await page.getByRole('region', { name: 'Messages' }).waitFor();
  await shoot('search');
  await page.goto(new URL('/search', page.url()).href);
  await page.getByText('What you can search for').waitFor();
  await shoot('search-help');
  await page.goto(new URL('/account', page.url()).href);
  await page.getByRole('heading', { name: 'Passkeys' }).waitFor();
  await shoot('account');
  await page.goto(new URL('/settings/team', page.url()).href);
  await page.getByRole('list', { name: 'Team', exact: true }).waitFor();
  await shoot('team');
  await page
    .getByRole('button', { name: /^Details: / })
    .first()
    .click();
  await page.getByRole('dialog').waitFor();
  await shoot('team-person');
  await page.goto(new URL('/settings/sso', page.url()).href);
  await page.getByRole('button', { name: 'Add a group' }).click();
  await page.getByLabel('Single sign-on is the only way in').check();
  await shoot('single-sign-on');
}

/** What a reply can be made of. */
async function compose(page, shoot) {
  const field = page.getByRole('textbox', { name: /^Reply to/ });
  const name = 'The parcel on the porch.png';
  await page.locator('input[type=file][multiple]').setInputFiles([
    { name, mimeType: 'image/png', buffer: Buffer.from(PICTURE, 'base64') },
    { name: 'notes.html', mimeType: 'text/html', buffer: Buffer.from('<p>') },
  ]);
  await field.fill('It *left* this morning, and _should_ be there ~today~ tomorrow :ti');
  await shoot('composer');
  await page.getByRole('button', { name: 'Emoji' }).click();
  await page.getByRole('textbox', { name: 'Search emoji' }).waitFor();
  await shoot('emoji');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Remove notes.html' }).click();
  await page.getByRole('button', { name: 'Send later' }).click();
  await page.getByRole('textbox', { name: 'When' }).waitFor();
  await shoot('schedule');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: `Remove ${name}` }).click();
  await field.fill('');
}

async function open(page, name) {
  await page.getByRole('list', { name: 'All open' }).getByRole('button', { name }).first().click();
  await page.getByRole('log', { name: 'Messages' }).waitFor();
}

async function back(page, width) {
  if (width < 768) await page.getByRole('button', { name: 'Back to the list' }).click();
}
