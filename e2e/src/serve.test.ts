import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fillDataFolder } from './data-folder.ts';
import { postrider, run } from './postrider-process.ts';
import { KEY, listMessages, ProgramFolder } from './program-folder.ts';
import { portOf, takePort } from './taken-port.ts';

/* How the built service starts and ends, as a supervisor meets it: exit codes, signals, locks. */
let folder: ProgramFolder;
beforeEach(() => {
  folder = new ProgramFolder();
});
afterEach(() => folder.close());

test('a wrong setting ends with 2 and names it', async () => {
  const { exitCode, stderr } = await run(['serve'], { ...folder.settings, MESSAGING_SEND_CONCURRENCY: 'many' });
  expect(exitCode).toBe(2);
  expect(stderr).toBe('MESSAGING_SEND_CONCURRENCY=many: must be a whole number from 1 to 4096.\n');
});

test('a data folder that is a file ends with 2', async () => {
  writeFileSync(folder.data, '');
  const { exitCode, stderr } = await run(['serve'], folder.settings);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('is not a folder');
});

const AWAY = { DATABASE_URL: 'postgres://127.0.0.1:9/none' };

test('a database out of reach ends with 3', async () => {
  const settings = { ...folder.settings, ...AWAY, MESSAGING_DATABASE_WAIT_S: '0' };
  const { exitCode, stderr } = await run(['serve'], settings);
  expect(exitCode).toBe(3);
  expect(stderr).toMatch(/^The database did not respond .*ECONNREFUSED.*\n$/);
});

test('a database that is away is waited for until the limit, and the log says so', async () => {
  const settings = { ...folder.settings, ...AWAY, MESSAGING_DATABASE_WAIT_S: '6', LOG_LEVEL: 'warn' };
  const { exitCode, stderr } = await run(['serve'], settings);
  expect(exitCode).toBe(3);
  expect(stderr).toContain('"msg":"storage.awaited"');
});

test('a taken port ends with 1, and the data folder is free again', async () => {
  const taken = await takePort();
  const settings = folder.settings;
  fillDataFolder(folder.data);
  const { exitCode, stderr } = await run(['serve', '--port', String(portOf(taken))], settings);
  taken.close();
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^127\.0\.0\.1:\d+ is used by another program\. .*PORT.*\n$/);
  expect(existsSync(join(folder.data, 'postrider.lock'))).toBe(false);
});

test.each([
  'SIGINT',
  'SIGTERM',
] as const)('%s ends the service with 0 and leaves neither lock nor socket', async (signal) => {
  fillDataFolder(folder.data);
  const server = await folder.serve();
  server.child.kill(signal);
  expect((await server.finished).exitCode).toBe(0);
  expect(['postrider.lock', 'postrider.sock'].filter((name) => existsSync(join(folder.data, name)))).toEqual([]);
});

test('after kill -9 the next start takes over the folder and its socket', async () => {
  const settings = folder.settings;
  fillDataFolder(folder.data);
  const killed = await folder.serve(settings);
  killed.child.kill('SIGKILL');
  await killed.finished;
  const server = await folder.serve(settings);
  expect((await run(['tenants', 'list'], settings)).exitCode).toBe(0);
  expect((await listMessages(server.url, KEY)).status).toBe(200);
  server.child.kill('SIGTERM');
  await server.finished;
});

test('operator commands work without a server, and what they made is there when it starts', async () => {
  const settings = folder.settings;
  expect((await run(['migrate'], settings)).stdout).toMatch(/^Applied 0001-/);
  expect((await run(['migrate'], settings)).stdout).toBe('The schema is up to date.\n');
  expect((await run(['tenants', 'create', 'Flower shop'], settings)).exitCode).toBe(0);
  const made = JSON.parse((await run(['keys', 'create', '-o', 'json'], settings)).stdout) as { key: string };
  const server = await folder.serve({ ...settings, MESSAGING_BOOTSTRAP_API_KEY: '' });
  expect((await listMessages(server.url, made.key)).status).toBe(200);
  server.child.kill('SIGTERM');
  await server.finished;
});

test('a role alone needs no port and says what it does', async () => {
  fillDataFolder(folder.data);
  const program = folder.start(postrider, ['serve', '--roles', 'maintenance'], folder.settings);
  await program.printed(/^running maintenance$/m);
  program.child.kill('SIGTERM');
  expect((await program.finished).exitCode).toBe(0);
});
