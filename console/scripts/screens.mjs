// npm run screens: starts the service on free ports with folders of its own, once full and once empty, and takes pictures of
// every screen in both themes and three widths into screens/. For people to look at; nothing is compared.
// npm run screens -- thread-390: only the pictures whose names have this in them.
// npm run screens -- --pictures: makes the pictures of README.md anew, in docs/pictures/.
// npm run screens -- --right-to-left: how a language that is read from right to left mirrors them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { drawPicture } from './draw-picture.mjs';
import { fillInbox } from './fill-inbox.mjs';
import { addSecondStep, fillTeam } from './fill-team.mjs';
import { BROWSER, BROWSER_FLAGS, root, withService } from './started-service.mjs';
import { EMPTY, FULL, movesOf } from './walks/all.mjs';
import { walkComposer, walkThreads } from './walks/inbox.mjs';
import { dress, OPENING, resize, SIZES } from './walks/show.mjs';

const folder = join(root, 'screens');
/** A mail server that is never asked: what is offered where there is one is in the pictures, too. */
const MAIL = {
  MESSAGING_SMTP_URL: 'smtp://127.0.0.1:1?tls=optional',
  MESSAGING_SMTP_FROM: 'Shop <inbox@shop.example>',
};
/** Movements and fonts need no longer. */
const SETTLED_MS = 350;
const given = process.argv.slice(2);
/** What README.md shows, by the name of the picture: the file, and how many of its pixels make one of the page. */
const PICTURES = {
  'contact-1600': { file: 'inbox', scale: 1 },
  'thread-390': { file: 'telephone', scale: 2 },
};
const isForReadme = given.includes('--pictures');
const only = given.find((one) => !one.startsWith('--'));
/** How a picture is called, and what the document says for it. */
const LOOKS = given.includes('--right-to-left')
  ? [{ name: 'rtl', theme: 'light', dir: 'rtl' }]
  : [
      { name: 'light', theme: 'light', dir: 'ltr' },
      { name: 'dark', theme: 'dark', dir: 'ltr' },
    ];

mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: BROWSER, args: BROWSER_FLAGS });
const picture = await drawPicture(browser);
await withService(async (service) => {
  await fillInbox(service, picture);
  await fillTeam(service);
  await takePictures(service, isForReadme ? [walkComposer, walkThreads] : Object.values(FULL), addSecondStep);
}, MAIL);
if (!isForReadme) await withService((service) => takePictures(service, Object.values(EMPTY)));
await browser.close();

async function takePictures(service, walks, prepare = async () => undefined) {
  const context = await browser.newContext({ viewport: OPENING });
  const page = await context.newPage();
  page.on('console', (message) => {
    const isExpected = /INTERNET_DISCONNECTED|status of (?:404|500)/.test(message.text());
    if (message.type() === 'error' && !isExpected) console.error(`${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => console.error(`The page fails: ${error.message}`));
  await page.goto(service.link);
  await page.waitForURL('**/inbox');
  await prepare(page);
  const shoot = (name, { of = page, widths } = {}) => shootAll(of, name, widths);
  for (const walk of walks) await walk({ page, browser, picture, service, shoot, ...movesOf(page, service.base) });
  await context.close();
}

/** Takes the pictures of what is shown now. */
async function shootAll(page, name, widths = SIZES.map(({ width }) => width)) {
  for (const look of LOOKS) {
    for (const size of SIZES.filter(({ width }) => widths.includes(width))) {
      const file = `${name}-${size.width}-${look.name}`;
      const shown = PICTURES[`${name}-${size.width}`];
      if ((only && !file.includes(only)) || (isForReadme && shown === undefined)) continue;
      await dress(page, look);
      await resize(page, size);
      await page.waitForTimeout(SETTLED_MS);
      if (isForReadme) await writePicture(page, `${shown.file}-${look.name}.webp`, { ...size, scale: shown.scale });
      else await page.screenshot({ path: join(folder, `${file}.png`) });
    }
  }
  await dress(page, {});
  await resize(page, OPENING);
}

/** A small picture, which a page of documentation can show. */
async function writePicture(page, file, { width, height, scale }) {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', {
    ...{ format: 'webp', quality: 85 },
    clip: { x: 0, y: 0, width, height, scale },
  });
  await session.detach();
  writeFileSync(join(root, 'docs', 'pictures', file), Buffer.from(data, 'base64'));
}
