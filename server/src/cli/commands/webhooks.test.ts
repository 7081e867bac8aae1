import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { type FakeContext, fakeContext, runWith } from '#cli/testing/fake-context';
import { listen } from './webhooks.ts';

const RECEIVER = 'http://127.0.0.1:3000/hooks';
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const env = {
  MESSAGING_API_KEY: 'key-of-the-tests',
  MESSAGING_BASE_URL: 'http://127.0.0.1:9',
  MESSAGING_DATA_DIR: '/nonexistent',
};
/** With a space in its JSON: what is posted is what came. */
const event = (sequence: number) =>
  `{"id":"id-${sequence}", "sequence":${sequence},"type":"message.received","timestamp":"2030-01-01T09:05:00.480Z","data":{"body":"Grüße"}}`;
const block = (sequence: number) => `id: id-${sequence}\nevent: message.received\ndata: ${event(sequence)}\n\n`;

interface Posted {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** A service that tells these events once, and a receiver that answers in this way; then Ctrl-C is pressed. */
function listening(sequences: readonly number[], answer: (count: number, ctx: FakeContext) => Promise<Response>) {
  const posted: Posted[] = [];
  const asked: (string | null)[] = [];
  const ctx = fakeContext({
    env,
    fetch: async (input, init = {}) => {
      const headers = new Headers(init.headers);
      if (String(input) === RECEIVER) {
        posted.push({ headers: Object.fromEntries(headers), body: String(init.body) });
        return answer(posted.length, ctx);
      }
      asked.push(headers.get('last-event-id'));
      if (asked.length === 1) return new Response(sequences.map(block).join(''));
      ctx.signal('SIGINT');
      throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
    },
  });
  return { ctx, posted, asked };
}

test('webhooks listen posts each event as it came, signed so that a library of the standard verifies it', async () => {
  const { ctx, posted } = listening([1, 2], async () => new Response(null, { status: 204 }));
  await listen(ctx, { forwardTo: RECEIVER, secret: SECRET });
  expect(posted.map(({ body }) => body)).toEqual([event(1), event(2)]);
  for (const { headers, body } of posted) expect(new Webhook(SECRET).verify(body, headers)).toEqual(JSON.parse(body));
  expect(posted[0]?.headers).toMatchObject({ 'webhook-id': 'id-1', 'content-type': 'application/json' });
  expect(ctx.written.stdout.split('\n')).toEqual([
    expect.stringMatching(/^09:05:00 #1 {7}message\.received +204 in \d+ ms$/),
    expect.stringMatching(/^09:05:00 #2 {7}message\.received +204 in \d+ ms$/),
    '',
  ]);
});

test('a receiver that refuses or is away is told of, and the next event is posted all the same', async () => {
  const { ctx, posted } = listening([1, 2, 3], async (count) => {
    if (count === 1) throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
    return new Response('no', { status: count === 2 ? 500 : 200 });
  });
  await listen(ctx, { forwardTo: RECEIVER });
  expect(ctx.written.stdout).toMatch(/#1 .* no answer \(ECONNREFUSED\)\n.*#2 .* 500 in .*\n.*#3 .* 200 in /);
  const [, secret = ''] = /^Secret of this run: (whsec_\S+)\n/.exec(ctx.written.stderr) ?? [];
  const { headers = {}, body = '' } = posted[2] ?? {};
  expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(event(3)));
});

test('Ctrl-C while a receiver hangs ends it at once, and names the event before that one to go on behind', async () => {
  const { ctx } = listening([1, 2], async (count, stopping) => {
    if (count === 1) return new Response(null, { status: 200 });
    stopping.signal('SIGINT');
    throw new DOMException('This operation was aborted', 'AbortError');
  });
  await listen(ctx, { forwardTo: RECEIVER, secret: SECRET });
  expect(ctx.written.stderr).toBe('Continue with --after id-1\n');
});

test('an address or a secret that is none is refused before anything is asked for', async () => {
  const wrong = [
    ['--forward-to', 'localhost:3000'],
    ['--forward-to', RECEIVER, '--secret', 'whsec_short'],
  ];
  for (const options of wrong) {
    const run = await runWith({ env }, 'webhooks', 'listen', ...options);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  }
});
