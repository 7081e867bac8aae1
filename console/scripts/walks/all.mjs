// Every screen of the console and every state that is worth a name. `npm run screens` takes pictures of them, and a test
// judges each of them, so that neither can forget one. A walk opens a screen once and calls `shoot`: the caller shows it
// in other widths, themes and directions by itself.
import { walkEmpty } from './empty.mjs';
import { walkEntrances } from './entrances.mjs';
import { walkFailures } from './failures.mjs';
import { walkBulk, walkComposer, walkEverywhere, walkInbox, walkThreads } from './inbox.mjs';
import { walkAccount, walkSingleSignOn, walkTeam } from './settings.mjs';
import { resize, SIZES } from './show.mjs';

/**
 * @typedef {object} Sight what a walk needs
 * @property {import('playwright-core').Page} page where somebody is signed in
 * @property {import('playwright-core').Browser} browser for people of their own
 * @property {Buffer} picture PNG to attach
 * @property {{ base: string, link: string }} service
 * @property {(path: string) => Promise<void>} go opens an address without loading the page anew
 * @property {(path: string) => Promise<void>} load loads the page anew
 * @property {(width: number) => Promise<void>} at gives the page another width
 * @property {(name: string, more?: { of?: import('playwright-core').Page, widths?: readonly number[] }) => Promise<void>} shoot
 *   is called when a screen is there; `widths` where it exists at these alone
 */

/** With people, conversations and teams in it. */
export const FULL = {
  'the inbox': walkInbox,
  'a conversation and its composer': walkComposer,
  'what opens in a conversation': walkThreads,
  'many conversations at once': walkBulk,
  'the palette, help, notifications and search': walkEverywhere,
  'the account': walkAccount,
  'the team': walkTeam,
  'single sign-on': walkSingleSignOn,
  'the ways in': walkEntrances,
  'what failed or is not there': walkFailures,
};
/** For somebody who has just begun. */
export const EMPTY = { 'every screen with nothing in it': walkEmpty };

/**
 * What all sights have in common.
 * @param {import('playwright-core').Page} page @param {string} base address of the service
 */
export function movesOf(page, base) {
  const load = async (path) => void (await page.goto(new URL(path, base).href));
  return {
    load,
    go: async (path) => {
      // Somebody who goes from screen to screen loads nothing: what stays open between them is closed by it, too.
      await page.evaluate((to) => history.pushState({}, '', to), path);
    },
    at: (width) =>
      resize(
        page,
        SIZES.find((size) => size.width === width),
      ),
  };
}
