import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  AuthenticationError,
  type ClientOptions,
  ConflictError,
  ConnectionError,
  Postrider,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnexpectedAnswerError,
  VERSION,
} from './index.ts';
import { type CuttingProxy, type Fate, startCuttingProxy } from './testing/cutting-proxy.ts';

/* Answers are made here, in the place of a service: what a real one gives too seldom, or never. */

let proxy: CuttingProxy;
beforeAll(async () => {
  proxy = await startCuttingProxy('http://127.0.0.1:9');
});
afterAll(() => proxy.close());
afterEach(() => vi.unstubAllEnvs());

const client = (options: ClientOptions = {}) => new Postrider({ apiKey: 'key', baseUrl: proxy.url, ...options });
const json = { 'content-type': 'application/json' };
const ok: Fate = { status: 200, headers: json, body: '{"id":"1"}' };
const refusal = (status: number, code: string, headers: Readonly<Record<string, string>> = {}): Fate => ({
  status,
  headers: { ...json, ...headers },
  body: JSON.stringify({ error: `It is ${code}.`, code }),
});

/** Makes a call that meets these answers; says how many requests that took, and how it ended. */
async function meet(
  call: () => PromiseLike<unknown>,
  ...fates: readonly Fate[]
): Promise<{ readonly tries: number; readonly outcome: unknown }> {
  const before = proxy.passed.length;
  proxy.next(...fates);
  const outcome = await call().then(
    (data) => data,
    (error: unknown) => error,
  );
  return { tries: proxy.passed.length - before, outcome };
}

describe('a call is made again', () => {
  test.each([
    ['503 overloaded', refusal(503, 'overloaded')],
    ['500 without an error of ours', { status: 500, body: 'Oops' }],
    ['408', { status: 408 }],
    ['429', refusal(429, 'rate_limited', { 'retry-after': '0' })],
    ['409 in progress', refusal(409, 'request_in_progress')],
  ] satisfies [string, Fate][])('after %s', async (_name, fate) => {
    const { tries, outcome } = await meet(() => client().teams.create({ name: 'a' }), fate, ok);
    expect({ tries, outcome }).toEqual({ tries: 2, outcome: { id: '1' } });
  });

  test('two times and no more, unless the caller says otherwise', async () => {
    const busy = refusal(503, 'overloaded');
    const usual = await meet(() => client().teams.get('1'), busy, busy, busy);
    expect(usual).toMatchObject({ tries: 3, outcome: { code: 'overloaded' } });
    expect(usual.outcome).toBeInstanceOf(ServerError);
    expect((await meet(() => client().teams.get('1', { maxRetries: 0 }), busy)).tries).toBe(1);
    expect((await meet(() => client({ maxRetries: 1 }).teams.get('1'), busy, busy)).tries).toBe(2);
  });

  test('no sooner than Retry-After says, and not at all when that is long', async () => {
    const begunMs = performance.now();
    await meet(() => client().teams.get('1'), refusal(429, 'rate_limited', { 'retry-after': '1' }), ok);
    expect(performance.now() - begunMs).toBeGreaterThanOrEqual(990);
    const late = await meet(() => client().teams.get('1'), refusal(429, 'rate_limited', { 'retry-after': '3600' }));
    expect(late).toMatchObject({ tries: 1, outcome: { retryAfterMs: 3_600_000 } });
    expect(late.outcome).toBeInstanceOf(RateLimitError);
  });

  test.each([
    ['a refusal', refusal(409, 'conversation_conflict'), ConflictError],
    ['a wrong key', refusal(401, 'unauthorized'), AuthenticationError],
  ] as const)('never after %s', async (_name, fate, Class) => {
    const { tries, outcome } = await meet(() => client().teams.create({ name: 'a' }), fate);
    expect(tries).toBe(1);
    expect(outcome).toBeInstanceOf(Class);
  });

  test('never when it may have taken effect and nothing would notice a second time', async () => {
    for (const idempotencyKey of [undefined, 'of no use here']) {
      const conditional = () => client().teams.update('1', { name: 'a' }, { ifMatch: 3, idempotencyKey });
      expect((await meet(conditional, refusal(503, 'overloaded'))).tries).toBe(1);
    }
    expect(proxy.passed.at(-1)?.headers['if-match']).toBe('"3"');
  });
});

describe('a request without a verb', () => {
  const post = { method: 'POST', path: '/v1/new-things', body: {} };

  test('is made again only with a key of the caller', async () => {
    expect((await meet(() => client().request(post), refusal(503, 'overloaded'))).tries).toBe(1);
    const keyed = () => client().request(post, { idempotencyKey: 'mine' });
    expect((await meet(keyed, refusal(503, 'overloaded'), ok)).tries).toBe(2);
  });
});

