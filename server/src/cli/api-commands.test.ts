import { expect, test } from 'vitest';
import { tail, tailLine } from '#cli/commands/tail';
import { fakeContext, runWith } from '#cli/testing/fake-context';

const ID = '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01';
const env = {
  MESSAGING_API_KEY: 'key-of-the-tests',
  MESSAGING_BASE_URL: 'http://127.0.0.1:9',
  MESSAGING_DATA_DIR: '/nonexistent',
};
const sent = {
  id: ID,
  direction: 'outbound',
  status: 'sent',
  to: '447700900123',
  body: 'Hello',
  created_at: '2026-01-01T09:05:00.000Z',
  delivery: { state: 'delivered' },
};

interface Call {
  readonly url: string;
  readonly init: RequestInit;
}

/** Answers each call with the next of these; the last one stays. */
function answering(calls: Call[], ...answers: readonly { status: number; body: unknown }[]): typeof fetch {
  return async (input, init = {}) => {
    const answer = answers[Math.min(calls.length, answers.length - 1)];
    calls.push({ url: String(input), init });
    return Response.json(answer?.body, { status: answer?.status ?? 200 });
  };
}

test('send posts with the key and an Idempotency-Key, and prints the id', async () => {
  const calls: Call[] = [];
  const fetch = answering(calls, { status: 202, body: { id: ID, status: 'queued' } });
  const run = await runWith({ env, fetch }, 'send', '--to', '+447700900123', '--body', 'Hello', '--from', '42');
  expect(run).toEqual({ exitCode: 0, stdout: `${ID}  queued\n`, stderr: '' });
  const [call] = calls;
  expect(call?.url).toBe('http://127.0.0.1:9/v1/messages');
  expect(JSON.parse(String(call?.init.body))).toEqual({ to: '+447700900123', body: 'Hello', phone_number_id: '42' });
  expect(call?.init.headers).toMatchObject({
    authorization: 'Bearer key-of-the-tests',
    'idempotency-key': expect.stringMatching(/^.{36}$/),
  });
});

test('send --wait ends with 0 when the message was sent, and with 1 when it failed', async () => {
  const accepted = { status: 202, body: { id: ID, status: 'queued' } };
  const good = await runWith(
    {
      env,
      fetch: answering([], accepted, { status: 200, body: { ...sent, status: 'queued' } }, { status: 200, body: sent }),
    },
    'send',
    '--to',
    '1',
    '--body',
    'x',
    '--wait',
  );
  expect(good.exitCode).toBe(0);
  expect(good.stdout).toContain('delivered');
  const failed = {
    ...sent,
    status: 'failed',
    delivery: { state: 'failed', error: { code: 'canceled', message: 'It was.' } },
  };
  const bad = await runWith(
    { env, fetch: answering([], accepted, { status: 200, body: failed }) },
    'send',
    '--to',
    '1',
    '--body',
    'x',
    '--wait',
  );
  expect(bad.exitCode).toBe(1);
  expect(bad.stdout).toContain('canceled: It was.');
});

test('send --wait that runs out of time ends with 1 and says that the message stays queued', async () => {
  const fetch = answering(
    [],
    { status: 202, body: { id: ID, status: 'queued' } },
    { status: 200, body: { ...sent, status: 'queued', delivery: { state: 'pending' } } },
  );
  const { exitCode, stderr } = await runWith({ env, fetch }, 'send', '--to', '1', '--body', 'x', '--wait', '0');
  expect(exitCode).toBe(1);
  expect(stderr).toContain('still pending');
});

test.each([
  [400, 2],
  [401, 4],
  [403, 4],
  [404, 4],
  [409, 4],
  [422, 4],
  [429, 4],
  [500, 1],
  [503, 3],
])('status %i of the API ends with %i and its own sentence', async (status, exitCode) => {
  const run = await runWith(
    { env, fetch: answering([], { status, body: { error: 'Because.', code: 'x' } }) },
    'messages',
    'get',
    ID,
  );
  expect(run).toEqual({ exitCode, stdout: '', stderr: 'Because.\n' });
});

test('a service that is away ends with 3', async () => {
  const { exitCode, stderr } = await runWith({ env }, 'messages', 'list');
  expect(exitCode).toBe(3);
  expect(stderr).toBe('No answer from http://127.0.0.1:9 (ECONNREFUSED): is the service running there?\n');
});

