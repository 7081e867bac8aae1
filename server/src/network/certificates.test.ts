import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '#runtime/config';
import { TEST_CERTIFICATE } from '#testing/peers/tls-certificate';
import { makeAccountClient } from './account-client.ts';
import { makeNetworkClient } from './client.ts';
import { makeMediaClient } from './media-client.ts';
import { makeTemplateClient } from './template-client.ts';

let arrived = 0;
const server = createServer(TEST_CERTIFICATE, (_request, response) => {
  arrived += 1;
  response.end('{}');
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

test('nothing is sent to a network whose certificate is not signed by a known authority', async () => {
  const networkUrl = `https://localhost:${(server.address() as AddressInfo).port}`;
  const config = { ...readConfig({}), networkUrl };
  const network = makeNetworkClient(config);
  const media = makeMediaClient(config);
  const accounts = makeAccountClient(config);
  const templates = makeTemplateClient(config);
  try {
    const outcome = await network.send({ phoneNumberId: '1', edge: 'messages', body: '{}', token: 'secret' });
    expect(outcome).toEqual({ kind: 'not_sent', reason: expect.stringContaining('CERT') });
    const asked = [
      network.markRead({ phoneNumberId: '1', token: 'secret', networkMessageId: 'wamid.1', typing: false }),
      media.locate({ networkMediaId: '1', phoneNumberId: '1', token: 'secret' }),
      accounts.describe('secret', '1'),
      templates.listPage({ networkAccountId: '1', token: 'secret' }, null),
    ];
    await Promise.allSettled(asked);
    expect(arrived).toBe(0);
  } finally {
    await Promise.all([network, media, accounts, templates].map((client) => client.close()));
  }
});
