// npm run screens: starts the service on free ports with folders of its own, once full and once empty, and takes pictures of
// every screen in both themes and three widths into screens/. For people to look at; nothing is compared.
// npm run screens -- thread-390: only the pictures whose names have this in them.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { drawPicture } from './draw-picture.mjs';
import { fillInbox } from './fill-inbox.mjs';
import { addSecondStep, fillTeam } from './fill-team.mjs';
import { BROWSER, BROWSER_FLAGS, root, withService } from './started-service.mjs';
import { walkEmpty } from './walks/empty.mjs';
import { walkEntrances } from './walks/entrances.mjs';
import { walkInbox } from './walks/inbox.mjs';
import { walkSettings } from './walks/settings.mjs';

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
/** Movements and fonts need no longer. */
const SETTLED_MS = 350;
const only = process.argv[2];

mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: BROWSER, args: BROWSER_FLAGS });
const picture = await drawPicture(browser);
await withService(async (service) => {
  await fillInbox(service, picture);
  await fillTeam(service);
  await takePictures(service, [walkInbox, walkSettings, walkEntrances], addSecondStep);
}, MAIL);
await withService((service) => takePictures(service, [walkEmpty]));
await browser.close();

/** Walks through everything, in each theme at each width. */
async function takePictures(service, walks, prepare = async () => undefined) {
  const context = await browser.newContext();
  const page = await context.newPage();
  page.on('console', (message) => {
    const isExpected = /INTERNET_DISCONNECTED|status of 500/.test(message.text());
    if (message.type() === 'error' && !isExpected) console.error(`${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => console.error(`The page fails: ${error.message}`));
  await page.goto(service.link);
  await page.waitForURL('**/inbox');
  await prepare(page);
  for (const theme of THEMES) {
    await context.addCookies([{ name: 'postrider_theme', value: theme, url: service.base }]);
    for (const size of SIZES) {
      await page.setViewportSize(size);
      for (const walk of walks) await walk(sightOf({ page, service, theme, size }));
    }
  }
  await context.close();
}

/** What a walk needs: the page, and how to take a picture of it. */
function sightOf({ page, service, theme, size: { width, height } }) {
  return {
    ...{ page, browser, picture, service, theme, width, height },
    go: (path) => page.goto(new URL(path, service.base).href),
    shoot: async (name, of = page) => {
      const file = `${name}-${width}-${theme}`;
      if (only && !file.includes(only)) return;
      await of.waitForTimeout(SETTLED_MS);
      await of.screenshot({ path: join(folder, `${file}.png`) });
    },
  };
}
