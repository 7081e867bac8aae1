import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fillDataFolder } from './data-folder.ts';
import { freePort, root, run, type Settings } from './postrider-process.ts';
import { ProgramFolder } from './program-folder.ts';
import { portOf, takePort } from './taken-port.ts';

/* What `npm start` runs: the service and a simulated network beside it. */
const STARTER = join(root, 'scripts', 'start.mjs');

let folder: ProgramFolder;
beforeEach(() => {
  folder = new ProgramFolder();
});
afterEach(() => folder.close());

async function start(settings: Settings, home = folder) {
  const program = home.start(STARTER, [], settings);
  const [line, base = '', sim = '', key = ''] = await program.printed(/^export BASE=(\S+) SIM=(\S+) KEY=(\S+)$/m);
  await program.printed(/Ctrl-C stops/);
  return { ...program, line, base, sim, key };
}

type Started = Awaited<ReturnType<typeof start>>;

const ORDER_READY = { name: 'order_ready', language: 'en_US', variables: { first_name: 'Ada', order_no: 'A-17' } };

/** Sends, and waits for what the network makes of it. */
async function send({ base, key }: Started, message: object) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const accepted = await fetch(`${base}/v1/messages`, { method: 'POST', headers, body: JSON.stringify(message) });
  const { id } = (await accepted.json()) as { id: string };
  let state = 'pending';
  let error: unknown;
  while (!['read', 'failed'].includes(state)) {
    const read = await fetch(`${base}/v1/messages/${id}`, { headers });
    ({ state, error } = ((await read.json()) as { delivery: { state: string; error: unknown } }).delivery);
  }
  return { status: accepted.status, warning: accepted.headers.get('postrider-warning'), state, error };
}

test('the line to copy works as printed, the simulator is as strict as the network, and Ctrl-C stops both', async () => {
  const [port, simulatorPort] = [await freePort(), await freePort()];
  const settings = {
    PORT: String(port),
    MESSAGING_SIMULATOR_PORT: String(simulatorPort),
    MESSAGING_DATA_DIR: folder.data,
  };
  const first = await start(settings);
  expect([first.base, first.sim]).toEqual([`http://localhost:${port}`, `http://localhost:${simulatorPort}`]);
  const template = { to: '447700900123', type: 'template', template: ORDER_READY };
  expect(await send(first, template)).toMatchObject({ status: 202, warning: null, state: 'read' });
  const text = await send(first, { to: '447700900124', body: 'Hi' });
  expect(text).toMatchObject({ status: 202, warning: 'window_closed', state: 'failed' });
  expect(text.error).toMatchObject({ code: 'window_closed', network_code: 131047 });
  expect(statSync(join(folder.data, 'demo-api-key')).mode & 0o777).toBe(0o600);
  // Without a port: the command line finds the service by its data folder.
  const waited = await run(['send', '--to', '99900000001', '--body', 'Hi', '--wait'], {
    MESSAGING_DATA_DIR: folder.data,
  });
  expect(waited).toMatchObject({ exitCode: 0, stderr: '' });
  first.child.kill('SIGINT');
  expect((await first.finished).exitCode).toBe(0);
  await expect(fetch(`http://127.0.0.1:${simulatorPort}/`)).rejects.toThrow();
});

describe('one that runs', () => {
  let home: ProgramFolder;
  let settings: Settings;
  let running: Started;

  beforeAll(async () => {
    home = new ProgramFolder();
    settings = {
      PORT: String(await freePort()),
      MESSAGING_SIMULATOR_PORT: String(await freePort()),
      MESSAGING_DATA_DIR: fillDataFolder(home.data),
    };
    running = await start(settings, home);
  });
  afterAll(() => home.close());

  test('takes what a customer writes to the demo before anything was sent', async () => {
    const answer = await fetch(`${running.sim}/_sim/inbound`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ from: '447700900123', text: 'Are you open?' }),
    });
    expect(await answer.json()).toMatchObject({ queued: 1 });
    const authorization = `Bearer ${readFileSync(join(home.data, 'demo-api-key'), 'utf8').trim()}`;
    let received: unknown[] = [];
    while (received.length === 0) {
      const read = await fetch(`${running.base}/v1/messages/inbound`, { headers: { authorization } });
      received = ((await read.json()) as { data: unknown[] }).data;
    }
    expect(received).toMatchObject([{ from: '447700900123' }]);
  });

  test('is named by a second start in the same folder, which changes nothing', async () => {
    const { exitCode, stdout, stderr } = await home.start(STARTER, [], { MESSAGING_DATA_DIR: home.data }).finished;
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`Postrider is already running at ${running.base} (process `);
    const checked = await run(['doctor'], { MESSAGING_DATA_DIR: home.data });
    expect(checked.stdout).toContain(`is ready at http://127.0.0.1:${settings.PORT}`);
    expect(checked.stdout).toContain(`http://127.0.0.1:${settings.MESSAGING_SIMULATOR_PORT} answers`);
  });

  test('has printed little: the address, the link, the key and the folder in this order, and stops on SIGTERM', async () => {
    running.child.kill('SIGTERM');
    const { exitCode, stdout } = await running.finished;
    expect(exitCode).toBe(0);
    const order = [
      'Postrider is running at ',
      '/sign-in#token=',
      running.key,
      'export BASE=',
      home.data,
      'Ctrl-C stops',
    ];
    const places = order.map((text) => stdout.indexOf(text));
    expect(places.every((place) => place >= 0)).toBe(true);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(stdout.trim().split('\n').length).toBeLessThan(20);
    expect(stdout).not.toContain('migrated');
  });
});

