import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callbackBody, countRows, inboundText, ingested, postCallback, signatureOf } from '#testing/test-callbacks';
import { callApi, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService({ isAlone: true });
  tenant = await makeTestTenant(kit);
});
afterAll(() => kit.close());

const MEGABYTE = 1024 * 1024;

function textCallback(id: string, fields: object = {}): string {
  return callbackBody({ phoneNumberId: tenant.phoneNumberId, messages: [inboundText(id, freshPhone(), fields)] });
}

function verify(query: Record<string, string>, platform = 'meta') {
  return callApi(kit.service.url, 'GET', `/webhooks/${platform}?${new URLSearchParams(query)}`);
}

describe('a signed callback', () => {
  test('P2: is answered 200 once it is stored, byte for byte', async () => {
    const body = `${textCallback('wamid.BYTES')} \n`.replace('"Hi"', '"H\\u00e9 \\/ é"');
    const answer = await postCallback(kit, body);
    expect([answer.status, answer.text]).toEqual([200, 'ok']);
    await ingested(kit);
    const stored = await kit.service.db.run<{ body: string }>(
      { name: 'test_bodies', text: 'select unnest(bodies) as body from callbacks' },
      [],
    );
    expect(stored.rows.map((row) => row.body)).toContain(body);
    const [message] = (await tenant.call('GET', '/v1/messages/inbound')).body.data;
    expect(message.body).toBe('Hé / é');
  });

  test('comes in under the alias of the platform too', async () => {
    const body = textCallback('wamid.ALIAS');
    const headers = { 'x-hub-signature-256': signatureOf(body, kit.rt.config.appSecret) };
    expect((await callApi(kit.service.url, 'POST', '/webhooks/platform', Buffer.from(body), headers)).status).toBe(200);
    expect((await callApi(kit.service.url, 'POST', '/webhooks/elsewhere', Buffer.from(body), headers)).status).toBe(
      404,
    );
  });

  test('needs no content type that we know', async () => {
    const body = textCallback('wamid.TYPE');
    const headers = {
      'x-hub-signature-256': signatureOf(body, kit.rt.config.appSecret),
      'content-type': 'application/x-unknown',
    };
    expect((await callApi(kit.service.url, 'POST', '/webhooks/meta', Buffer.from(body), headers)).status).toBe(200);
  });

  test('just under 3 MB is stored', async () => {
    const answer = await postCallback(
      kit,
      textCallback('wamid.LARGE', { text: { body: 'x'.repeat(3 * MEGABYTE - 2_000) } }),
    );
    expect(answer.status).toBe(200);
    await ingested(kit);
  });

  test('that is not JSON is kept, with the reason', async () => {
    const before = await countRows(kit.service.db, 'callback_leftovers');
    expect((await postCallback(kit, 'not json at all')).status).toBe(200);
    await ingested(kit);
    expect(await countRows(kit.service.db, 'callback_leftovers')).toBe(before + 1);
  });
});

describe('P7: a callback that is not certainly from the network', () => {
  const body = callbackBody({ phoneNumberId: '1', messages: [inboundText('wamid.FORGED', '447700900123')] });
  const secret = 'simulator-app-secret';
  const right = signatureOf(body, secret);

  test.each([
    ['no signature', null],
    ['an empty signature', ''],
    ["another app's secret", signatureOf(body, 'another secret')],
    ['the signature of other bytes', signatureOf(`${body} `, secret)],
    ['the signature of the same JSON written anew', signatureOf(JSON.stringify(JSON.parse(body), null, 1), secret)],
    ['upper-case hex', `sha256=${right.slice(7).toUpperCase()}`],
    ['a signature cut short', right.slice(0, -1)],
    ['a signature with more behind it', `${right}0`],
    ['no scheme', right.slice(7)],
    ['the old scheme', `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`],
    ['the signature twice', `${right}, ${right}`],
    ['the signature of an empty body', signatureOf('', secret)],
  ])('is refused with 401 and not stored: %s', async (_label, signature) => {
    const before = await countRows(kit.service.db, 'callbacks');
    const answer = await postCallback(kit, body, signature);
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    expect(await countRows(kit.service.db, 'callbacks')).toBe(before);
  });

  test('or is over 3 MB is refused with 413 and not stored, signed or not', async () => {
    const large = 'x'.repeat(3 * MEGABYTE + 1);
    const before = await countRows(kit.service.db, 'callbacks');
    expect((await postCallback(kit, large)).status).toBe(413);
    expect(await countRows(kit.service.db, 'callbacks')).toBe(before);
  });
});

describe('the verification of the address', () => {
  const good = { 'hub.mode': 'subscribe', 'hub.verify_token': 'simulator-verify-token', 'hub.challenge': '1158201444' };

  test('returns the challenge as plain text', async () => {
    const answer = await verify(good);
    expect([answer.status, answer.text]).toEqual([200, '1158201444']);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
    expect((await verify(good, 'platform')).text).toBe('1158201444');
  });

  test.each([
    ['a wrong token', { ...good, 'hub.verify_token': 'guess' }],
    ['no token', { 'hub.mode': 'subscribe', 'hub.challenge': '1' }],
    ['another mode', { ...good, 'hub.mode': 'unsubscribe' }],
    ['a challenge that is markup', { ...good, 'hub.challenge': '<script>' }],
    ['no challenge', { 'hub.mode': 'subscribe', 'hub.verify_token': 'simulator-verify-token' }],
  ])('is refused with 403: %s', async (_label, query) => {
    const answer = await verify(query);
    expect(answer.status).toBe(403);
    expect(answer.text).not.toContain('<script>');
  });

  test('of another platform is a 404', async () => {
    expect((await verify(good, 'elsewhere')).status).toBe(404);
  });
});
