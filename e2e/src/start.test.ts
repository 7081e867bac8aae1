import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
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

async function start(settings: Settings) {
  const program = folder.start(STARTER, [], settings);
  const [curl] = await program.printed(/^curl .*$/m);
  await program.printed(/Ctrl-C stops/);
  return { ...program, curl };
}

test('the curl line works as printed, the key stays the same, and Ctrl-C stops both', async () => {
  const [port, simulatorPort] = [await freePort(), await freePort()];
  const settings = {
    PORT: String(port),
    MESSAGING_SIMULATOR_PORT: String(simulatorPort),
    MESSAGING_DATA_DIR: folder.data,
  };
  const first = await start(settings);
  expect(await pasted(first.curl)).toMatchObject({ status: 202 });
  expect(statSync(join(folder.data, 'demo-api-key')).mode & 0o777).toBe(0o600);
  const waited = await run(['send', '--to', '447700900123', '--body', 'Hi', '--wait'], settings);
  expect(waited).toMatchObject({ exitCode: 0, stderr: '' });
  first.child.kill('SIGINT');
  expect((await first.finished).exitCode).toBe(0);
  await expect(fetch(`http://127.0.0.1:${simulatorPort}/`)).rejects.toThrow();
  const second = await start(settings);
  expect(second.curl).toBe(first.curl);
  expect(second.curl).toContain(readFileSync(join(folder.data, 'demo-api-key'), 'utf8').trim());
  second.child.kill('SIGTERM');
  expect((await second.finished).exitCode).toBe(0);
});

test('a customer can write to the demo before anything was sent', async () => {
  const [port, simulatorPort] = [await freePort(), await freePort()];
  const { child, finished } = await start({
    PORT: String(port),
    MESSAGING_SIMULATOR_PORT: String(simulatorPort),
    MESSAGING_DATA_DIR: fillDataFolder(folder.data),
  });
  const answer = await fetch(`http://127.0.0.1:${simulatorPort}/_sim/inbound`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ from: '447700900123', text: 'Are you open?' }),
  });
  expect(await answer.json()).toMatchObject({ queued: 1 });
  const authorization = `Bearer ${readFileSync(join(folder.data, 'demo-api-key'), 'utf8').trim()}`;
  let received: unknown[] = [];
  while (received.length === 0) {
    const read = await fetch(`http://127.0.0.1:${port}/v1/messages/inbound`, { headers: { authorization } });
    received = ((await read.json()) as { data: unknown[] }).data;
  }
  expect(received).toMatchObject([{ from: '447700900123' }]);
  child.kill('SIGTERM');
  expect((await finished).exitCode).toBe(0);
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
}, 120_000);

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

test('when the simulator cannot start, the server stops too and the exit code shows it', async () => {
  const taken = await takePort();
  const settings = {
    PORT: String(await freePort()),
    MESSAGING_SIMULATOR_PORT: String(portOf(taken)),
    MESSAGING_DATA_DIR: fillDataFolder(folder.data),
  };
  const { exitCode, stderr } = await folder.start(STARTER, [], settings).finished;
  taken.close();
  expect(exitCode).toBe(1);
  expect(stderr).toContain(`Port ${settings.MESSAGING_SIMULATOR_PORT} is taken`);
  expect(existsSync(join(folder.data, 'postrider.lock'))).toBe(false);
});

/** Does what a shell would do with the printed curl line: same address, headers and body. */
async function pasted(curl: string): Promise<Response> {
  const [, url = ''] = /(http\S+)/.exec(curl) ?? [];
  const headers = [...curl.matchAll(/-H '([^:]+): ([^']+)'/g)].map(
    ([, name = '', value = '']) => [name, value] as [string, string],
  );
  const [, body = ''] = /-d '([^']+)'/.exec(curl) ?? [];
  return fetch(url, { method: 'POST', headers, body });
}
