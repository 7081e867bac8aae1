/// <reference lib="dom" />
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page, type Request } from 'playwright-core';
import { pause } from '../../harness/pause.ts';
import { median } from '../../median.ts';

/** The Chromium that `TEST_BROWSER` names, or else the one of the machine; null when there is none. */
export function findBrowser(): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const installed = BROWSERS.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [process.env.TEST_BROWSER ?? '', ...installed].find((file) => file !== '' && existsSync(file)) ?? null;
}

const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const SCREEN = { width: 1440, height: 900 };
const PATIENCE_MS = 60_000;
/** The sandbox cannot be had by root and in containers. */
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'];
/** A CPU four times slower, and a line of 10 Mbit/s that takes 40 ms for a request and its answer. */
const SLOW_CPU = 4;
const SLOW_LINE = { offline: false, latency: 40, downloadThroughput: 1_250_000, uploadThroughput: 1_250_000 };

/** A page of the console in a browser of its own, signed in. */
export class ConsolePage {
  readonly page: Page;
  readonly #browser: Browser;
  readonly #context: BrowserContext;
  readonly #tools: CDPSession;

  private constructor(browser: Browser, context: BrowserContext, page: Page, tools: CDPSession) {
    [this.#browser, this.#context, this.page, this.#tools] = [browser, context, page, tools];
  }

  /** @param link signs its person in, once */
  static async open(executablePath: string, link: string): Promise<ConsolePage> {
    const browser = await chromium.launch({ executablePath, args: FLAGS });
    const context = await browser.newContext({ viewport: SCREEN });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(link);
    await page.waitForURL('**/inbox').catch(async () => {
      throw new Error(`The link signs nobody in: ${await page.innerText('body')}`);
    });
    return new ConsolePage(browser, context, page, await context.newCDPSession(page));
  }

  close(): Promise<void> {
    return this.#browser.close();
  }

  /** Milliseconds until a page that has nothing in its cache shows its list, on a slow machine and a slow line. */
  async firstListMs(address: string): Promise<number> {
    const cold = await this.#browser.newContext({ viewport: SCREEN, storageState: await this.#context.storageState() });
    try {
      const page = await cold.newPage();
      page.setDefaultTimeout(PATIENCE_MS);
      const tools = await cold.newCDPSession(page);
      await tools.send('Network.enable');
      await tools.send('Network.emulateNetworkConditions', SLOW_LINE);
      await tools.send('Emulation.setCPUThrottlingRate', { rate: SLOW_CPU });
      await page.goto(address, { waitUntil: 'commit' });
      return await page.evaluate(untilDrawn, FIRST_ROW);
    } finally {
      await cold.close();
    }
  }

  /** Milliseconds from the click on a row of the list until its thread is drawn. */
  switchMs(place: number): Promise<number> {
    return this.page.evaluate(untilThread, { rows: ROWS, place, thread: THREAD });
  }

  /** Scrolls the list until it has this many rows, or all there are. @returns how many it has */
  async loadRows(count: number): Promise<number> {
    for (let before = 0; ; ) {
      const rows = await this.page.evaluate(scrollToEnd, ROWS);
      if (rows >= count || rows === before) return rows;
      before = rows;
      const more = this.page.waitForFunction(hasMoreThan, { rows: ROWS, count: rows }, { timeout: PAGE_WITHIN_MS });
      await more.catch(() => undefined);
    }
  }

  /** The slowest times from a key to what it painted, in milliseconds; the browser tells them in steps of 8 ms, from 16. */
  async keyMs(key: string, times: number): Promise<readonly number[]> {
    await this.page.evaluate(watchKeys);
    for (let round = 0; round < times; round += 1) {
      await this.page.keyboard.press(key);
      await this.page.evaluate(afterPaint);
    }
    const slow = await this.page.evaluate(() => (globalThis as unknown as { slowKeys: number[] }).slowKeys);
    return [...slow, ...Array.from({ length: Math.max(0, times - slow.length) }, () => LOWEST_MS)];
  }

  /** Bytes of the JavaScript heap that are left after a collection. */
  async heapBytes(): Promise<number> {
    await this.#tools.send('HeapProfiler.enable');
    await this.#tools.send('HeapProfiler.collectGarbage');
    const { usedSize } = await this.#tools.send('Runtime.getHeapUsage');
    return usedSize;
  }

  /** Opens a list and leaves it alone. @returns how many requests it began with, and how many it made in `ms` after that */
  async requestsOf(address: string, ms: number): Promise<{ readonly opening: number; readonly atRest: number }> {
    const requests: string[] = [];
    const count = (one: Request) => void requests.push(`${one.method()} ${one.url()}`);
    this.page.on('request', count);
    await this.showList(address);
    const endMs = performance.now() + PATIENCE_MS;
    for (let before = -1; requests.length !== before; ) {
      if (performance.now() > endMs) throw new Error(`The page never rests: ${requests.slice(-10).join(', ')}`);
      before = requests.length;
      await pause(SETTLED_MS);
    }
    const opening = requests.length;
    await pause(ms);
    this.page.off('request', count);
    return { opening, atRest: requests.length - opening };
  }

  /** Opens a list, and waits until its first rows are drawn. */
  async showList(address: string): Promise<void> {
    await this.page.goto(address);
    await this.page.waitForSelector(FIRST_ROW);
  }

  /** Milliseconds of a fixed piece of work in the page, at full speed: what the other times are compared with. */
  async calibrationMs(): Promise<number> {
    const times: number[] = [];
    for (let round = 0; round < CALIBRATIONS; round += 1) times.push(await this.page.evaluate(calibrate));
    return median(times);
  }
}

const CALIBRATIONS = 9;
/** Without a request for so long, the page has read what it began with. */
const SETTLED_MS = 1_500;
/** No further row for so long: the list has ended. */
const PAGE_WITHIN_MS = 5_000;
/** Below it the browser does not say how long a key took. */
const LOWEST_MS = 16;
const ROWS = 'section[aria-label=Conversations] ul';
const FIRST_ROW = `${ROWS} li button`;
const THREAD = '[role=log][aria-label=Messages]';

/* What follows runs in the page. */

function untilDrawn(selector: string): Promise<number> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.querySelector(selector) === null) requestAnimationFrame(look);
      else requestAnimationFrame(() => resolve(performance.now()));
    };
    look();
  });
}

