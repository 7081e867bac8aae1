import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../json.ts';
import { CUSTOMER, codeOf, NUMBER_ID, startTestNetwork, type TestNetwork } from '../testing/network.ts';

const WABA = '300400500600';

/* The Marketing Messages API: the same body as for messages, for templates of marketing alone. */
let network: TestNetwork;
beforeAll(async () => {
  network = await startTestNetwork();
  for (const [name, category] of Object.entries({ spring: 'MARKETING', order: 'UTILITY' })) {
    const made = await network.graph('POST', `/v26.0/${WABA}/message_templates`, {
      ...{ name, category, language: 'en' },
      components: [{ type: 'BODY', text: 'We have moved.' }],
    });
    if (made.status !== 200) throw new Error(JSON.stringify(made.body));
  }
});
afterAll(() => network.close());

const template = (name: string): JsonObject => ({ name, language: { code: 'en' } });
const post = (body: JsonObject) =>
  network.graph('POST', `/v26.0/${NUMBER_ID}/marketing_messages`, {
    ...{ messaging_product: 'whatsapp', to: CUSTOMER, type: 'template', template: template('spring') },
    ...body,
  });

test.each<readonly [string, JsonObject]>([
  ['a template of marketing', {}],
  ['one that nobody created here', { template: template('elsewhere') }],
  ['both options', { product_policy: 'CLOUD_API_FALLBACK', message_activity_sharing: true }],
])('%s is answered as any template', async (_label, body) => {
  const answer = await post(body);
  expect(answer.status).toBe(200);
  expect(answer.body.messages).toEqual([{ id: expect.stringMatching(/^wamid\./), message_status: 'accepted' }]);
});

test.each<readonly [string, JsonObject, number]>([
  ['a text', { type: 'text', text: { body: 'Hello' } }, 131055],
  ['a template of another category', { template: template('order') }, 134100],
  ['an unknown policy', { product_policy: 'strict' }, 100],
  ['message_activity_sharing that is not a boolean', { message_activity_sharing: 'yes' }, 100],
])('%s is refused', async (_label, body, code) => {
  expect(codeOf(await post(body))).toBe(code);
});

test('a message cannot be marked as read over it', async () => {
  const answer = await network.graph('POST', `/v26.0/${NUMBER_ID}/marketing_messages`, {
    ...{ messaging_product: 'whatsapp', status: 'read', message_id: 'wamid.X' },
  });
  expect(answer.status).toBe(400);
});