test('a connection that breaks is tried again with the same Idempotency-Key, so that one message is sent', async () => {
  const keys: unknown[] = [];
  const fetch: typeof globalThis.fetch = async (_input, init = {}) => {
    keys.push(new Headers(init.headers).get('idempotency-key'));
    if (keys.length === 1) throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
    return Response.json({ id: ID, status: 'queued' }, { status: 202 });
  };
  const run = await runWith({ env, fetch }, 'send', '--to', '1', '--body', 'x', '--idempotency-key', 'order-17');
  expect(run).toEqual({ exitCode: 0, stdout: `${ID}  queued\n`, stderr: '' });
  expect(keys).toEqual(['order-17', 'order-17']);
});

test.each([
  ['a page', new Response('<h1>Hello</h1>', { headers: { 'content-type': 'text/html' } }), 200],
  ['a word', new Response('OK'), 200],
  ['a 404 of another server', new Response('Not here', { status: 404 }), 404],
])('%s at the address ends with 1 and says that it is something else', async (_what, answer, status) => {
  const run = await runWith({ env, fetch: async () => answer.clone() }, 'messages', 'list');
  const stderr = `What answers at http://127.0.0.1:9 is not this service (status ${status}, no JSON).\n`;
  expect(run).toEqual({ exitCode: 1, stdout: '', stderr });
});

test('an answer that leads elsewhere is not followed with the key', async () => {
  const asked: unknown[] = [];
  const fetch: typeof globalThis.fetch = async (_input, init = {}) => {
    asked.push(init.redirect);
    return Response.json({ data: [], page: {} });
  };
  await runWith({ env, fetch }, 'messages', 'list');
  expect(asked).toEqual(['error']);
});

test('without any key nothing is called', async () => {
  const { exitCode, stderr } = await runWith({ env: { ...env, MESSAGING_API_KEY: '' } }, 'messages', 'list');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('--key');
});

test('-o json prints exactly the JSON of the API', async () => {
  const body = { data: [sent], page: { limit: 50, offset: 0, has_more: false, next_cursor: null } };
  const { stdout } = await runWith(
    { env, fetch: answering([], { status: 200, body }) },
    'messages',
    'list',
    '-o',
    'json',
  );
  expect(JSON.parse(stdout)).toEqual(body);
});

test('the list fits into 100 columns', async () => {
  const body = { data: [{ ...sent, body: 'long '.repeat(100) }], page: {} };
  const { stdout } = await runWith(
    { env, columns: 100, fetch: answering([], { status: 200, body }) },
    'messages',
    'list',
  );
  expect(Math.max(...stdout.split('\n').map((line) => [...line].length))).toBe(100);
  expect(stdout).toContain(ID);
});

test('tail prints what is new, each message once, oldest first, until a signal comes', async () => {
  const old = { ...sent, id: '0190a6f1-0000-7000-8000-000000000000', created_at: '2026-01-01T09:00:00.000Z' };
  const early = {
    ...sent,
    id: '0190a6f2-0000-7000-8000-000000000000',
    direction: 'inbound',
    type: 'text',
    from: '447700900124',
  };
  let polls = 0;
  const ctx = fakeContext({
    env,
    fetch: async (input) => {
      const { pathname, searchParams } = new URL(String(input));
      const inbound = pathname.endsWith('/inbound');
      if (inbound) polls += 1;
      if (polls === 4) ctx.signal('SIGINT');
      const atFirst = polls === 1;
      const all = inbound ? [early] : [sent, old];
      const after = searchParams.get('created_after') ?? '';
      const data = all.filter((message) => message.created_at > after && (!atFirst || message === old));
      return Response.json({ data, page: { next_cursor: null } });
    },
  });
  await tail(ctx, { output: 'table' });
  expect(ctx.written.stdout.split('\n')).toEqual([tailLine(early, null), tailLine(sent, null), '']);
});

test('a line of tail shows the direction and is cut to the terminal', () => {
  expect(tailLine(sent, null)).toBe('09:05:00 → 447700900123     delivered  Hello');
  expect(tailLine({ ...sent, body: 'x'.repeat(200) }, 60)).toHaveLength(60);
});
