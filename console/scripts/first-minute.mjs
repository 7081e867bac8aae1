// npm run first-minute: how long it takes a stranger, with a real browser and no network, from the printed sign-in link
// to a customer who has read the answer; and how many clicks and keys that is.
import { chromium } from 'playwright-core';
import { BROWSER, BROWSER_FLAGS, withService } from './started-service.mjs';

const CUSTOMER = 'Ada Obi';
const PATIENCE_MS = 120_000;
const LIMIT_S = 60;
/** Words as a person types them: one key each 120 ms, 500 characters a minute. */
const TYPING = { delay: 120 };
const QUESTION = 'Where is my parcel?';
const ANSWER = 'It left this morning.';

const effort = { clicks: 0, keys: 0 };

await withService(async ({ link, linkAt }) => {
  const offline = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost';
  const browser = await chromium.launch({ executablePath: BROWSER, args: [...BROWSER_FLAGS, offline] });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.setDefaultTimeout(PATIENCE_MS);
    const tell = (what) => console.log(`${seconds(linkAt).toFixed(1).padStart(6)} s  ${what}`);
    tell('the link is printed, and the browser has started');
    await page.goto(link);
    await page.getByText('No open conversations').waitFor();
    tell('the inbox is there');
    await write(page, `Message from ${CUSTOMER}`, QUESTION);
    const conversation = page.getByRole('list', { name: 'All open' }).getByRole('button', { name: CUSTOMER });
    await conversation.waitFor();
    tell('the customer’s message has arrived');
    await click(conversation);
    await page.getByRole('log', { name: 'Messages' }).getByText(QUESTION).waitFor();
    await write(page, `Reply to ${CUSTOMER}`, ANSWER);
    await page.getByRole('log', { name: 'Customer’s phone' }).getByText(ANSWER).waitFor();
    tell('the answer is on the customer’s phone');
    await page.getByRole('log', { name: 'Messages' }).getByRole('button', { name: /^Read/ }).waitFor();
    tell('the inbox says that it was read');
  } finally {
    await browser.close();
  }
  const total = seconds(linkAt);
  console.log(`${effort.clicks} clicks and ${effort.keys} keys; ${total.toFixed(1)} s of ${LIMIT_S} s.`);
  if (total > LIMIT_S) process.exitCode = 1;
});

function seconds(since) {
  return (performance.now() - since) / 1_000;
}

async function click(target) {
  await target.click();
  effort.clicks += 1;
}

/** Clicks into a field, types, and sends. */
async function write(page, name, text) {
  await click(page.getByRole('textbox', { name }));
  await page.keyboard.type(text, TYPING);
  await page.keyboard.press('Enter');
  effort.keys += text.length + 1;
}