function untilThread(where: { readonly rows: string; readonly place: number; readonly thread: string }) {
  return new Promise<number>((resolve, reject) => {
    const row = document.querySelectorAll<HTMLElement>(`${where.rows} li button`)[where.place];
    if (row === undefined) return reject(new Error(`The list draws no row ${where.place}.`));
    const before = document.querySelector(where.thread);
    const startMs = performance.now();
    row.click();
    const look = () => {
      const thread = document.querySelector(where.thread);
      if (thread === null || thread === before || thread.textContent === '') requestAnimationFrame(look);
      else resolve(performance.now() - startMs);
    };
    look();
  });
}

function scrollToEnd(rows: string): number {
  const list = document.querySelector<HTMLElement>(rows);
  const row = list?.querySelector<HTMLElement>('li');
  list?.parentElement?.scrollTo({ top: list.offsetHeight });
  return Math.round((list?.offsetHeight ?? 0) / (row?.offsetHeight ?? 1));
}

function hasMoreThan({ rows, count }: { readonly rows: string; readonly count: number }): boolean {
  const list = document.querySelector<HTMLElement>(rows);
  return (list?.offsetHeight ?? 0) / (list?.querySelector<HTMLElement>('li')?.offsetHeight ?? 1) > count + 0.5;
}

function watchKeys(): void {
  const page = globalThis as unknown as { slowKeys?: number[] };
  page.slowKeys = [];
  const observer = new PerformanceObserver((entries) => {
    for (const { name, duration } of entries.getEntries()) if (name === 'keydown') page.slowKeys?.push(duration);
  });
  observer.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
}

function afterPaint(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
}

/** Makes, sorts and writes out 100,000 objects. */
function calibrate(): number {
  const startMs = performance.now();
  const rows = Array.from({ length: 100_000 }, (_, place) => ({
    key: (place * 7_919) % 100_003,
    name: `row ${place}`,
  }));
  rows.sort((one, other) => one.key - other.key);
  if (JSON.stringify(rows).length === 0) throw new Error('The loop made nothing.');
  return performance.now() - startMs;
}
