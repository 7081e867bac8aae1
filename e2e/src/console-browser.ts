import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { fillDataFolder } from './data-folder.ts';
import { freePort, type Program, root } from './postrider-process.ts';
import { ProgramFolder } from './program-folder.ts';

const STARTER = join(root, 'scripts', 'start.mjs');
const SCREEN = { width: 1440, height: 900 };
/** Nothing is drawn slower than this, on the slowest machine. */
const PATIENCE_MS = 120_000;

/** A customer of the demo tenant, whose phone stands beside the inbox. */
export const CUSTOMER = 'Ada Obi';

/** What `npm start` begins, and a browser that opened the printed link. */
export interface OpenConsole {
  /** The printed link, which is used now. */
  readonly link: string;
  readonly browser: Browser;
  readonly context: BrowserContext;
  readonly page: Page;
  /** Ends the browser and the service. */
  close(): Promise<void>;
}

/** Starts the service with its simulator as `npm start` does, and signs its first person in. */
export async function openConsole(): Promise<OpenConsole> {
  const folder = new ProgramFolder();
  let program: Program | undefined;
  let browser: Browser | undefined;
  const close = async () => {
    await browser?.close();
    program?.child.kill('SIGTERM');
    await program?.finished;
    await folder.close();
  };
  try {
    program = folder.start(STARTER, [], {
      PORT: String(await freePort()),
      MESSAGING_SIMULATOR_PORT: String(await freePort()),
      MESSAGING_DATA_DIR: fillDataFolder(folder.data),
    });
    const [link = ''] = await program.printed(/http\S+\/sign-in#token=\S+/);
    await program.printed(/Ctrl-C stops/);
    browser = await launchBrowser();
    const context = await browser.newContext({ viewport: SCREEN });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(link);
    await page.waitForURL('**/inbox');
    return { link, browser, context, page, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Starts the Chromium that TEST_BROWSER names. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = process.env.TEST_BROWSER;
  if (!executablePath) throw new Error('TEST_BROWSER does not name a Chromium.');
  // Names are not resolved: anything that the page would load from elsewhere fails, and so does the test.
  const offline = ['--disable-background-networking', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost'];
  // The sandbox cannot be had by root and in containers; the only page that is opened is our own.
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', ...offline],
  });
}
