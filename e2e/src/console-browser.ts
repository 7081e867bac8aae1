import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { fillDataFolder } from './data-folder.ts';
import { PATIENCE_MS } from './patience.ts';
import { freePort, root } from './postrider-process.ts';
import { ProgramFolder } from './program-folder.ts';

const STARTER = join(root, 'scripts', 'start.mjs');
const SCREEN = { width: 1440, height: 900 };

/** A customer of the demo tenant, whose phone stands beside the inbox. */
export const CUSTOMER = 'Ada Obi';

/** What `npm start` begins: the service with its simulator and a demo tenant. */
export interface StartedService {
  /** Signs the first person in, once. */
  readonly link: string;
  /** An API key of the demo tenant. */
  readonly key: string;
  /** Where the simulated network listens. */
  readonly simulator: string;
  close(): Promise<void>;
}

/**
 * Starts the service on free ports, with a data folder of its own.
 * @param settings further keys of its environment
 */
export async function startService(settings: Readonly<Record<string, string>> = {}): Promise<StartedService> {
  const folder = new ProgramFolder();
  const simulatorPort = await freePort();
  const program = folder.start(STARTER, [], {
    PORT: String(await freePort()),
    MESSAGING_SIMULATOR_PORT: String(simulatorPort),
    MESSAGING_DATA_DIR: fillDataFolder(folder.data),
    ...settings,
  });
  const close = async () => {
    program.child.kill('SIGTERM');
    await program.finished;
    await folder.close();
  };
  try {
    const [link = ''] = await program.printed(/http\S+\/sign-in#token=\S+/);
    const [key = ''] = await program.printed(/pr_(?:test|live)_\w+/);
    await program.printed(/Ctrl-C stops/);
    return { link, key, simulator: `http://localhost:${simulatorPort}`, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A service, and a browser that opened its printed link. */
export interface OpenConsole {
  /** The printed link, which is used now. */
  readonly link: string;
  readonly browser: Browser;
  readonly context: BrowserContext;
  readonly page: Page;
  /** Ends the browser and the service. */
  close(): Promise<void>;
}

/** Starts the service, and signs its first person in. */
export async function openConsole(): Promise<OpenConsole> {
  const service = await startService();
  let browser: Browser | undefined;
  const close = async () => {
    await browser?.close();
    await service.close();
  };
  try {
    browser = await launchBrowser();
    const context = await browser.newContext({ viewport: SCREEN });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    await page.goto(service.link);
    await page.waitForURL('**/inbox');
    return { link: service.link, browser, context, page, close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface BrowserNeeds {
  /** The host that the test opens. */
  readonly host?: string;
  /** Beside the flags that every test needs. */
  readonly flags?: readonly string[];
}

/** Starts the Chromium that TEST_BROWSER names. */
export function launchBrowser({ host = 'localhost', flags = [] }: BrowserNeeds = {}): Promise<Browser> {
  const executablePath = process.env.TEST_BROWSER;
  if (!executablePath) throw new Error('TEST_BROWSER does not name a Chromium.');
  // Names are not resolved: anything that the page would load from elsewhere fails, and so does the test.
  const offline = ['--disable-background-networking', `--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE ${host}`];
  // The sandbox cannot be had by root and in containers; the only page that is opened is our own.
  const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', ...offline, ...flags];
  return chromium.launch({ executablePath, args });
}
