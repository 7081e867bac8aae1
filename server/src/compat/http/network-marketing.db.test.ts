import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

/* POST /{phone_number_id}/marketing_messages, as clients of the network call it. */
let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
});
afterAll(() => kit.close());

const template = { name: 'spring', language: { code: 'en' } };
const post = (body: object) =>
  tenant.call('POST', `/v26.0/${tenant.phoneNumberId}/marketing_messages`, {
    ...{ messaging_product: 'whatsapp', type: 'template', template },
    ...body,
  });

test('a template leaves over the Marketing Messages API, with its options, and is answered as the network answers', async () => {
  const to = freshPhone();
  const answer = await post({ to, product_policy: 'STRICT', message_activity_sharing: false });
  expect({ status: answer.status, body: answer.body }).toEqual({
    status: 200,
    body: {
      messaging_product: 'whatsapp',
      contacts: [{ input: to, wa_id: to }],
      messages: [{ id: expect.stringMatching(/^wamid\./), message_status: 'accepted' }],
    },
  });
  const message = await tenant.untilMessage(
    answer.body.messages[0].id,
    ({ delivery }) => delivery.pricing !== null,
    'it is priced',
  );
  expect(message.delivery.pricing.category).toBe('marketing_lite');
  expect(message.template.marketing_messages).toEqual({ product_policy: 'strict', message_activity_sharing: false });
  const [sent] = await tenant.ledger(to);
  expect(sent?.request).toMatchObject({ template, product_policy: 'STRICT', message_activity_sharing: false });
});

test.each([
  ['a text', { type: 'text', text: { body: 'Hello' } }, 'type must be "template" here.'],
  ['an unknown policy', { product_policy: 'SOMETIMES' }, 'product_policy must be one of'],
  [
    'message_activity_sharing that is not a boolean',
    { message_activity_sharing: 'yes' },
    'message_activity_sharing must be',
  ],
  ['a receipt', { status: 'read', message_id: 'wamid.X' }, 'status is not supported here.'],
])('%s is refused in the words of the network', async (_label, body, sentence) => {
  const answer = await post({ to: freshPhone(), ...body });
  expect(answer.status).toBe(400);
  expect(answer.body.error).toMatchObject({ code: 100 });
  expect(answer.body.error.error_data.details).toContain(sentence);
});

test('the options are refused where the network does not know them', async () => {
  const answer = await tenant.call('POST', `/v26.0/${tenant.phoneNumberId}/messages`, {
    ...{ messaging_product: 'whatsapp', to: freshPhone(), type: 'template', template },
    product_policy: 'STRICT',
  });
  expect(answer.body.error.error_data.details).toContain('product_policy is not supported here.');
});
