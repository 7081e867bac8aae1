import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '#runtime/config';
import { type AccountClient, makeAccountClient } from './account-client.ts';

/** What the network is asked, word by word, and what is made of each of its answers. */
interface Request {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly authorization: string | null;
  readonly body: string;
}

const ACCOUNT = '300400500600';
const NUMBER = '106540352242922';
const management = 'whatsapp_business_management';
const messaging = 'whatsapp_business_messaging';

let server: Server;
let client: AccountClient;
let seen: Request[] = [];
/** The next answers, in order; the last one stays. Null breaks the connection off. */
let answers: (readonly [number, unknown] | null)[] = [];

beforeAll(async () => {
  server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const networkUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graph`;
  client = makeAccountClient({ ...readConfig({}), networkUrl, appId: '555', appSecret: 'app-secret' });
});
afterAll(async () => {
  await client.close();
  server.close();
});

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const url = new URL(request.url ?? '', 'http://network');
  const { method = '', headers } = request;
  const query = Object.fromEntries(url.searchParams);
  seen.push({ method, path: url.pathname, query, authorization: headers.authorization ?? null, body });
  const answer = answers.length > 1 ? answers.shift() : answers[0];
  if (!answer) return void response.destroy();
  const [status, content] = answer;
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(typeof content === 'string' ? content : JSON.stringify(content));
}

function answerWith(...given: typeof answers): void {
  answers = given;
  seen = [];
}

const asked = (): Request | undefined => seen[0];
const anyFields = expect.stringContaining('display_phone_number');
const base = { authorization: 'Bearer token', body: '' };

describe('the network is asked', () => {
  test.each<readonly [string, unknown, () => Promise<unknown>, object]>([
    [
      'for a token with the code and the address of the dialog',
      { access_token: 'EAAJ', token_type: 'bearer' },
      () => client.exchange({ code: 'AQ-1', redirectUri: 'https://shop.example/back?a=1' }),
      {
        method: 'GET',
        path: '/graph/v25.0/oauth/access_token',
        query: {
          client_id: '555',
          client_secret: 'app-secret',
          code: 'AQ-1',
          redirect_uri: 'https://shop.example/back?a=1',
        },
        authorization: null,
        body: '',
      },
    ],
    [
      'what a token is, in the name of the app',
      { data: { is_valid: true } },
      () => client.inspect('token'),
      {
        ...base,
        method: 'GET',
        path: '/graph/v25.0/debug_token',
        query: { input_token: 'token' },
        authorization: 'Bearer 555|app-secret',
      },
    ],
    [
      'to send the callbacks of an account',
      { success: true },
      () => client.subscribe('token', ACCOUNT),
      { ...base, method: 'POST', path: `/graph/v25.0/${ACCOUNT}/subscribed_apps`, query: {}, body: '{}' },
    ],
    [
      'for the numbers of an account',
      { data: [] },
      () => client.listNumbers('token', ACCOUNT),
      {
        ...base,
        method: 'GET',
        path: `/graph/v25.0/${ACCOUNT}/phone_numbers`,
        query: { fields: anyFields, limit: '100' },
      },
    ],
    [
      'for one number',
      { id: NUMBER, display_phone_number: '+1 555' },
      () => client.describe('token', NUMBER),
      { ...base, method: 'GET', path: `/graph/v25.0/${NUMBER}`, query: { fields: anyFields } },
    ],
    [
      'to register a number',
      { success: true },
      () => client.register('token', NUMBER, '012345'),
      {
        ...base,
        method: 'POST',
        path: `/graph/v25.0/${NUMBER}/register`,
        query: {},
        body: '{"messaging_product":"whatsapp","pin":"012345"}',
      },
    ],
  ])('%s', async (_label, answer, ask, request) => {
    answerWith([200, answer]);
    expect(await ask()).toMatchObject({ ok: true });
    expect(asked()).toEqual(request);
  });
});

describe('what a token is good for', () => {
  const reach = async (data: unknown) => {
    answerWith([200, { data }]);
    return client.inspect('token');
  };
  const scope = (name: string, ids?: readonly string[]) => ({ scope: name, ...(ids ? { target_ids: ids } : {}) });

  test.each<readonly [string, readonly object[], readonly string[], readonly string[]]>([
    ['both permissions for one account', [scope(management, ['1']), scope(messaging, ['1'])], ['1'], []],
    ['only accounts that both reach', [scope(management, ['1', '2']), scope(messaging, ['2', '3'])], ['2'], []],
    ['a permission for all narrows nothing', [scope(management, ['1', '1']), scope(messaging)], ['1'], []],
    ['both for all name no account', [scope(management), scope(messaging)], [], []],
    ['a permission that is missing', [scope(messaging, ['1'])], ['1'], [management]],
    ['other permissions do not matter', [scope('public_profile', ['9'])], [], [management, messaging]],
    ['an id that could lead elsewhere is left out', [scope(management, ['1/../2']), scope(messaging)], [], []],
  ])('%s', async (_label, granted, accountIds, lacking) => {
    expect(await reach({ is_valid: true, granular_scopes: granted })).toEqual({
      ok: true,
      value: { accountIds, lacking },
    });
  });

  test('a token that does not count is a refusal, though its answer is a success', async () => {
    const error = { code: 190, message: 'Expired.' };
    expect(await reach({ is_valid: false, error })).toMatchObject({
      ok: false,
      failure: { kind: 'refused', networkCode: 190, details: 'Expired.' },
    });
  });
});

describe('the numbers of an account', () => {
  const node = { id: NUMBER, display_phone_number: '+1 555-010-0001' };

  test('are read in the words of the network, over all pages', async () => {
    const full = {
      ...node,
      verified_name: 'Shop',
      quality_rating: 'GREEN',
      platform_type: 'CLOUD_API',
      throughput: { level: 'STANDARD' },
      status: 'CONNECTED',
      whatsapp_business_manager_messaging_limit: 'TIER_2K',
    };
    answerWith(
      [200, { data: [full], paging: { cursors: { after: 'A' }, next: 'https://network/next' } }],
      [200, { data: [{ ...node, id: '2' }], paging: { cursors: { after: 'B' } } }],
    );
    expect(await client.listNumbers('token', ACCOUNT)).toEqual({
      ok: true,
      value: [
        {
          phoneNumberId: NUMBER,
          displayPhone: '15550100001',
          verifiedName: 'Shop',
          qualityRating: 'GREEN',
          messagingLimit: 'TIER_2K',
          throughput: 'STANDARD',
          networkStatus: 'CONNECTED',
          isConnected: true,
        },
        expect.objectContaining({ phoneNumberId: '2', verifiedName: null, throughput: null, isConnected: false }),
      ],
    });
    expect(seen.map(({ query }) => query.after)).toEqual([undefined, 'A']);
  });

  test('a list that never ends does end', async () => {
    answerWith([200, { data: [node], paging: { cursors: { after: 'A' }, next: 'https://network/next' } }]);
    const numbers = await client.listNumbers('token', ACCOUNT);
    expect(numbers.ok && numbers.value.length).toBe(20);
  });

  test.each<readonly [string, object]>([
    ['no id', { display_phone_number: '+1 555' }],
    ['an id that could lead elsewhere', { ...node, id: '1/../2' }],
    ['no number', { id: NUMBER }],
  ])('a node with %s is left out', async (_label, broken) => {
    answerWith([200, { data: [broken, node] }]);
    expect(await client.listNumbers('token', ACCOUNT)).toMatchObject({ ok: true, value: [{ phoneNumberId: NUMBER }] });
  });
});

describe('an answer that is none', () => {
  test.each<readonly [string, readonly [number, unknown] | null, object]>([
    ['an error', [400, { error: { code: 100, message: 'Bad.' } }], { kind: 'refused', networkCode: 100 }],
    ['a fault in between', [502, '<html>'], { kind: 'unreachable' }],
    ['a success without its content', [200, {}], { kind: 'unreachable' }],
    ['no JSON', [200, 'ok'], { kind: 'unreachable' }],
    ['a broken connection', null, { kind: 'unreachable' }],
  ])('%s is a failure, and says nothing of the secret', async (_label, answer, failure) => {
    answerWith(answer);
    for (const ask of [
      () => client.exchange({ code: 'AQ', redirectUri: 'https://shop.example' }),
      () => client.subscribe('token', ACCOUNT),
      () => client.listNumbers('token', ACCOUNT),
      () => client.describe('token', NUMBER),
      () => client.register('token', NUMBER, '012345'),
    ]) {
      const outcome = await ask();
      expect(outcome).toMatchObject({ ok: false, failure });
      expect(JSON.stringify(outcome)).not.toMatch(/app-secret|012345|AQ/);
    }
    // An empty answer about a token is about none that counts.
    expect(await client.inspect('token')).toMatchObject({ ok: false });
  });
});
