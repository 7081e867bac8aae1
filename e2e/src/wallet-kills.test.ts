import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillDataFolder } from './data-folder.ts';
import { freePort, type Program, postrider, root, run, type Settings, startProgram } from './postrider-process.ts';
import { type Accounts, type Line, replayLedger } from './wallet-ledger.ts';

/*
 * Messages that are paid from a wallet, through the built service, which is killed (SIGKILL) again and again in the
 * middle of them, once together with a payment at the gateway. After each start the ledger is replayed line by line.
 */
const KEY = 'key-of-the-first-tenant';
const SECRET = 'whsec_kills';
const ROUNDS = 4;
const SENDS_PER_ROUND = 60;
const SENDERS = 12;
/** Fewer cents than the messages cost, so that some are refused for want of money. */
const FIRST_CENTS = 100;
const SECOND_CENTS = 100;
const TEMPLATE_MICROS = 20_000;
const SERVICE_MICROS = 10_000;
const CENT_MICROS = 10_000;
const ASK_AGAIN_MS = 50;

let folder: string;
let url: string;
let settings: Settings;
let service: Program;
let simulator: Program;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postrider-kills-'));
  const [port, simulatorPort] = [await freePort(), await freePort()];
  url = `http://127.0.0.1:${port}`;
  simulator = startProgram(join(root, 'simulator', 'dist', 'bin', 'simulator.js'), [], {
    MESSAGING_SIMULATOR_PORT: String(simulatorPort),
    MESSAGING_SIMULATOR_CALLBACK_URL: `${url}/webhooks/meta`,
    MESSAGING_SIMULATOR_GATEWAY_CALLBACK_URL: `${url}/webhooks/payments/stripe`,
    MESSAGING_SIMULATOR_GATEWAY_SECRET: SECRET,
    MESSAGING_SIMULATOR_NUMBER_RATE: '0',
    MESSAGING_SIMULATOR_PAIR_LIMIT: 'off',
  });
  await simulator.printed(/listening on/);
  settings = {
    PORT: String(port),
    MESSAGING_DATA_DIR: fillDataFolder(join(folder, 'data')),
    MESSAGING_NETWORK_URL: `http://127.0.0.1:${simulatorPort}`,
    MESSAGING_BOOTSTRAP_API_KEY: KEY,
    MESSAGING_NUMBER_RATE: '0',
    MESSAGING_PAIR_LIMIT: 'off',
    MESSAGING_API_RATE: '0',
    MESSAGING_API_TENANT_RATE: '0',
    MESSAGING_UNKNOWN_WAIT_S: '1',
    MESSAGING_WALLET_ENABLED: 'true',
    MESSAGING_STRIPE_URL: `http://127.0.0.1:${simulatorPort}`,
    MESSAGING_STRIPE_KEY: 'sk_test_kills',
    MESSAGING_STRIPE_WEBHOOK_SECRET: SECRET,
    LOG_LEVEL: 'error',
  };
  // Templates that the simulator does not know are utility to it.
  for (const [category, micros] of [
    ['utility', TEMPLATE_MICROS],
    ['service', SERVICE_MICROS],
  ] as const) {
    const set = await run(
      ['wallet', 'set-price', category, String(micros), '--from', '2026-01-01T00:00:00Z'],
      settings,
    );
    expect(set.exitCode, set.stderr).toBe(0);
  }
  await start();
}, 300_000);
afterAll(async () => {
  for (const program of [service, simulator]) {
    program?.child.kill('SIGKILL');
    await program?.finished;
  }
  rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<void> {
  service = startProgram(postrider, ['serve'], settings);
  await service.printed(/listening on (\S+)/);
}

// biome-ignore lint/suspicious/noExplicitAny: the test looks into answers of many shapes
type Answer = { readonly status: number; readonly body: any };

async function call(method: string, path: string, body?: object, headers: Settings = {}): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

async function until<T>(ask: () => Promise<T>, done: (value: T) => boolean): Promise<T> {
  let value = await ask();
  while (!done(value)) {
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
    value = await ask();
  }
  return value;
}

interface Send {
  readonly key: string;
  readonly body: object;
}

/** Every second one is a template, which is billed; the others are free, and every tenth of them fails. */
function makeSends(): readonly Send[] {
  return Array.from({ length: SENDS_PER_ROUND }, (_, index) => {
    const to = index % 20 === 1 ? '99900000003' : `4477009${String(10_000 + index)}`;
    const text = { to, body: `Message ${index}` };
    const template = { to, type: 'template', template: { name: 'offer', language: 'en' } };
    return { key: randomUUID(), body: index % 2 === 0 ? template : text };
  });
}

interface Outcome {
  readonly send: Send;
  /** Null: the connection broke. */
  readonly answer: Answer | null;
}

/** Sends them by several concurrent senders; `accepted` is called for each 202. */
async function sendAll(sends: readonly Send[], accepted: () => void = () => undefined): Promise<readonly Outcome[]> {
  const waiting = [...sends];
  const outcomes: Outcome[] = [];
  const sender = async () => {
    for (let send = waiting.shift(); send !== undefined; send = waiting.shift()) {
      const answer = await call('POST', '/v1/messages', send.body, { 'idempotency-key': send.key }).catch(() => null);
      outcomes.push({ send, answer });
      if (answer?.status === 202) accepted();
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
  return outcomes;
}

async function allLines(): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for (let path: string | null = '/v1/wallet/transactions?limit=1000'; path !== null; ) {
    const { body }: Answer = await call('GET', path);
    lines.push(...body.data);
    const next = body.page.next_cursor;
    path = next === null ? null : `/v1/wallet/transactions?limit=1000&cursor=${next}`;
  }
  return lines.toReversed();
}

/** The ledger keeps its rules, and the wallet has what the ledger adds up to. */
async function checkLedger(): Promise<Accounts> {
  const { wallet, lines } = await until(
    async () => {
      const before = (await call('GET', '/v1/wallet')).body;
      const read = await allLines();
      return { wallet: before, lines: read, after: (await call('GET', '/v1/wallet')).body };
    },
    // What is settled between the questions belongs to the next look.
    ({ wallet: before, after }) => JSON.stringify(before) === JSON.stringify(after),
  );
  const accounts = replayLedger(lines);
  const cents = (micros: number) => Math.trunc(micros / CENT_MICROS);
  expect(wallet).toMatchObject({ available: cents(accounts.available), held: cents(accounts.held) });
  return accounts;
}

async function beginTopUp(amount: number): Promise<{ readonly id: string; readonly pay: () => Promise<number> }> {
  const { status, body } = await call('POST', '/v1/wallet/topups', { amount, currency: 'EUR' });
  expect(status, JSON.stringify(body)).toBe(201);
  const form = { method: 'POST', body: new URLSearchParams({ decision: 'pay' }), redirect: 'manual' } as const;
  return { id: body.id, pay: async () => (await fetch(body.checkout_url, form)).status };
}

const untilPaid = (id: string) =>
  until(
    () => call('GET', `/v1/wallet/topups/${id}`),
    ({ body }) => body.status === 'paid',
  );

interface Round {
  readonly outcomes: readonly Outcome[];
  /** Requests that the kill broke off. */
  readonly broken: number;
}

/** One round: sends, a kill after some of them were accepted, a start, the ledger, and the rest of the sends. */
async function round(number: number, also: () => Promise<unknown>): Promise<Round> {
  const killAt = 5 + 3 * number;
  let accepted = 0;
  const first = await sendAll(makeSends(), () => {
    accepted += 1;
    if (accepted === killAt) void also().finally(() => service.child.kill('SIGKILL'));
  });
  // A round in which too few could be paid was not killed on the way; then it is killed now.
  service.child.kill('SIGKILL');
  await service.finished;
  await start();
  await checkLedger();
  const broken = first.filter(({ answer }) => answer === null).map(({ send }) => send);
  const outcomes = [...first.filter(({ answer }) => answer !== null), ...(await sendAll(broken))];
  return { outcomes, broken: broken.length };
}

test('a service that is killed again and again posts every message and every payment exactly once', async () => {
  const one = await beginTopUp(FIRST_CENTS);
  const two = await beginTopUp(SECOND_CENTS);
  expect(await one.pay()).toBe(303);
  await untilPaid(one.id);
  const rounds: Round[] = [];
  const wallet = () => call('GET', '/v1/wallet');
  for (let number = 0; number < ROUNDS; number += 1) {
    // What was held for free messages is available again: it pays enough of the next ones for the kill to come among
    // them.
    await until(wallet, ({ body }) => body.held === 0);
    rounds.push(await round(number, number === 1 ? two.pay : async () => undefined));
    // The gateway repeats the events that the killed service missed; the next round needs the money.
    if (number === 1) await untilPaid(two.id);
  }
  expect(rounds.filter(({ broken }) => broken > 0).length).toBeGreaterThanOrEqual(3);
  const outcomes = rounds.flatMap((one) => one.outcomes);
  expect(new Set(outcomes.map(({ answer }) => answer?.status))).toEqual(new Set([202, 400]));
  const refused = outcomes.filter(({ answer }) => answer?.status === 400);
  expect(new Set(refused.map(({ answer }) => answer?.body.code))).toEqual(new Set(['insufficient_balance']));

  await until(wallet, ({ body }) => body.held === 0);
  const accounts = await checkLedger();
  const lines = await allLines();
  const of = (kind: Line['kind']) => lines.filter((line) => line.kind === kind);
  expect(of('topup').map(({ amount_micros: micros }) => micros / CENT_MICROS)).toEqual([FIRST_CENTS, SECOND_CENTS]);
  const accepted = outcomes.filter(({ answer }) => answer?.status === 202);
  expect(new Set(of('hold').map((line) => line.message_id))).toEqual(
    new Set(accepted.map(({ answer }) => answer?.body.id)),
  );
  const templates = accepted.filter(({ send }) => 'template' in send.body);
  expect(accounts).toEqual({
    cash: -(FIRST_CENTS + SECOND_CENTS) * CENT_MICROS,
    available: (FIRST_CENTS + SECOND_CENTS) * CENT_MICROS - templates.length * TEMPLATE_MICROS,
    held: 0,
    revenue: templates.length * TEMPLATE_MICROS,
  });
}, 600_000);