test('templates, customers and open windows are those of before after a restart, and so is the key', async () => {
  const settings = {
    PORT: String(await freePort()),
    MESSAGING_SIMULATOR_PORT: String(await freePort()),
    MESSAGING_DATA_DIR: fillDataFolder(folder.data),
  };
  const first = await start(settings);
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ from: '447700900123', text: 'Are you open?', name: 'Ada' });
  await fetch(`${first.sim}/_sim/inbound`, { method: 'POST', headers, body });
  first.child.kill('SIGTERM');
  await first.finished;
  const second = await start(settings);
  expect(second.line).toBe(first.line);
  const template = { to: '447700900125', type: 'template', template: ORDER_READY };
  expect(await send(second, template)).toMatchObject({ state: 'read' });
  expect(await send(second, { to: '447700900123', body: 'Until nine.' })).toMatchObject({ state: 'read' });
  const phones = (await (await fetch(`${second.sim}/_sim/phones`)).json()) as { data: unknown[] };
  expect(phones.data).toContainEqual(expect.objectContaining({ peer: '447700900123', name: 'Ada' }));
  second.child.kill('SIGTERM');
  expect((await second.finished).exitCode).toBe(0);
});

test('with wallets switched on lets a person pay on the page of the simulated gateway', async () => {
  const port = String(await freePort());
  const { child, finished } = await start({
    PORT: port,
    MESSAGING_SIMULATOR_PORT: String(await freePort()),
    MESSAGING_DATA_DIR: fillDataFolder(folder.data),
    MESSAGING_WALLET_ENABLED: 'true',
  });
  const key = readFileSync(join(folder.data, 'demo-api-key'), 'utf8').trim();
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const address = `http://127.0.0.1:${port}/v1/wallet/topups`;
  const body = JSON.stringify({ amount: 5000, currency: 'EUR' });
  const begun = (await (await fetch(address, { method: 'POST', headers, body })).json()) as Record<string, string>;
  // Follows the way back too: to a page of the service that says thanks.
  const paid = await fetch(begun.checkout_url ?? '', {
    method: 'POST',
    body: new URLSearchParams({ decision: 'pay' }),
  });
  expect([paid.status, await paid.text()]).toEqual([200, expect.stringContaining('Thank you')]);
  let status: string | undefined = 'pending';
  while (status === 'pending') {
    const read = await fetch(`${address}/${begun.id}`, { headers });
    status = ((await read.json()) as Record<string, string>).status;
  }
  expect(status).toBe('paid');
  child.kill('SIGTERM');
  expect((await finished).exitCode).toBe(0);
});

test('when the starter is killed, server and simulator stop automatically', async () => {
  const settings = {
    PORT: String(await freePort()),
    MESSAGING_SIMULATOR_PORT: String(await freePort()),
    MESSAGING_DATA_DIR: fillDataFolder(folder.data),
  };
  const program = await start(settings);
  program.child.kill('SIGKILL');
  // Both hold the output of the starter open: it ends when the last of them is gone.
  await program.finished;
  expect(existsSync(join(folder.data, 'postrider.lock'))).toBe(false);
});

test('when the server is killed, a sentence says so, the simulator stops, and the exit code shows it', async () => {
  const simulatorPort = await freePort();
  const { child, finished } = await start({
    PORT: String(await freePort()),
    MESSAGING_SIMULATOR_PORT: String(simulatorPort),
    MESSAGING_DATA_DIR: fillDataFolder(folder.data),
  });
  // The lock of the data folder names the process that holds it.
  const [pid = ''] = /\d+/.exec(readFileSync(join(folder.data, 'postrider.lock'), 'utf8')) ?? [];
  expect(Number(pid)).not.toBe(child.pid);
  process.kill(Number(pid), 'SIGKILL');
  const { exitCode, stderr } = await finished;
  expect(exitCode).toBe(1);
  expect(stderr).toContain('The server was ended by SIGKILL; stopping the simulator too.');
  await expect(fetch(`http://127.0.0.1:${simulatorPort}/`)).rejects.toThrow();
});

test.each([
  'PORT',
  'MESSAGING_SIMULATOR_PORT',
])('when %s is taken, one sentence says so and nothing is started', async (name) => {
  const taken = await takePort();
  const port = portOf(taken);
  const settings = {
    PORT: String(await freePort()),
    MESSAGING_SIMULATOR_PORT: String(await freePort()),
    MESSAGING_DATA_DIR: fillDataFolder(folder.data),
    [name]: String(port),
  };
  const { exitCode, stdout, stderr } = await folder.start(STARTER, [], settings).finished;
  taken.close();
  expect([exitCode, stdout]).toEqual([1, '']);
  expect(stderr).toBe(`Port ${port} is taken by another program. Stop it, or set ${name} to another port.\n`);
});

test('a data folder that cannot be made is named, with the setting', async () => {
  const dataDir = join(STARTER, 'data');
  const { exitCode, stderr } = await folder.start(STARTER, [], { MESSAGING_DATA_DIR: dataDir }).finished;
  expect([exitCode, stderr]).toEqual([
    2,
    `The data folder ${dataDir} cannot be made (ENOTDIR). Set MESSAGING_DATA_DIR to another folder.\n`,
  ]);
});
