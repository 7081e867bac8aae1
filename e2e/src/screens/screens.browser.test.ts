import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, type StartedService, startService } from '../console-browser.ts';
import { isWhole } from '../depth.ts';
import { PATIENCE_MS } from '../patience.ts';
import { BETWEEN, type Findings, judge } from './judge.ts';
import { addSecondStep, drawPicture, EMPTY, FULL, fillInbox, fillTeam, movesOf, type Size, shown } from './walks.ts';

/*
 * Every screen of the console, at three widths, in both themes and both directions: axe-core finds nothing, nothing is
 * cut, covered, outside of the page or too small to be hit, the focus is seen, and the other direction is a mirror.
 * What none of this can judge is whether a screen is good to look at: `npm run screens` takes pictures for that.
 */
/** A walk opens dozens of screens: against hanging only. */
const WALK_MS = 900_000;
/** A mail server that is never asked: what is offered where there is one is judged, too. */
const MAIL = {
  MESSAGING_SMTP_URL: 'smtp://127.0.0.1:1?tls=optional',
  MESSAGING_SMTP_FROM: 'Shop <inbox@shop.example>',
};

let browser: Browser;
let picture: Buffer;

beforeAll(async () => {
  browser = await launchBrowser();
  picture = await drawPicture(browser);
});
afterAll(() => browser?.close());

describe.each([
  { tenant: 'full of conversations and people', walks: FULL, isFull: true },
  { tenant: 'that has just begun', walks: EMPTY, isFull: false },
])('in a tenant $tenant', ({ walks, isFull }) => {
  let service: StartedService & { readonly base: string };
  let page: Page;

  beforeAll(async () => {
    const started = await startService(isFull ? MAIL : {});
    service = { ...started, base: new URL(started.link).origin };
    if (isFull) {
      await fillInbox(service, picture);
      await fillTeam(service);
    }
    const context = await browser.newContext({ viewport: shown.OPENING, reducedMotion: 'reduce' });
    page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(service.link);
    await page.waitForURL('**/inbox');
    if (isFull) await addSecondStep(page);
  });
  afterAll(async () => {
    await page?.context().close();
    await service?.close();
  });

  test.each(Object.entries(walks))(
    'nothing is wrong with %s',
    async (_, walk) => {
      const found = await judgeAll(page, (shoot) =>
        walk({ page, browser, picture, service, shoot, ...movesOf(page, service.base) }),
      );
      expect(found).toEqual([]);
    },
    WALK_MS,
  );
});

/** Returns the size whose turn it is, from those at which everything is judged. */
function oneOf(sizes: readonly Size[], turn: number): readonly Size[] {
  const judged = sizes.filter(({ width }) => width !== BETWEEN);
  return judged.length === 0 ? sizes : judged.slice(turn % judged.length).slice(0, 1);
}

type Shoot = (name: string, options?: { of?: Page; widths?: readonly number[] }) => Promise<void>;

/**
 * Judges every screen that a walk opens, at every width in a whole run, and otherwise at one width each, in turn.
 * @returns each finding with the screens where it was made
 */
async function judgeAll(page: Page, walk: (shoot: Shoot) => Promise<void>): Promise<readonly string[]> {
  const findings: Findings = new Map();
  let turn = 0;
  await walk(async (name, { of = page, widths } = {}) => {
    const sizes = shown.SIZES.filter(({ width }) => widths?.includes(width) ?? true);
    turn += 1;
    const found = await judge(of, name, isWhole ? sizes : oneOf(sizes, turn), shown);
    for (const [finding, places] of found) findings.set(finding, [...(findings.get(finding) ?? []), ...places]);
    await shown.resize(of, shown.OPENING);
  });
  return [...findings].map(([finding, places]) => `${finding} [${places.join('; ')}]`);
}
