import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeMediaClient } from '#network/media-client';
import { callbackBody, ingest } from '#testing/test-callbacks';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

/*
 * Addresses that a tenant or a customer names, and what our server does with them: nothing. The network fetches links;
 * we fetch files of customers from the network alone.
 */
let kit: TestService;
let tenant: TestTenant;
let trap: Server;
let trapUrl: string;
const caught: string[] = [];

beforeAll(async () => {
  trap = createServer((request, response) => {
    caught.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`);
    response.end('caught');
  });
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
  trapUrl = `http://127.0.0.1:${(trap.address() as AddressInfo).port}`;
  kit = await startTestService();
  tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
});
beforeEach(() => void caught.splice(0));
afterAll(async () => {
  await kit.close();
  await new Promise((resolve) => trap.close(resolve));
});

/** Spellings of addresses that lead to this machine or to where clouds keep their secrets. */
function insideAddresses(): readonly string[] {
  const { port } = new URL(trapUrl);
  const hosts = [
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '2130706433',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'localhost',
    'localhost.',
    'ok@127.0.0.1',
    '0.0.0.0',
  ];
  return [
    ...hosts.map((host) => `http://${host}:${port}/inside`),
    'http://169.254.169.254/latest/meta-data/',
    'http://metadata.google.internal/computeMetadata/v1/',
    'http://10.0.0.1/',
    'http://[fd00:ec2::254]/',
  ];
}

describe('the address of a link', () => {
  test('is given to the network and never called by us', async () => {
    for (const link of insideAddresses()) {
      const body = { to: freshPhone(), type: 'image', media: { link } };
      expect((await tenant.call('POST', '/v1/messages/dry-run', body)).status).toBe(200);
      const sent = await tenant.call('POST', '/v1/messages', body);
      expect([link, sent.status]).toEqual([link, 202]);
      await tenant.untilMessage(sent.body.id, ({ status }) => status !== 'queued' && status !== 'sending', 'it left');
    }
    expect(caught).toEqual([]);
  });

  test.each([
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
    'ftp://127.0.0.1/a',
    'unix:/run/x',
    '//127.0.0.1/a',
    'data:,x',
  ])('is a 400 when it is %s', async (link) => {
    const answer = await tenant.call('POST', '/v1/messages', { to: freshPhone(), type: 'image', media: { link } });
    expect([answer.status, answer.body.details?.[0]?.path]).toEqual([400, 'body.media.link']);
  });
});

describe('the file of a customer', () => {
  test('is not fetched from an address that the callback itself names', async () => {
    const from = freshPhone();
    const image = { id: '900000000000001', mime_type: 'image/jpeg', url: `${trapUrl}/a`, link: `${trapUrl}/b` };
    const messages = [{ from, id: `wamid.${from}`, timestamp: '1790000000', type: 'image', image }];
    await ingest(kit, callbackBody({ phoneNumberId: tenant.phoneNumberId, messages }));
    const ask = async () => (await tenant.call('GET', `/v1/messages/inbound?from=${from}`)).body.data[0];
    const message = await kit.until(ask, (one) => one?.media?.error != null, 'the fetch was tried');
    expect(message.media.status).not.toBe('ready');
    expect(caught).toEqual([]);
  });

  test('is fetched from nowhere but the network and its file hosts, wherever a name leads', async () => {
    const network = makeMediaClient({ ...kit.rt.config, mediaHosts: 'files.example' });
    for (const url of [...insideAddresses(), trapUrl, 'https://localhost/', 'https://files.example.localhost/']) {
      expect([url, await network.download(url, null, 10_000)]).toEqual([
        url,
        { kind: 'failed', failure: expect.objectContaining({ kind: 'unfit' }) },
      ]);
    }
    await network.close();
    expect(caught).toEqual([]);
  });

  test.each([301, 302, 303, 307, 308])('is not fetched from where the network redirects to with %i', async (status) => {
    const redirecting = createServer((_request, response) => {
      response.writeHead(status, { location: `${trapUrl}/redirected` }).end();
    });
    await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve));
    const networkUrl = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}`;
    const network = makeMediaClient({ ...kit.rt.config, networkUrl });
    try {
      expect(await network.download(`${networkUrl}/file`, null, 10_000)).toMatchObject({ kind: 'failed' });
      const wanted = { networkMediaId: '900000000000001', phoneNumberId: tenant.phoneNumberId, token: null };
      expect(await network.locate(wanted)).toMatchObject({ kind: 'failed' });
      expect(caught).toEqual([]);
    } finally {
      await network.close();
      await new Promise((resolve) => redirecting.close(resolve));
    }
  });
});
