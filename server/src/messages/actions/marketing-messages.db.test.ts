import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#core/json';
import { addSimulatedNumber } from '#testing/peers/link-dialog';
import { type Answer, startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

/* Templates of marketing that leave over the network's Marketing Messages API. */
const ACCOUNT = `79${process.pid}`;
let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService();
  await addSimulatedNumber(kit, ACCOUNT, true);
  tenant = await makeTestTenant(kit, { networkAccountId: ACCOUNT, ratePerSecond: 0 });
  await approve('spring', 'marketing');
  await approve('order', 'utility');
  // What is remembered of templates may be a moment old.
  await kit.until(
    () => post({}, 'order'),
    ({ status }) => status === 400,
    'the templates are remembered',
  );
});
afterAll(() => kit.close());

async function approve(name: string, category: string): Promise<void> {
  const draft = { name, language: 'en', category, components: [{ type: 'BODY', text: 'We have moved.' }] };
  const made = await tenant.call('POST', '/v1/templates', draft);
  await tenant.call('POST', `/v1/templates/${made.body.id}/submit`);
  const read = async () => (await tenant.call('GET', `/v1/templates/${made.body.id}`)).body;
  await kit.until(read, ({ sendable }) => sendable, `${name} is approved`);
}

const post = (options: unknown, name = 'spring', to = freshPhone()): Promise<Answer> =>
  tenant.call('POST', '/v1/messages', {
    to,
    type: 'template',
    template: { language: 'en', name, marketing_messages: options },
  });

const isPriced = ({ delivery }: { readonly delivery: { readonly pricing: unknown } }) => delivery.pricing !== null;

/** What the network priced the message as, and what it was sent beside the template. */
async function delivered(answer: Answer, to: string): Promise<{ category: unknown; request: JsonObject }> {
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 202 });
  const message = await tenant.untilMessage(answer.body.id, isPriced, 'it is priced');
  const [sent] = await tenant.ledger(to);
  return { category: message.delivery.pricing.category, request: sent?.request };
}

