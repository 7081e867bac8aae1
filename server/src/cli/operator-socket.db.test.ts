import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { migrationsFolder } from '#bin/service';
import type { JsonObject } from '#core/json';
import type { Config } from '#runtime/config';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import { askOperatorSocket } from './operator-client.ts';
import { type OperatorSocket, openOperatorSocket, operatorSocketPath } from './operator-socket.ts';

let database: TestDatabase;
let dataDir: string;
const open: OperatorSocket[] = [];

beforeAll(async () => {
  database = await openTestDatabase(testRuntime());
});
afterAll(() => database.drop());
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'postrider-socket-'));
});
afterEach(async () => {
  for (const socket of open.splice(0)) await socket.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function openSocket(config: Partial<Config> = {}): Promise<OperatorSocket> {
  const rt = testRuntime({ dataDir, ...config });
  const socket = await openOperatorSocket({ rt, db: database.db, migrationsFolder: migrationsFolder() });
  open.push(socket);
  return socket;
}

const path = () => operatorSocketPath(dataDir);
const ask = (command: string, input: JsonObject = {}) => askOperatorSocket(path(), command, input);

test('the socket belongs to its owner alone', async () => {
  expect((await openSocket()).open).toBe(true);
  expect(statSync(path()).mode & 0o777).toBe(0o600);
});

test('a command and its refusal come back over the socket', async () => {
  await openSocket();
  expect(await ask('tenants.create', { name: 'Flower shop' })).toMatchObject({
    kind: 'done',
    result: { name: 'Flower shop' },
  });
  expect(await ask('tenants.create', { name: ' ' })).toEqual({
    kind: 'refused',
    exitCode: 4,
    sentence: 'A tenant has a name of 1 to 200 characters.',
  });
  expect(await ask('tenants.create', {})).toMatchObject({ kind: 'refused', exitCode: 2 });
  expect(await ask('constructor')).toMatchObject({ kind: 'refused', exitCode: 4 });
});

test('plans, subscriptions and wallets are managed over the socket', async () => {
  await openSocket();
  const made = await ask('tenants.create', { name: 'Bakery' });
  const tenant = made.kind === 'done' ? String(made.result.id) : '';
  const plan = { id: 'pro', name: 'Pro', price: 4900, messages: 500, enforcement: 'hard' };
  expect(await ask('plans.add', plan)).toMatchObject({
    result: { id: 'pro', messages_per_month: 500, default: false },
  });
  expect(await ask('plans.set', { id: 'pro', messages: 'none' })).toMatchObject({
    result: { messages_per_month: null },
  });
  expect(await ask('plans.add', plan)).toMatchObject({ kind: 'refused', exitCode: 4 });
  expect(await ask('plans.set', { id: 'pro', interval: 'week' })).toMatchObject({ kind: 'refused', exitCode: 2 });
  expect(await ask('subscriptions.set', { tenant, plan: 'pro', status: 'past_due' })).toMatchObject({
    result: { plan: 'pro', status: 'past_due', gate: 'open' },
  });
  expect(await ask('subscriptions.set', { tenant, status: 'trialing' })).toMatchObject({
    kind: 'refused',
    exitCode: 4,
  });
  expect(await ask('wallet.topup', { tenant, amount: 500 })).toMatchObject({ result: { available_micros: 5_000_000 } });
  expect(await ask('wallet.adjust', { tenant, amount: -501, reason: 'x' })).toMatchObject({ kind: 'refused' });
  expect(await ask('wallet.set-price', { category: 'utility', micros: 7, region: '49' })).toMatchObject({
    result: { category: 'utility', region: '49', unit_price_micros: 7 },
  });
});

test('the database address never leaves through the socket', async () => {
  await openSocket({ databaseUrl: 'postgres://user:hush-hush@host/db' });
  expect(JSON.stringify(await ask('ping'))).not.toContain('hush-hush');
});

test('with several processes on one folder the first one keeps the socket', async () => {
  expect((await openSocket()).open).toBe(true);
  expect((await openSocket()).open).toBe(false);
  expect((await ask('ping')).kind).toBe('done');
});

test('the socket is gone after closing, and nobody answers', async () => {
  const socket = await openSocket();
  await socket.close();
  expect(existsSync(path())).toBe(false);
  expect((await ask('ping')).kind).toBe('nobody');
});

test('what a killed process left in place of the socket is replaced', async () => {
  // A listener that is closed without unlinking is what kill -9 leaves; a plain file stands for it on every system.
  const left = createServer();
  await new Promise<void>((done) => left.listen(join(dataDir, 'other.sock'), done));
  const { renameSync } = await import('node:fs');
  renameSync(join(dataDir, 'other.sock'), path());
  await new Promise((done) => left.close(done));
  expect(existsSync(path())).toBe(true);
  expect((await openSocket()).open).toBe(true);
});

test('a path that is too long for a socket is reported, and the service runs without one', async () => {
  const said: string[] = [];
  const rt = testRuntime({ dataDir: join(dataDir, 'x'.repeat(120)) });
  const log = { ...rt.log, warn: (_fields: unknown, text: string) => void said.push(text) } as unknown as typeof rt.log;
  const socket = await openOperatorSocket({
    rt: { ...rt, log },
    db: database.db,
    migrationsFolder: migrationsFolder(),
  });
  expect(socket.open).toBe(false);
  expect(said).toEqual([expect.stringContaining('longer than 107 bytes')]);
});