describe('a call that gets no answer', () => {
  test('ends after its time, with an error that says so', async () => {
    const { tries, outcome } = await meet(
      // On a busy machine a request takes some time to arrive.
      () => client({ timeoutMs: 1_500, maxRetries: 1 }).teams.get('1'),
      'hang',
      'hang',
    );
    expect(tries).toBe(2);
    expect(outcome).toBeInstanceOf(TimeoutError);
    expect(outcome).toMatchObject({ code: 'timed_out', status: null });
  });

  test('says what was not reached', async () => {
    const nowhere = new Postrider({ apiKey: 'key', baseUrl: 'http://127.0.0.1:9', maxRetries: 0 });
    const error = await nowhere.teams.get('1').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(String(error)).toContain('http://127.0.0.1:9/v1/teams/1');
  });

  test('ends with the reason of its signal: while it waits for an answer, and between tries', async () => {
    for (const fate of ['hang', refusal(429, 'rate_limited', { 'retry-after': '30' })] as const) {
      const controller = new AbortController();
      const before = proxy.passed.length;
      const called = meet(() => client().teams.get('1', { signal: controller.signal }), fate);
      await expect.poll(() => proxy.passed.length).toBeGreaterThan(before);
      controller.abort(new Error('Enough.'));
      expect(String((await called).outcome)).toBe('Error: Enough.');
    }
    const ended = client().teams.get('1', { signal: AbortSignal.abort(new Error('Before.')) });
    await expect(ended).rejects.toThrow('Before.');
  });
});

describe('an answer of something else', () => {
  const page: Fate = { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: '<h1>Hello</h1>' };

  test.each([
    ['a page', page],
    ['a word', { status: 200, headers: { 'content-type': 'text/plain' }, body: 'OK' } as const],
    ['a word of no type', { status: 200, body: 'OK' } as const],
    ['a 404 of another server', { status: 404, body: 'Not here' } as const],
  ])('is not taken for one of the service: %s', async (_name, fate) => {
    const { outcome } = await meet(() => client({ maxRetries: 0 }).teams.get('1'), fate);
    expect(outcome).toBeInstanceOf(UnexpectedAnswerError);
    expect(String(outcome)).toContain('is the base address right?');
  });
});

describe('the base address', () => {
  test.each(['', '/', '/v1', '/v1/'])('may end in %j', async (end) => {
    await meet(() => client({ baseUrl: proxy.url + end }).teams.get('1'), ok);
    expect(proxy.passed.at(-1)?.path).toBe('/v1/teams/1');
  });

  test('may have a path of its own', async () => {
    await meet(() => client({ baseUrl: `${proxy.url}/messaging/` }).teams.get('1'), ok);
    expect(proxy.passed.at(-1)?.path).toBe('/messaging/v1/teams/1');
  });

  test.each(['messages.example', 'ftp://messages.example'])('is refused with a sentence: %s', (baseUrl) => {
    expect(() => client({ baseUrl })).toThrow(/The base address/);
  });
});

describe('the key', () => {
  test('and the address come from the environment when they are not given', async () => {
    vi.stubEnv('POSTRIDER_API_KEY', 'key of the environment');
    vi.stubEnv('POSTRIDER_BASE_URL', proxy.url);
    await meet(() => new Postrider().teams.get('1'), ok);
    expect(proxy.passed.at(-1)?.headers.authorization).toBe('Bearer key of the environment');
  });

  test('is asked for when it is missing', () => {
    vi.stubEnv('POSTRIDER_API_KEY', '');
    expect(() => new Postrider({ baseUrl: proxy.url })).toThrow(/An API key is missing/);
  });

  test('is not sent by a page of the service, which has its session', async () => {
    vi.stubEnv('POSTRIDER_API_KEY', 'key of the environment');
    const inits: (RequestInit | undefined)[] = [];
    const spy: typeof fetch = (input, init) => {
      inits.push(init);
      return fetch(input, init);
    };
    await meet(() => new Postrider({ session: true, baseUrl: proxy.url, fetch: spy }).teams.get('1'), ok);
    expect(inits[0]?.credentials).toBe('same-origin');
    const { headers } = proxy.passed.at(-1) ?? {};
    expect(headers?.authorization).toBeUndefined();
    expect(headers?.['postrider-client']).toBe(`sdk/${VERSION}`);
    expect(() => new Postrider({ session: true, apiKey: 'key' })).toThrow(/not both/);
  });
});
