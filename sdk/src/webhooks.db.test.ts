import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWebhookReceiver, type WebhookReceiver } from '../../server/src/testing/peers/webhook-receiver.ts';
import { startTestService, type TestService } from '../../server/src/testing/test-service.ts';
import { makeTestTenant } from '../../server/src/testing/test-tenant.ts';
import { Postrider, WebhookSignatureError } from './index.ts';

let kit: TestService;
let receiver: WebhookReceiver;
beforeAll(async () => {
  kit = await startTestService({ config: { webhookAllow: '127.0.0.1/32' } });
  receiver = await startWebhookReceiver();
});
afterAll(async () => {
  await receiver.close();
  await kit.close();
});

test('what the service posts is unwrapped with the old and the new secret of a rotation, and with no other', async () => {
  const tenant = await makeTestTenant(kit);
  const pr = new Postrider({ apiKey: tenant.key, baseUrl: kit.service.url });
  const endpoint = await pr.webhookEndpoints.create({ url: `${receiver.url}/hooks`, types: ['team.created'] });
  const rotated = await pr.webhookEndpoints.rotateSecret(endpoint.id, { overlap_s: 3_600 });
  await pr.teams.create({ name: 'Support' });
  const [hook] = await kit.until(
    async () => receiver.received,
    ({ length }) => length === 1,
    'the event is posted',
  );
  if (!hook || !endpoint.secret || !rotated.secret) throw new Error('There is no hook, or no secret.');
  for (const secret of [endpoint.secret, rotated.secret]) {
    const event = await pr.webhooks.unwrap(hook.body, hook.headers, secret);
    expect(event).toMatchObject({ type: 'team.created', data: { name: 'Support' } });
  }
  const other = `whsec_${Buffer.from('no secret of this one...').toString('base64')}`;
  await expect(pr.webhooks.unwrap(hook.body, hook.headers, other)).rejects.toBeInstanceOf(WebhookSignatureError);
});
