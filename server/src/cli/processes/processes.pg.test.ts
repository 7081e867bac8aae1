import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Simulator, startSimulator } from '@postrider/simulator/simulator';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runWith } from '#cli/testing/fake-context';
import { copyTemplate, type MadeDatabase } from '#testing/database/test-database';

/* The built program, because node:cluster starts processes; `npm test` builds it. */
const PROGRAM = fileURLToPath(new URL('../../../dist/bin/postrider.cjs', import.meta.url));
const KEY = 'key-of-the-tenant-of-several-processes';
const NUMBERS = Array.from({ length: 8 }, (_, index) => `20000000000000${index}`);
const MESSAGES = 400;

let folder: string;
let made: MadeDatabase;
let simulator: Simulator;
let service: ChildProcess | undefined;
let output = '';

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postrider-processes-'));
  made = await copyTemplate(folder);
  simulator = await startSimulator({ port: 0, numberRate: 0, pairLimit: false });
});
afterEach(async () => {
  service?.kill('SIGKILL');
  await simulator.close();
  await made.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** @returns where it listens */
async function serve(): Promise<string> {
  output = '';
  service = spawn(process.execPath, [PROGRAM, 'serve', '--processes', '2'], {
    env: { PATH: process.env.PATH, ...settings() },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [service.stdout, service.stderr])
    stream?.setEncoding('utf8').on('data', (text) => (output += text));
  await until(() => output.includes('running in 2 processes'));
  return /listening on (\S+)/.exec(output)?.[1] ?? '';
}

const settings = () => ({
  PORT: '0',
  DATABASE_URL: made.url ?? '',
  MESSAGING_DATA_DIR: folder,
  MESSAGING_NETWORK_URL: simulator.url,
  MESSAGING_BOOTSTRAP_API_KEY: KEY,
  MESSAGING_NUMBER_RATE: '0',
  MESSAGING_API_RATE: '0',
  MESSAGING_API_TENANT_RATE: '0',
  MESSAGING_PAIR_LIMIT: 'off',
  MESSAGING_UNKNOWN_WAIT_S: '5',
  LOG_LEVEL: 'error',
});

const ASK_AGAIN_MS = 15;

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) {
    if (service?.exitCode !== null && service?.exitCode !== undefined) throw new Error(`It has ended:\n${output}`);
    await setTimeout(ASK_AGAIN_MS);
  }
}

/** Answers of a process that was killed in the middle of a request are asked for once more, under the same key. */
async function send(url: string, index: number): Promise<void> {
  const request = {
    method: 'POST',
    headers: {
      authorization: `Bearer ${KEY}`,
      'content-type': 'application/json',
      'idempotency-key': `message-${index}`,
      // A new connection each: some are on their way to the process that is killed.
      connection: 'close',
    },
    body: JSON.stringify({ to: recipient(index), body: 'Hi', phone_number_id: NUMBERS[index % NUMBERS.length] }),
  };
  for (;;) {
    const answer = await fetch(`${url}/v1/messages`, request).catch(() => null);
    if (answer?.status === 202) return;
    if (answer !== null && answer.status < 500 && answer.status !== 409) throw new Error(await answer.text());
    await setTimeout(ASK_AGAIN_MS);
  }
}

const recipient = (index: number) => `4477009${String(index).padStart(5, '0')}`;

/** The processes that the supervisor has started, the first one first. */
function members(): readonly number[] {
  const { pid } = service ?? {};
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
}

async function count(text: string): Promise<number> {
  const client = new pg.Client({ connectionString: made.url ?? '' });
  await client.connect();
  try {
    const { rows } = await client.query<{ readonly count: string }>(text);
    return Number(rows[0]?.count);
  } finally {
    await client.end();
  }
}

async function addNumbers(): Promise<void> {
  const env = { ...settings(), DATABASE_URL: made.url ?? '' };
  for (const [index, number] of NUMBERS.entries()) {
    const added = await runWith(
      { env },
      'numbers',
      'add',
      number,
      '--phone',
      `+1555010000${index}`,
      '--tenant',
      'Demo',
    );
    expect(added).toMatchObject({ exitCode: 0, stderr: '' });
  }
}

test('two processes share the lanes; one is killed: nothing is lost or doubled, it is started again, and SIGTERM ends both in order', async () => {
  const url = await serve();
  await fetch(`${simulator.url}/_sim/config`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ callback_url: `${url}/webhooks/meta` }),
  });
  await addNumbers();
  const half = Array.from({ length: MESSAGES / 2 }, (_, index) => send(url, index));
  await Promise.all(half);
  await until(
    async () => (await count('select count(distinct owner_id) from lane_owners where owner_id is not null')) === 2,
  );
  expect(await (await fetch(`${url}/metrics`)).text()).toContain(`postrider_messages_accepted_total ${MESSAGES / 2}\n`);

  const before = members();
  const rest = Array.from({ length: MESSAGES / 2 }, (_, index) => send(url, MESSAGES / 2 + index));
  process.kill(before[0] ?? 0, 'SIGKILL');
  await Promise.all(rest);
  await until(() => output.includes('process.died'));
  await until(async () => (await fetch(`${url}/readyz`).catch(() => null))?.status === 200);
  expect(members()).toHaveLength(2);
  expect(members()).not.toContain(before[0]);
  expect((await runWith({ env: settings() }, 'numbers', 'list')).stdout).toContain(NUMBERS[0]);

  await until(async () => (await count('select count(*) from send_queue')) === 0);
  const { data } = (await (await fetch(`${simulator.url}/_sim/messages?limit=10000`)).json()) as {
    readonly data: readonly { readonly to: string }[];
  };
  const expected = Array.from({ length: MESSAGES }, (_, index) => recipient(index));
  expect(data.map(({ to }) => to).toSorted()).toEqual(expected);

  const left = members();
  service?.kill('SIGTERM');
  const [exitCode] = await once(service as ChildProcess, 'exit');
  expect(exitCode).toBe(0);
  for (const pid of left) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  expect(await count('select count(*) from lane_owners where owner_id is not null')).toBe(0);
});

test('when the supervisor is killed, its processes leave in order, and give their lanes back', async () => {
  await serve();
  const left = members();
  service?.kill('SIGKILL');
  await once(service as ChildProcess, 'exit');
  service = undefined;
  const lives = (pid: number) => {
    try {
      return process.kill(pid, 0) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
      return false;
    }
  };
  await until(() => !left.some(lives));
  expect(output.match(/Stopping after work in progress is finished/g)).toHaveLength(2);
});

test('what would end every process at once ends all of it, with the code and one sentence', async () => {
  const env = {
    PATH: process.env.PATH,
    ...settings(),
    DATABASE_URL: 'postgres://postgres@127.0.0.1:9/none',
    MESSAGING_DATABASE_WAIT_S: '1',
  };
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--processes', '2'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
  const [exitCode] = await once(child, 'close');
  expect(exitCode).toBe(3);
  expect(errors.match(/did not (answer|respond)/g)).toHaveLength(1);
});