describe('a template with marketing_messages', () => {
  test.each([
    ['without options', {}, {}],
    [
      'with every option',
      { product_policy: 'strict', message_activity_sharing: false },
      { product_policy: 'STRICT', message_activity_sharing: false },
    ],
  ])('leaves over that API, %s, and shows them', async (_label, options, sent) => {
    const to = freshPhone();
    const answer = await post(options, 'spring', to);
    const { category, request } = await delivered(answer, to);
    expect(category).toBe('marketing_lite');
    expect(request).toMatchObject({ ...sent, template: { name: 'spring', language: { code: 'en' } } });
    expect(Object.keys(request.template as JsonObject).toSorted()).toEqual(['language', 'name']);
    const shown = await tenant.call('GET', `/v1/messages/${answer.body.id}`);
    expect(shown.body.template).toEqual({ name: 'spring', language: 'en', marketing_messages: options });
  });

  test('is sent to a user ID too', async () => {
    const to = `US.79${process.pid}1`;
    expect((await delivered(await post({}, 'spring', to), to)).category).toBe('marketing_lite');
  });

  test('leaves over that API from a batch', async () => {
    const to = freshPhone();
    const template = { language: 'en', name: 'spring', marketing_messages: {} };
    const answer = await tenant.call('POST', '/v1/messages/batch', { messages: [{ to, type: 'template', template }] });
    const message = await tenant.untilMessage(answer.body.data[0].message.id, isPriced, 'it is priced');
    expect(message.delivery.pricing.category).toBe('marketing_lite');
  });

  test('leaves over that API as a reply', async () => {
    const from = freshPhone();
    await kit.simulate('POST', '/_sim/inbound', {
      messages: [{ from, text: 'Hi', phone_number_id: tenant.phoneNumberId }],
    });
    const read = () => tenant.call('GET', `/v1/messages/inbound?from=${from}`);
    const { body } = await kit.until(
      read,
      ({ body: { data } }) => data.length === 1,
      'what the customer wrote is there',
    );
    const { conversation_id: id } = body.data[0];
    const template = { language: 'en', name: 'spring', marketing_messages: {} };
    const answer = await tenant.call('POST', `/v1/conversations/${id}/messages`, {
      type: 'template',
      template,
    });
    const message = await tenant.untilMessage(answer.body.id, isPriced, 'it is priced');
    expect(message.delivery.pricing.category).toBe('marketing_lite');
  });

  test('leaves over that API from a campaign', async () => {
    const to = freshPhone();
    const template = { language: 'en', name: 'spring', marketing_messages: { product_policy: 'strict' } };
    const draft = { name: `spring ${to}`, phone_number_id: tenant.phoneNumberId, template };
    const campaign = await tenant.call('POST', '/v1/campaigns', draft);
    expect(campaign.body.template).toEqual(template);
    await tenant.call('POST', `/v1/campaigns/${campaign.body.id}/recipients`, { recipients: [{ to }] });
    await tenant.call('POST', `/v1/campaigns/${campaign.body.id}/start`);
    const read = () => tenant.ledger(to);
    const [sent] = await kit.until(read, (entries) => entries.length === 1, 'the recipient has it');
    expect(sent?.request.product_policy).toBe('STRICT');
  });

  test('leaves over the Cloud API without it', async () => {
    const to = freshPhone();
    const answer = await post(undefined, 'spring', to);
    expect((await delivered(answer, to)).category).not.toBe('marketing_lite');
  });

  test('is refused for a template of another category, and stores nothing', async () => {
    const to = freshPhone();
    const answer = await post({}, 'order', to);
    expect({ status: answer.status, body: answer.body }).toMatchObject({
      status: 400,
      body: {
        code: 'validation_failed',
        error: 'The template is of the category utility; marketing_messages is for templates of marketing.',
        details: [{ path: 'body.template.marketing_messages' }],
      },
    });
    expect((await tenant.call('GET', `/v1/messages?to=${to}`)).body.data).toEqual([]);
  });

  test.each([
    ['an unknown option', { ttl: 5 }, 'body.template.marketing_messages.ttl'],
    ['another policy', { product_policy: 'STRICT' }, 'body.template.marketing_messages.product_policy'],
    ['no boolean', { message_activity_sharing: 'yes' }, 'body.template.marketing_messages.message_activity_sharing'],
    ['no object', true, 'body.template.marketing_messages'],
  ])('is refused with %s', async (_label, options, path) => {
    const answer = await post(options);
    expect({ status: answer.status, path: answer.body.details?.[0]?.path }).toEqual({ status: 400, path });
  });

  test('is refused in a dry run in the same words', async () => {
    const body = {
      to: freshPhone(),
      type: 'template',
      template: { language: 'en', name: 'order', marketing_messages: {} },
    };
    const answer = await tenant.call('POST', '/v1/messages/dry-run', body);
    expect(answer.text).toContain('marketing_messages is for templates of marketing');
  });
});

describe('a template that nobody here knows, with marketing_messages', () => {
  const unknown = { name: 'elsewhere', language: 'en', marketing_messages: {} };
  const send = (to: string, change: object = {}, of = { ...unknown }) =>
    newcomer.call('POST', '/v1/messages', { to, type: 'template', template: of, ...change });
  let newcomer: TestTenant;
  beforeAll(async () => {
    newcomer = await makeTestTenant(kit, { ratePerSecond: 0 });
  });

  async function refuse(phone: string): Promise<void> {
    const contact = await newcomer.call('POST', '/v1/contacts', { phone });
    const denied = { marketing: 'denied', source: 'desk' };
    await newcomer.call('POST', `/v1/contacts/${contact.body.id}/consent`, denied);
  }

  test('is refused when the recipient wants no marketing', async () => {
    const to = freshPhone();
    await refuse(to);
    const refused = await kit.until(
      () => send(to),
      ({ status }) => status !== 202,
      'the refusal is known',
    );
    expect(refused.body.code).toBe('recipient_opted_out');
    const { marketing_messages: _without, ...utility } = unknown;
    expect((await newcomer.call('POST', '/v1/messages', { to, type: 'template', template: utility })).status).toBe(202);
  });

  test('does not leave any more once the recipient has refused', async () => {
    const to = freshPhone();
    const queued = await send(to, { send_at: new Date(kit.rt.clock.now() + 60_000).toISOString() });
    expect(queued.status).toBe(202);
    await refuse(to);
    const message = await newcomer.untilMessage(
      queued.body.id,
      ({ status }) => status !== 'scheduled' && status !== 'queued',
      'it ended',
    );
    expect(message.delivery.error.code).toBe('contact_opted_out');
  });
});
