import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillDataFolder } from './data-folder.ts';
import { postrider, root, run, type Settings } from './postrider-process.ts';
import { KEY, listMessages, NOWHERE, ProgramFolder, type Serving } from './program-folder.ts';

/*
 * The built command line beside a running server, as a person meets it: processes, exit codes, pipes. It expects
 * what `npm run build` makes.
 */
let folder: ProgramFolder;
let settings: Settings;
let server: Serving;

beforeAll(async () => {
  folder = new ProgramFolder();
  settings = folder.settings;
  fillDataFolder(folder.data);
  server = await folder.serve();
});
afterAll(async () => {
  server.child.kill('SIGTERM');
  await server.finished;
  await folder.close();
});

test('npx finds the command that npm start and the guides name, also where the first installation came before the first build', () => {
  const { status, stdout } = spawnSync('npx', ['--no-install', 'postrider', '--version'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)]);
});

test('the operator socket is the only way in, and its owner’s alone', () => {
  expect(statSync(join(folder.data, 'postrider.sock')).mode & 0o777).toBe(0o600);
});

test('a second process on the data folder is refused with a sentence that names the first', async () => {
  const { exitCode, stderr } = await run(['serve'], settings);
  expect(exitCode).toBe(3);
  expect(stderr).toMatch(new RegExp(`is in use by process ${server.child.pid}\\..* one process: .*DATABASE_URL.*\n$`));
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
  const paused = await run(['numbers', 'pause', '100000000000001', '--reason', 'Low quality', '-o', 'json'], settings);
  expect(JSON.parse(paused.stdout)).toMatchObject({ status: 'paused', pause_reason: 'Low quality' });
  expect((await run(['numbers', 'resume', '100000000000001'], settings)).stdout).toContain('active');
});

test('a revoked key stops working in a server that runs', async () => {
  const made = await run(['keys', 'create', '--tenant', 'Demo', '-o', 'json'], settings);
  const { id, key } = JSON.parse(made.stdout) as { id: string; key: string };
  expect((await listMessages(server.url, key)).status).toBe(200);
  expect((await run(['keys', 'revoke', id, '--tenant', 'Demo'], settings)).exitCode).toBe(0);
  let status = 200;
  while (status === 200) status = (await listMessages(server.url, key)).status;
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
  expect([
    (await listMessages(server.url, old.key)).status,
    (await listMessages(server.url, fresh.key)).status,
  ]).toEqual([200, 200]);
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
  const tail = folder.start(postrider, ['tail'], api);
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

test('events tail shows what happens, and on Ctrl-C ends with 0 and says how to continue', async () => {
  const api = { ...settings, MESSAGING_BASE_URL: server.url, MESSAGING_API_KEY: KEY };
  const tail = folder.start(postrider, ['events', 'tail', '--types', 'message.queued'], api);
  const seen = tail.printed(/message\.queued +\{.*447700900125/);
  let found = false;
  void seen.then(() => {
    found = true;
  });
  while (!found) await run(['send', '--to', '+447700900125', '--body', 'told'], api);
  tail.child.kill('SIGINT');
  const { exitCode, stderr } = await tail.finished;
  expect([exitCode, stderr]).toEqual([0, expect.stringMatching(/^Continue with --after [0-9a-f-]{36}\n$/)]);
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
  const program = folder.start(postrider, ['config', '-o', 'json'], settings);
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
