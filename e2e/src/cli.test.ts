import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fillDataFolder } from './data-folder.ts';
import {
  freePort,
  type Program,
  postrider,
  root,
  run,
  type Settings,
  startProgram as startAnyProgram,
} from './postrider-process.ts';

/*
 * The built command line as a person or a supervisor meets it: processes, signals, exit codes, pipes. It expects
 * what `npm run build` makes.
 */
const KEY = 'key-of-the-first-tenant';
/** Nobody listens there; nothing of these tests is sent. */
const NOWHERE = 'http://127.0.0.1:9';
/** A revoked key must have stopped working after this. */

let folder: string;
const newSettings = (): Settings => {
  const MESSAGING_DATA_DIR = join(folder, 'data');
  return {
    PORT: '0',
    MESSAGING_DATA_DIR,
    MESSAGING_NETWORK_URL: NOWHERE,
    MESSAGING_BOOTSTRAP_API_KEY: KEY,
    LOG_LEVEL: 'error',
  };
};
/** What a test that failed half-way left running; ended whatever happens. */
const running = new Set<Program>();
const startProgram: typeof startAnyProgram = (...call) => {
  const program = startAnyProgram(...call);
  running.add(program);
  void program.finished.then(() => running.delete(program));
  return program;
};
async function endAll(): Promise<void> {
  for (const program of running) program.child.kill('SIGKILL');
  await Promise.all([...running].map((program) => program.finished));
  rmSync(folder, { recursive: true, force: true });
}
const newFolder = () => mkdtempSync(join(tmpdir(), 'postrider-cli-'));

interface Serving extends Program {
  readonly url: string;
}

async function serve(settings: Settings): Promise<Serving> {
  const program = startProgram(postrider, ['serve'], settings);
  const [, url = ''] = await program.printed(/listening on (\S+)/);
  return { ...program, url };
}

const list = (url: string, key: string) =>
  fetch(`${url}/v1/messages/outbound`, { headers: { authorization: `Bearer ${key}` } });

