import { expect, test } from 'vitest';
import { type FakeContext, fakeContext, runWith } from '#cli/testing/fake-context';
import { eventLine, tailEvents } from './events.ts';

const env = {
  MESSAGING_API_KEY: 'key-of-the-tests',
  MESSAGING_BASE_URL: 'http://127.0.0.1:9',
  MESSAGING_DATA_DIR: '/nonexistent',
};
const event = (sequence: number) => ({
  id: `id-${sequence}`,
  sequence,
  type: 'message.received',
  timestamp: '2030-01-01T09:05:00.480Z',
  data: { body: 'Grüße' },
});
const block = (sequence: number) =>
  `id: id-${sequence}\nevent: message.received\ndata: ${JSON.stringify(event(sequence))}\n\n`;

/** Answers each connection with the next of these texts, cut into small pieces; when all are told, Ctrl-C is pressed. */
function streaming(...texts: readonly string[]): { readonly ctx: FakeContext; readonly asked: (string | null)[] } {
  const asked: (string | null)[] = [];
  const ctx = fakeContext({
    env,
    fetch: async (_input, init = {}) => {
      const text = texts[asked.length];
      asked.push(new Headers(init.headers).get('last-event-id'));
      if (text === undefined) {
        ctx.signal('SIGINT');
        throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
      }
      const bytes = new TextEncoder().encode(text);
      const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, index) =>
        bytes.slice(index * 7, index * 7 + 7),
      );
      return new Response(ReadableStream.from(pieces) as unknown as ReadableStream<Uint8Array>);
    },
  });
  return { ctx, asked };
}

test('events tail prints each event once over all connections, and says how to go on', async () => {
  const { ctx, asked } = streaming(
    'retry: 2000\nid: id-0\n\n',
    `retry: 2000\nid: id-0\n\n${block(1)}${block(2)}id: id-3\nevent: message.rec`,
    `retry: 2000\nid: id-2\n\n: alive\nid: id-2\n\n${block(3)}`,
  );
  await tailEvents(ctx, { output: 'json' });
  const printed = ctx.written.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(printed).toEqual([event(1), event(2), event(3)]);
  expect(asked).toEqual([null, 'id-0', 'id-2', 'id-3']);
  expect(ctx.written.stderr).toBe('Continue with --after id-3\n');
});

test('events tail says once that the service is away, and goes on when it is back', async () => {
  const away = () => new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
  let tries = 0;
  const ctx = fakeContext({
    env,
    fetch: async () => {
      tries += 1;
      // Away when it begins, for longer than a call is tried, and again after its first event.
      if (tries <= 4 || tries === 6) throw away();
      if (tries === 5) return new Response(block(1));
      // A service that is there and has a problem is not away: nothing is said, and it is asked again.
      if (tries === 7) return Response.json({ error: 'A problem.', code: 'internal' }, { status: 500 });
      queueMicrotask(() => ctx.signal('SIGINT'));
      return new Response(block(2));
    },
  });
  await tailEvents(ctx, { output: 'json' });
  expect(ctx.written.stdout.trim().split('\n')).toHaveLength(2);
  const sentence = 'No answer from http://127.0.0.1:9 (ECONNREFUSED): is the service running there? Retrying.\n';
  expect(ctx.written.stderr).toBe(`${sentence}${sentence}Continue with --after id-2\n`);
});

test('events tail --after begins there, and a refusal ends it with its exit code', async () => {
  const asked: (string | null)[] = [];
  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    asked.push(`${new URL(String(input)).search} ${new Headers(init.headers).get('last-event-id')}`);
    return new Response(JSON.stringify({ error: 'It is gone.', code: 'events_expired' }), { status: 410 });
  };
  const run = await runWith({ env, fetch }, 'events', 'tail', '--after', 'id-7', '--types', 'message.received');
  expect(run).toMatchObject({ exitCode: 4, stdout: '', stderr: 'It is gone.\n' });
  expect(asked).toEqual(['?types=message.received id-7']);
});

test('a line of events tail has time, number, type and content, cut off at the edge of a terminal', () => {
  expect(eventLine(event(7), null)).toBe('09:05:00 #7       message.received         {"body":"Grüße"}');
  expect(eventLine(event(7), 30)).toBe('09:05:00 #7       message.rec…');
});
