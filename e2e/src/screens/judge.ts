/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import type { Shown, Size } from './walks.ts';

/** What `inspect.js` leaves behind in the page. */
interface Inspection {
  settle(): Promise<void>;
  remember(): void;
  layout(size: number): string[];
  unmirrored(): string[];
  unseenFocus(): string[];
  pretend(): void;
  stopPretending(): void;
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const inspectSource = readFileSync(new URL('./inspect.js', import.meta.url), 'utf8');
/** What a finger, and what a pointer has to be able to hit, in pixels. */
const FINGER = 44;
const POINTER = 24;
/** These rules depend on what is beside and behind: the others hold in one theme as in the other. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** Here everything is laid out anew, but nothing is shown that axe does not see at one of the other widths. */
export const BETWEEN = 1024;

/** A menu belongs to the button that opened it; axe makes this exception from its rule of landmarks for dialogs alone. */
const OPENED = /role="menu"|base-ui-positioner|data-side=/;

/** Each finding with where it was made. */
export type Findings = Map<string, string[]>;

/** Shows a screen in each width, theme and direction, and notes what is wrong with it. */
export async function judge(page: Page, name: string, sizes: readonly Size[], shown: Shown): Promise<Findings> {
  const findings: Findings = new Map();
  const note = (where: string, found: readonly string[]) => {
    for (const one of found) findings.set(one, [...(findings.get(one) ?? []), `${name}, ${where}`]);
  };
  if (await page.evaluate(() => !('inspection' in globalThis))) await page.evaluate(`${inspectSource};${axeSource}`);
  // A key was pressed: from here on the browser shows where the focus is.
  await page.keyboard.press('Shift');
  for (const size of sizes) {
    const target = size.isTouched ? FINGER : POINTER;
    await shown.resize(page, size);
    await shown.dress(page, { theme: 'light' });
    note(`${size.width}`, await layout(page, target));
    if (size.width !== BETWEEN) {
      note(`${size.width}, light`, await violations(page));
      await shown.dress(page, { theme: 'dark' });
      note(`${size.width}, dark`, await violations(page, OF_COLOURS));
    }
    await page.evaluate(() => inspection().remember());
    await shown.dress(page, { theme: 'light', dir: 'rtl' });
    await page.evaluate(() => inspection().settle());
    note(`${size.width}, right to left`, await page.evaluate(() => inspection().unmirrored()));
    await page.evaluate(() => inspection().pretend());
    note(`${size.width}, another language`, await layout(page, target));
    await page.evaluate(() => inspection().stopPretending());
  }
  await shown.dress(page, {});
  note('by keyboard', await page.evaluate(() => inspection().unseenFocus()));
  return findings;
}

declare function inspection(): Inspection;

async function layout(page: Page, target: number): Promise<readonly string[]> {
  await page.evaluate(() => inspection().settle());
  return page.evaluate((size) => inspection().layout(size), target);
}

/** What axe finds, one line for each element. */
async function violations(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  await page.evaluate(() => inspection().settle());
  const results = await page.evaluate((only) => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
    const options = { resultTypes: ['violations' as const], elementRef: false, preload: false };
    // They catch the focus at the end of a menu, and hand it on.
    const exclude = [['[data-base-ui-focus-guard]']];
    // Behind a dialog nothing can be reached, and it was judged before.
    const part = document.querySelector('[role=dialog]') === null ? {} : { include: [['[role=dialog]']] };
    return axe.run({ ...part, exclude }, only ? { ...options, runOnly: [...only] } : options);
  }, rules);
  return (results as AxeResults).violations.flatMap(({ id, help, nodes }) =>
    nodes
      .filter(({ html }) => !(id === 'region' && OPENED.test(html)))
      .map(({ target, failureSummary }) => `${id}: ${help} at ${target.join(' ')} (${failureSummary})`),
  );
}