describe('beside a running server', () => {
  let settings: Settings;
  let server: Serving;

  beforeAll(async () => {
    folder = newFolder();
    settings = newSettings();
    fillDataFolder(join(folder, 'data'));
    server = await serve(settings);
  });
  afterAll(async () => {
    server.child.kill('SIGTERM');
    await server.finished;
    await endAll();
  });

  test('the operator socket is the only way in, and its owner’s alone', () => {
    expect(statSync(join(folder, 'data', 'postrider.sock')).mode & 0o777).toBe(0o600);
  });

  test('a second process on the data folder is refused with a sentence that names the first', async () => {
    const { exitCode, stderr } = await run(['serve'], settings);
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(
      new RegExp(`is in use by process ${server.child.pid}\\..* one process: .*DATABASE_URL.*\n$`),
    );
  });

  test('a tenant is made, given a number, and listed as JSON and as a table', async () => {
    const made = await run(['tenants', 'create', 'Flower shop', '-o', 'json'], settings);
    const tenant = JSON.parse(made.stdout) as { id: string };
    expect(made.exitCode).toBe(0);
    const added = await run(
      ['numbers', 'add', '4711', '--phone', '+1 555 010 0001', '--tenant', tenant.id, '-o', 'json'],
      settings,
    );
    expect(JSON.parse(added.stdout)).toMatchObject({ id: '4711', phone: '15550100001', status: 'active' });
    expect(JSON.parse((await run(['tenants', 'list', '-o', 'json'], settings)).stdout)).toMatchObject({
      data: [{ name: 'Demo' }, { name: 'Flower shop' }],
    });
    expect((await run(['numbers', 'list'], settings)).stdout).toMatch(/^ID +PHONE +NAME +STATUS +RATE +TENANT\n/);
  });

  test('a number is paused and resumed', async () => {
    const paused = await run(
      ['numbers', 'pause', '100000000000001', '--reason', 'Low quality', '-o', 'json'],
      settings,
    );
    expect(JSON.parse(paused.stdout)).toMatchObject({ status: 'paused', pause_reason: 'Low quality' });
    expect((await run(['numbers', 'resume', '100000000000001'], settings)).stdout).toContain('active');
  });

  test('a revoked key stops working in a server that runs', async () => {
    const made = await run(['keys', 'create', '--tenant', 'Demo', '-o', 'json'], settings);
    const { id, key } = JSON.parse(made.stdout) as { id: string; key: string };
    expect((await list(server.url, key)).status).toBe(200);
    expect((await run(['keys', 'revoke', id, '--tenant', 'Demo'], settings)).exitCode).toBe(0);
    let status = 200;
    while (status === 200) status = (await list(server.url, key)).status;
    expect(status).toBe(401);
  });

  test('a rotated key and its successor both work during the overlap', async () => {
    const old = JSON.parse((await run(['keys', 'create', '--tenant', 'Demo', '-o', 'json'], settings)).stdout) as {
      id: string;
      key: string;
    };
    const fresh = JSON.parse(
      (await run(['keys', 'rotate', old.key, '--overlap', '1h', '-o', 'json'], settings)).stdout,
    ) as { key: string };
    expect([(await list(server.url, old.key)).status, (await list(server.url, fresh.key)).status]).toEqual([200, 200]);
  });

  test('a message is sent and read back with the public API', async () => {
    const api = { ...settings, MESSAGING_BASE_URL: server.url, MESSAGING_API_KEY: KEY };
    const sent = await run(['send', '--to', '+447700900123', '--body', 'Hello', '-o', 'json'], api);
    const message = JSON.parse(sent.stdout) as { id: string };
    expect(message).toEqual({ id: message.id, status: 'queued', type: 'text', to: '447700900123' });
    expect(JSON.parse((await run(['messages', 'get', message.id, '-o', 'json'], api)).stdout)).toMatchObject({
      id: message.id,
      body: 'Hello',
    });
    expect((await run(['messages', 'list'], api)).stdout).toContain(message.id);
    expect((await run(['messages', 'trace', message.id], api)).stdout).toContain('accepted');
  });

  test('tail shows a new message and ends with 0 on Ctrl-C', async () => {
    const api = { ...settings, MESSAGING_BASE_URL: server.url, MESSAGING_API_KEY: KEY };
    await run(['send', '--to', '+447700900123', '--body', 'before'], api);
    const tail = startProgram(postrider, ['tail'], api);
    const during = async () => run(['send', '--to', '+447700900124', '--body', 'during'], api);
    // Following has begun at some moment after the start; messages come until one of them is seen.
    const seen = tail.printed(/→ 447700900124 .*during/);
    let found = false;
    void seen.then(() => {
      found = true;
    });
    while (!found) await during();
    tail.child.kill('SIGINT');
    const { exitCode, stdout } = await tail.finished;
    expect(exitCode).toBe(0);
    expect(stdout).not.toContain('before');
  });

  test('events tail shows what happens, and on Ctrl-C ends with 0 and says how to go on', async () => {
    const api = { ...settings, MESSAGING_BASE_URL: server.url, MESSAGING_API_KEY: KEY };
    const tail = startProgram(postrider, ['events', 'tail', '--types', 'message.queued'], api);
    const seen = tail.printed(/message\.queued +\{.*447700900125/);
    let found = false;
    void seen.then(() => {
      found = true;
    });
    while (!found) await run(['send', '--to', '+447700900125', '--body', 'told'], api);
    tail.child.kill('SIGINT');
    const { exitCode, stderr } = await tail.finished;
    expect([exitCode, stderr]).toEqual([0, expect.stringMatching(/^Go on with --after [0-9a-f-]{36}\n$/)]);
  });

  test.each([
    ['an unknown command', ['bogus'], 2],
    ['a wrong option', ['keys', 'create', '--expires-in', 'soon'], 2],
    ['an address where nobody listens', ['messages', 'list', '--url', NOWHERE, '--key', KEY], 3],
    ['a number that does not exist', ['numbers', 'pause', '99'], 4],
    ['a tenant that does not exist', ['keys', 'list', '--tenant', 'Nobody'], 4],
  ])('%s has its exit code and one sentence', async (_label, args, exitCode) => {
    const result = await run(args, settings);
    expect(result).toMatchObject({ exitCode, stdout: '' });
    expect(result.stderr.trim().split('\n')).toHaveLength(1);
  });

  test('output into a pipe that was closed ends quietly', async () => {
    const program = startProgram(postrider, ['config', '-o', 'json'], settings);
    program.child.stdout.destroy();
    expect(await program.finished).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('the doctor sees the server’s database, and fails for the network that is away', async () => {
    const { exitCode, stdout } = await run(['doctor', '-o', 'json'], settings);
    const { checks } = JSON.parse(stdout) as { checks: { name: string; state: string }[] };
    expect(exitCode).toBe(1);
    expect(checks.filter((check) => check.state === 'fail').map((check) => check.name)).toEqual(['network']);
    expect(checks).toContainEqual(expect.objectContaining({ name: 'dispatchers', state: 'ok' }));
  });
});

describe('starting and stopping', () => {
  beforeEach(() => {
    folder = newFolder();
  });
  afterEach(endAll);

  test('a wrong setting ends with 2 and names it', async () => {
    const { exitCode, stderr } = await run(['serve'], { ...newSettings(), MESSAGING_SEND_CONCURRENCY: 'many' });
    expect(exitCode).toBe(2);
    expect(stderr).toBe('MESSAGING_SEND_CONCURRENCY=many: must be a whole number from 1 to 4096.\n');
  });

  test('a data folder that is a file ends with 2', async () => {
    writeFileSync(join(folder, 'data'), '');
    const { exitCode, stderr } = await run(['serve'], newSettings());
    expect(exitCode).toBe(2);
    expect(stderr).toContain('is not a folder');
  });

  test('a database out of reach ends with 3', async () => {
    const { exitCode, stderr } = await run(['serve'], {
      ...newSettings(),
      DATABASE_URL: 'postgres://127.0.0.1:9/none',
    });
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/^The database did not answer .*ECONNREFUSED.*\n$/);
  });

  test('a taken port ends with 1, and the data folder is free again', async () => {
    const taken = await takePort();
    const settings = newSettings();
    const { exitCode, stderr } = await run(['serve', '--port', String(portOf(taken))], settings);
    taken.close();
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^127\.0\.0\.1:\d+ is taken by another program: .*PORT.*\n$/);
    expect(existsSync(join(folder, 'data', 'postrider.lock'))).toBe(false);
  });

  test.each([
    'SIGINT',
    'SIGTERM',
  ] as const)('%s ends the service with 0 and leaves neither lock nor socket', async (signal) => {
    fillDataFolder(join(folder, 'data'));
    const server = await serve(newSettings());
    server.child.kill(signal);
    expect((await server.finished).exitCode).toBe(0);
    expect(['postrider.lock', 'postrider.sock'].filter((name) => existsSync(join(folder, 'data', name)))).toEqual([]);
  });

  test('after kill -9 the next start takes over the folder and its socket', async () => {
    const settings = newSettings();
    fillDataFolder(join(folder, 'data'));
    const killed = await serve(settings);
    killed.child.kill('SIGKILL');
    await killed.finished;
    const server = await serve(settings);
    expect((await run(['tenants', 'list'], settings)).exitCode).toBe(0);
    expect((await list(server.url, KEY)).status).toBe(200);
    server.child.kill('SIGTERM');
    await server.finished;
  });

  test('operator commands work without a server, and what they made is there when it starts', async () => {
    const settings = newSettings();
    expect((await run(['migrate'], settings)).stdout).toMatch(/^Applied 0001-/);
    expect((await run(['migrate'], settings)).stdout).toBe('The schema is up to date.\n');
    expect((await run(['tenants', 'create', 'Flower shop'], settings)).exitCode).toBe(0);
    const made = JSON.parse((await run(['keys', 'create', '-o', 'json'], settings)).stdout) as { key: string };
    const server = await serve({ ...settings, MESSAGING_BOOTSTRAP_API_KEY: '' });
    expect((await list(server.url, made.key)).status).toBe(200);
    server.child.kill('SIGTERM');
    await server.finished;
  });

  test('a role by itself needs no port and says what it does', async () => {
    fillDataFolder(join(folder, 'data'));
    const program = startProgram(postrider, ['serve', '--roles', 'maintenance'], newSettings());
    await program.printed(/^running maintenance$/m);
    program.child.kill('SIGTERM');
    expect((await program.finished).exitCode).toBe(0);
  });
});

describe('npm start', () => {
  beforeEach(() => {
    folder = newFolder();
  });
  afterEach(endAll);

  async function start(settings: Settings) {
    const program = startProgram(join(root, 'scripts', 'start.mjs'), [], settings);
    const [curl] = await program.printed(/^curl .*$/m);
    await program.printed(/Ctrl-C stops/);
    return { ...program, curl };
  }

  test('the curl line works as printed, the key stays the same, and Ctrl-C stops both', async () => {
    const [port, simulatorPort] = [await freePort(), await freePort()];
    const settings = {
      PORT: String(port),
      MESSAGING_SIMULATOR_PORT: String(simulatorPort),
      MESSAGING_DATA_DIR: join(folder, 'data'),
    };
    const first = await start(settings);
    expect(await pasted(first.curl)).toMatchObject({ status: 202 });
    expect(statSync(join(folder, 'data', 'demo-api-key')).mode & 0o777).toBe(0o600);
    const waited = await run(['send', '--to', '447700900123', '--body', 'Hi', '--wait'], settings);
    expect(waited).toMatchObject({ exitCode: 0, stderr: '' });
    first.child.kill('SIGINT');
    expect((await first.finished).exitCode).toBe(0);
    await expect(fetch(`http://127.0.0.1:${simulatorPort}/`)).rejects.toThrow();
    const second = await start(settings);
    expect(second.curl).toBe(first.curl);
    expect(second.curl).toContain(readFileSync(join(folder, 'data', 'demo-api-key'), 'utf8').trim());
    second.child.kill('SIGTERM');
    expect((await second.finished).exitCode).toBe(0);
  });

  test('with wallets switched on lets a person pay on the page of the simulated gateway', async () => {
    const port = String(await freePort());
    const { child, finished } = await start({
      PORT: port,
      MESSAGING_SIMULATOR_PORT: String(await freePort()),
      MESSAGING_DATA_DIR: fillDataFolder(join(folder, 'data')),
      MESSAGING_WALLET_ENABLED: 'true',
    });
    const key = readFileSync(join(folder, 'data', 'demo-api-key'), 'utf8').trim();
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

  test('when the starter is killed, server and simulator leave by themselves', async () => {
    const settings = {
      PORT: String(await freePort()),
      MESSAGING_SIMULATOR_PORT: String(await freePort()),
      MESSAGING_DATA_DIR: fillDataFolder(join(folder, 'data')),
    };
    const program = await start(settings);
    program.child.kill('SIGKILL');
    // Both hold the output of the starter open: it ends when the last of them is gone.
    await program.finished;
    expect(existsSync(join(folder, 'data', 'postrider.lock'))).toBe(false);
  });

  test('when the server is killed, a sentence says so, the simulator leaves, and the exit code tells', async () => {
    const simulatorPort = await freePort();
    const { child, finished } = await start({
      PORT: String(await freePort()),
      MESSAGING_SIMULATOR_PORT: String(simulatorPort),
      MESSAGING_DATA_DIR: fillDataFolder(join(folder, 'data')),
    });
    // The lock of the data folder names the process that holds it.
    const [pid = ''] = /\d+/.exec(readFileSync(join(folder, 'data', 'postrider.lock'), 'utf8')) ?? [];
    expect(Number(pid)).not.toBe(child.pid);
    process.kill(Number(pid), 'SIGKILL');
    const { exitCode, stderr } = await finished;
    expect(exitCode).toBe(1);
    expect(stderr).toContain('The server was ended by SIGKILL; stopping the simulator too.');
    await expect(fetch(`http://127.0.0.1:${simulatorPort}/`)).rejects.toThrow();
  });

  test('when the simulator cannot start, the server stops too and the exit code tells', async () => {
    const taken = await takePort();
    const settings = {
      PORT: String(await freePort()),
      MESSAGING_SIMULATOR_PORT: String(portOf(taken)),
      MESSAGING_DATA_DIR: fillDataFolder(join(folder, 'data')),
    };
    const { exitCode, stderr } = await startProgram(join(root, 'scripts', 'start.mjs'), [], settings).finished;
    taken.close();
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`Port ${settings.MESSAGING_SIMULATOR_PORT} is taken`);
    expect(existsSync(join(folder, 'data', 'postrider.lock'))).toBe(false);
  });
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

async function takePort(): Promise<Server> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : 0;
}
