import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Simulator, type SimulatorOptions, startSimulator } from '@postrider/simulator/simulator';
import { bootstrapTenant } from '#accounts/actions/bootstrap-tenant';
import { type Service, startService } from '#bin/service';
import type { Clock } from '#runtime/clock';
import type { Config } from '#runtime/config';
import type { Log } from '#runtime/log';
import type { Runtime } from '#runtime/runtime';
import { checkRecordedEvents, EventFault } from './check-events.ts';
import { copyTemplate, copyTemplateWithCell } from './database/test-database.ts';
import { TestClock, testRuntime } from './test-runtime.ts';

/** The whole service and the simulator on free ports, over real HTTP, with a database of their own. */
export interface TestService {
  readonly rt: Runtime;
  readonly service: Service;
  readonly sim: Simulator;
  readonly key: string;
  /** Calls the API with the key; returns status, headers and parsed body. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Calls the simulator's own `/_sim` endpoints. */
  simulate(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Asks again until `done` holds; rejects with the last answer after a bounded time. */
  until<T>(ask: () => Promise<T>, done: (value: T) => boolean, what: string): Promise<T>;
  close(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into answers of many shapes
  readonly body: any;
}

export const TEST_KEY = 'test-key-of-the-first-tenant';
const PATIENCE_MS = 240_000;
const ASK_AGAIN_MS = 15;
/** How far a clock that stands still is moved between two looks at a service that closes. */
const CLOSING_STEP_MS = 100;

export interface TestServiceOptions {
  readonly config?: Partial<Config>;
  readonly simulator?: SimulatorOptions;
  readonly clock?: Clock;
  /** Uniform in [0, 1); 0 makes every wait between attempts as short as its floor. */
  readonly random?: () => number;
  /** Where the service logs to; nowhere by default. */
  readonly log?: Log;
  /** About the main cell, where other tests have their tenants in another one. */
  readonly isAlone?: boolean;
}

export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-test-'));
  const withCell = options.isAlone ? null : await copyTemplateWithCell();
  const made = withCell ?? (await copyTemplate(folder));
  const cell = withCell?.cell ?? null;
  const sim = await startSimulator({ callbackUrl: null, sentMs: 5, deliveredMs: 10, readMs: 15, ...options.simulator });
  const given = testRuntime(
    {
      port: 0,
      networkUrl: sim.url,
      stripeUrl: sim.url,
      databaseUrl: made.url ?? '',
      dataDir: folder,
      bootstrapApiKey: cell === null ? TEST_KEY : '',
      unknownWaitS: 2,
      // Tests ask as fast as they can, all from one address.
      apiRate: 0,
      apiTenantRate: 0,
      wrongKeyRate: 0,
      ...options.config,
    },
    options.clock,
    options.random,
    options.log,
  );
  const started = await startService(given);
  const { rt, service } = await placeTenants(given, started, cell);
  await callApi(sim.url, 'PUT', '/_sim/config', {
    callback_url: `${service.url}/webhooks/meta`,
    gateway_callback_url: `${service.url}/webhooks/payments/stripe`,
  });
  return {
    rt,
    service,
    sim,
    key: TEST_KEY,
    call: (method, path, body, headers = {}) =>
      callApi(service.url, method, path, body, { authorization: `Bearer ${TEST_KEY}`, ...headers }),
    simulate: (method, path, body) => callApi(sim.url, method, path, body),
    until,
    close: async () => {
      try {
        // A test that took the database away has nothing to check.
        const faults = await checkRecordedEvents(service.db).catch(eventFault);
        await untilClosed(service.close(), options.clock);
        if (faults) throw faults;
      } finally {
        await sim.close();
        await made.drop();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

/**
 * Where the tenants of a test live, and what it looks into: the main cell, or the one that its database has besides. Whatever
 * a test asks the service then comes through the door in front of two cells.
 */
async function placeTenants(
  rt: Runtime,
  service: Service,
  cellId: string | null,
): Promise<Pick<TestService, 'rt' | 'service'>> {
  if (cellId === null) return { rt, service };
  const cell = service.cells?.forOperators.served().find((served) => served.cellId === cellId);
  if (cell === undefined) throw new Error(`The service does not serve the cell ${cellId} of the test.`);
  const bootstrap = await bootstrapTenant(cell.rt, cell.db, TEST_KEY);
  return { rt: cell.rt, service: { ...service, db: cell.db, bootstrap } };
}

/** What is wrong with the events; a database that is away says nothing about them. */
function eventFault(error: Error): EventFault | undefined {
  return error instanceof EventFault ? error : undefined;
}

/** What a server grants clients that keep their connection is a span of its clock: one that stands still is moved. */
async function untilClosed(closing: Promise<void>, clock: Clock | undefined): Promise<void> {
  let isOpen = true;
  const closed = closing.finally(() => {
    isOpen = false;
  });
  while (clock instanceof TestClock && isOpen) {
    clock.advance(CLOSING_STEP_MS);
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS))]);
  }
  await closed;
}

/** One HTTP call; a body that is bytes goes out as it is, anything else as JSON. */
export async function callApi(
  base: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const text = Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body);
  const payload = body === undefined ? {} : { body: text, headers: { 'content-type': 'application/json', ...headers } };
  const response = await fetch(base + path, { method, headers, ...payload });
  const answer = await response.text();
  // A stream of lines is no document.
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, headers: response.headers, text: answer, body: isJson ? JSON.parse(answer) : null };
}

/** Waits on a signal that can only be asked for; the pause is between questions, not instead of one. */
async function until<T>(ask: () => Promise<T>, done: (value: T) => boolean, what: string): Promise<T> {
  const endMs = performance.now() + PATIENCE_MS;
  let value = await ask();
  while (!done(value)) {
    if (performance.now() > endMs)
      throw new Error(`Never came about: ${what}. Last seen: ${JSON.stringify(value)?.slice(0, 2_000)}`);
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
    value = await ask();
  }
  return value;
}
