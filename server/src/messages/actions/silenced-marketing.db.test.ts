import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeNumberCache } from '#accounts/actions/number-cache';
import { makeBillingGate } from '#billing/actions/billing-gate';
import { makeSuppressionCache, type SuppressionCache } from '#contacts/actions/suppression-cache';
import { makeMediaCache } from '#media/actions/media-cache';
import { makeTemplateCache } from '#templates/actions/template-cache';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { type AcceptOutcome, type MessageAcceptor, makeAcceptor, type SendRequest } from './accept-message.ts';

/*
 * Two processes: the service, and one that only accepts, whose clock stands still, so that its cache of opted-out
 * recipients never expires. Anything it accepts from that cache must not leave.
 */
let kit: TestService;
let tenant: TestTenant;
let stale: { readonly suppressions: SuppressionCache; readonly acceptor: MessageAcceptor };

beforeAll(async () => {
  kit = await startTestService();
  const rt = testRuntime({}, new TestClock(kit.rt.clock.now()));
  const { db } = kit.service;
  const suppressions = makeSuppressionCache(rt, db);
  const checks = {
    rt,
    db,
    numbers: makeNumberCache(rt, db),
    media: makeMediaCache(rt, db),
    gate: makeBillingGate(rt, db),
    templates: makeTemplateCache(rt, db),
    suppressions: suppressions,
  };
  stale = { suppressions, acceptor: makeAcceptor({ ...checks, notifyLane: () => undefined }) };
});
beforeEach(async () => {
  tenant = await makeTestTenant(kit);
});
afterAll(async () => {
  await stale.acceptor.close();
  await kit.close();
});

const text: SendRequest = {
  to: '',
  content: { type: 'text', body: 'Buy!', previewUrl: false },
  phoneNumberId: null,
  campaignName: null,
  clientRef: null,
  replyTo: null,
  resendOf: null,
  author: null,
  priority: null,
  sendAtMs: null,
  expiresMs: null,
  ttlS: null,
};
const template = { name: 'spring_sale', language: 'en', category: 'marketing' } as const;
const marketing: readonly { readonly what: string; readonly fields: Partial<SendRequest> }[] = [
  { what: 'of a campaign', fields: { campaignName: 'spring' } },
  { what: 'with priority bulk', fields: { priority: 'bulk' } },
  { what: 'with a template of marketing', fields: { content: { type: 'template', template } } },
];

/** A recipient whom the stale process knows as willing, and who has opted out since. */
async function optedOut(verb: 'STOP' | 'block'): Promise<string> {
  const phone = freshPhone();
  const { id } = (await tenant.call('POST', '/v1/contacts', { phone })).body;
  expect((await stale.suppressions.of(tenant.tenantId)).problem(phone, true, null)).toBeNull();
  if (verb === 'block') {
    await tenant.call('POST', `/v1/contacts/${id}/block`);
    return phone;
  }
  await kit.simulate('POST', '/_sim/inbound', { phone_number_id: tenant.phoneNumberId, from: phone, text: 'STOP' });
  const read = async () => (await tenant.call('GET', `/v1/contacts/${id}`)).body;
  await kit.until(read, ({ consent }) => consent.marketing === 'denied', 'the STOP counts');
  return phone;
}

async function acceptStale(to: string, fields: Partial<SendRequest>): Promise<string> {
  const outcome: AcceptOutcome = await stale.acceptor.accept(tenant.tenantId, { ...text, ...fields, to }, null);
  if (outcome.kind !== 'accepted') throw new Error('Nothing is repeated here.');
  return outcome.response.id;
}

const settled = (id: string) =>
  tenant.untilMessage(id, ({ status }) => status === 'sent' || status === 'failed', 'the message is settled');

test.each(marketing)('marketing $what that was accepted from memory after a STOP does not leave', async ({
  fields,
}) => {
  const to = await optedOut('STOP');
  const id = await acceptStale(to, fields);
  expect(await settled(id)).toMatchObject({
    status: 'failed',
    delivery: { attempts: 0, error: { code: 'contact_opted_out' } },
  });
  expect(await tenant.events(id)).toContain('canceled');
  expect(await tenant.ledger(to)).toEqual([]);
});

test('marketing that was accepted from memory after a block does not leave', async () => {
  const to = await optedOut('block');
  const id = await acceptStale(to, { campaignName: 'spring' });
  expect((await settled(id)).delivery.error.code).toBe('contact_blocked');
  expect(await tenant.ledger(to)).toEqual([]);
});

test('messages other than marketing still leave after a STOP', async () => {
  const to = await optedOut('STOP');
  expect((await settled(await acceptStale(to, {}))).status).toBe('sent');
  expect(await tenant.ledger(to)).toHaveLength(1);
});

test('a waiting template of marketing is canceled by the STOP itself', async () => {
  const phone = freshPhone();
  const { id: contactId } = (await tenant.call('POST', '/v1/contacts', { phone })).body;
  const sendAtMs = kit.rt.clock.now() + 3_600_000;
  const id = await acceptStale(phone, { content: { type: 'template', template }, sendAtMs });
  await tenant.call('POST', `/v1/contacts/${contactId}/consent`, { marketing: 'denied', source: 'desk' });
  expect((await tenant.message(id)).delivery.error.code).toBe('contact_opted_out');
});
