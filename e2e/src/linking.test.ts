import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fillDataFolder } from './data-folder.ts';
import { PATIENCE_MS } from './patience.ts';
import { freePort, type Program, postrider, root, type Settings, startProgram } from './postrider-process.ts';

/*
 * A person links an account: the built programs, and a browser that is played with fetch. It reads the page of the
 * dialog, fills its form in, and is led back to the service.
 */
const KEY = 'key-of-the-first-tenant';
const ASK_AGAIN_MS = 50;

let folder: string;
/** What a failed test left running; ended in any case. */
const running = new Set<Program>();
let proxy: Server | null = null;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'postrider-linking-'));
});
afterEach(async () => {
  for (const program of running) program.child.kill('SIGKILL');
  await Promise.all([...running].map((program) => program.finished));
  running.clear();
  proxy?.closeAllConnections();
  proxy?.close();
  proxy = null;
  rmSync(folder, { recursive: true, force: true });
});

function start(file: string, args: readonly string[], settings: Settings): Program {
  const program = startProgram(file, args, settings);
  running.add(program);
  return program;
}

// biome-ignore lint/suspicious/noExplicitAny: the tests look into answers of many shapes
type Body = any;

async function call(url: string, method: string, path: string, body?: object): Promise<Body> {
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = { authorization: `Bearer ${KEY}`, ...(body ? { 'content-type': 'application/json' } : {}) };
  return (await fetch(url + path, { method, headers, ...content })).json();
}

/** Reads the page of the dialog and presses its main button. @returns where the browser is led */
async function pressContinue(dialogUrl: string): Promise<string> {
  const page = await fetch(dialogUrl, { headers: { accept: 'text/html' } });
  const html = await page.text();
  const action = /<form method="post" action="([^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const [, name = '', value = ''] = /<button class="main" name="(\w+)" value="(\w+)"/.exec(html) ?? [];
  // The last choice of the page: a new account, whose number has never been registered.
  const choices = [...html.matchAll(/<input type="radio" name="waba_id" value="([^"]+)"/g)];
  const form = new URLSearchParams({ [name]: value, waba_id: choices.at(-1)?.[1] ?? '', name: 'Flower shop' });
  const answer = await fetch(new URL(action, page.url), { method: 'POST', body: form, redirect: 'manual' });
  expect(answer.status).toBe(302);
  return answer.headers.get('location') ?? '';
}

async function until<T>(ask: () => Promise<T>, done: (value: T) => boolean): Promise<T> {
  const endMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const value = await ask();
    if (done(value)) return value;
    if (performance.now() > endMs) throw new Error(`It never came about: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
  }
}

test('after npm start a person clicks through the dialog, and the new number sends', async () => {
  const [port, simulatorPort] = [await freePort(), await freePort()];
  const program = start(join(root, 'scripts', 'start.mjs'), [], {
    PORT: String(port),
    MESSAGING_SIMULATOR_PORT: String(simulatorPort),
    MESSAGING_DATA_DIR: fillDataFolder(join(folder, 'data')),
    MESSAGING_BOOTSTRAP_API_KEY: KEY,
    LOG_LEVEL: 'debug',
  });
  const url = `http://127.0.0.1:${port}`;
  await until(
    () =>
      fetch(`${url}/readyz`).then(
        (answer) => answer.ok,
        () => false,
      ),
    (isReady) => isReady,
  );
  const dialog = await call(url, 'GET', '/v1/meta/oauth/url');
  const back = await pressContinue(dialog.url);
  const page = await fetch(back, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('The account is linked')]);
  const { data: numbers } = await call(url, 'GET', '/v1/phone-numbers');
  const linked = numbers.find((number: Body) => number.account_id !== null);
  expect(linked).toMatchObject({ name: 'Flower shop', status: 'active', network_status: 'CONNECTED' });
  const sent = await call(url, 'POST', '/v1/messages', {
    // Takes free text without having written.
    to: '99900000001',
    body: 'Hi',
    phone_number_id: linked.id,
  });
  await until(
    () => call(url, 'GET', `/v1/messages/${sent.id}`),
    (message) => message.status === 'sent',
  );
  const { data: tokens } = await call(`http://127.0.0.1:${simulatorPort}`, 'GET', '/_sim/tokens');
  program.child.kill('SIGTERM');
  const { stdout, stderr } = await program.finished;
  expect(tokens).toHaveLength(1);
  expect(stdout + stderr).not.toContain(tokens[0].token);
});

interface Holding {
  readonly url: string;
  /** Resolves when a request was held back. */
  readonly held: Promise<void>;
  letPass(): void;
}

/** A network between the service and the simulator that holds back every registration until it is released. */
async function holdRegistrations(simulatorPort: number): Promise<Holding> {
  let holds = true;
  let reached: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const server = createServer((incoming: IncomingMessage, answer: ServerResponse) => {
    if (holds && incoming.url?.endsWith('/register')) return reached();
    const { method, url: path, headers } = incoming;
    const outgoing = request({ host: '127.0.0.1', port: simulatorPort, method, path, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    outgoing.on('error', () => answer.destroy());
    incoming.pipe(outgoing);
  });
  proxy = server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const letPass = () => {
    holds = false;
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, held, letPass };
}

test('a service that is killed while it registers a number shows the step, and runs it again alone', async () => {
  const simulatorPort = await freePort();
  const simulator = start(postrider, ['simulator', '--port', String(simulatorPort), '--callback-url', ''], {});
  await simulator.printed(/listening/);
  const network = await holdRegistrations(simulatorPort);
  const port = await freePort();
  const settings = {
    PORT: String(port),
    MESSAGING_DATA_DIR: fillDataFolder(join(folder, 'data')),
    MESSAGING_NETWORK_URL: network.url,
    MESSAGING_BOOTSTRAP_API_KEY: KEY,
    LOG_LEVEL: 'error',
  };
  const url = `http://127.0.0.1:${port}`;
  const serve = async () => {
    const program = start(postrider, ['serve'], settings);
    await program.printed(/listening on/);
    return program;
  };
  const service = await serve();
  const back = await pressContinue((await call(url, 'GET', '/v1/meta/oauth/url')).url);
  const broken = expect(fetch(back)).rejects.toThrow();
  await network.held;
  service.child.kill('SIGKILL');
  await service.finished;
  await broken;
  await serve();
  const [account] = (await call(url, 'GET', '/v1/accounts')).data;
  expect(account.status).toBe('incomplete');
  expect(account.steps.map(({ step, state }: Body) => [step, state])).toEqual([
    ['exchange', 'done'],
    ['inspect', 'done'],
    ['subscribe', 'done'],
    ['numbers', 'done'],
    ['register', 'pending'],
  ]);
  const isLinked = (number: Body) => number.account_id === account.id;
  expect((await call(url, 'GET', '/v1/phone-numbers')).data.filter(isLinked)).toEqual([]);
  network.letPass();
  expect(await call(url, 'POST', `/v1/accounts/${account.id}/retry`)).toMatchObject({ status: 'linked' });
  expect((await call(url, 'GET', '/v1/phone-numbers')).data.filter(isLinked)).toHaveLength(1);
});
