/** The gateway's own client library is the reference: it speaks to the simulator as it would to the real thing. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestNetwork, type TestNetwork } from '../testing/network.ts';

const SECRET = 'whsec_test';
const SUCCESS = 'http://127.0.0.1:9/paid?session={CHECKOUT_SESSION_ID}';
const CANCEL = 'http://127.0.0.1:9/back';
const DAY_MS = 24 * 3600 * 1000;
const TOP_UP = {
  mode: 'payment',
  success_url: SUCCESS,
  cancel_url: CANCEL,
  client_reference_id: 'topup_1',
  metadata: { tenant: 't1' },
  line_items: [{ quantity: 2, price_data: { currency: 'eur', unit_amount: 1050, product_data: { name: 'Credit' } } }],
} as const satisfies Stripe.Checkout.SessionCreateParams;

let network: TestNetwork;
let stripe: Stripe;
let receiver: Server;
let events: Stripe.Event[] = [];
let refusals = 0;
let waiters: (() => void)[] = [];

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
    });
    request.on('end', () => {
      if (refusals > 0) {
        refusals--;
        response.writeHead(500).end();
        return;
      }
      events.push(stripe.webhooks.constructEvent(text, String(request.headers['stripe-signature']), SECRET));
      response.end('ok');
      for (const wake of waiters.splice(0)) wake();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const gatewayCallbackUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhooks/payments/stripe`;
  network = await startTestNetwork({ gatewayCallbackUrl, gatewayWebhookSecret: SECRET });
  stripe = client('sk_test_1');
});
beforeEach(async () => {
  await network.post('/_sim/reset', {});
  events = [];
  refusals = 0;
  waiters = [];
});
afterAll(async () => {
  await network.close();
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});

function client(key: string): Stripe {
  const { port } = network.simulator;
  return new Stripe(key, { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries: 0, telemetry: false });
}

async function received(count: number): Promise<readonly string[]> {
  while (events.length < count) await new Promise<void>((resolve) => waiters.push(resolve));
  return events.map((event) => event.type);
}

/** Clicks on the page to pay on. */
const click = (session: Stripe.Checkout.Session, decision: string): Promise<Response> =>
  fetch(String(session.url), { method: 'POST', body: new URLSearchParams({ decision }), redirect: 'manual' });

const monthly = (): Promise<Stripe.Price> =>
  stripe.prices.create({
    currency: 'eur',
    unit_amount: 2900,
    recurring: { interval: 'month' },
    product_data: { name: 'Pro' },
  });

async function subscribed(): Promise<Stripe.Subscription> {
  const { id: price } = await monthly();
  const { id: customer } = await stripe.customers.create({ email: 'ada@shop.example' });
  return stripe.subscriptions.create({ customer, items: [{ price }] });
}

test('a top-up is created, shown on a page, paid by a click and reported with a signature', async () => {
  const session = await stripe.checkout.sessions.create(TOP_UP);
  expect(session).toMatchObject({ status: 'open', payment_status: 'unpaid', amount_total: 2100, currency: 'eur' });
  const page = await (await fetch(String(session.url))).text();
  expect(page).toContain('€21.00');
  expect(page).not.toMatch(/(src|href)="(https?:)?\/\//);
  const paid = await click(session, 'pay');
  expect([paid.status, paid.headers.get('location')]).toEqual([
    303,
    SUCCESS.replace('{CHECKOUT_SESSION_ID}', session.id),
  ]);
  expect(await received(2)).toEqual(['payment_intent.succeeded', 'checkout.session.completed']);
  expect(events[1]?.data.object).toMatchObject({
    id: session.id,
    payment_status: 'paid',
    client_reference_id: 'topup_1',
    metadata: { tenant: 't1' },
  });
  const after = await stripe.checkout.sessions.retrieve(session.id, { expand: ['line_items', 'payment_intent'] });
  expect(after.status).toBe('complete');
  expect(after.line_items?.data[0]).toMatchObject({ quantity: 2, amount_total: 2100, description: 'Credit' });
  expect(after.payment_intent).toMatchObject({ object: 'payment_intent', status: 'succeeded', amount_received: 2100 });
  expect((await click({ ...session }, 'pay')).status).toBe(404);
});

test('a payment is given back in parts, and no more than it was', async () => {
  const payment = { ...TOP_UP, payment_intent_data: { metadata: { tenant: 't1' } } };
  const session = await stripe.checkout.sessions.create(payment);
  await click(session, 'pay');
  const { payment_intent: id } = await stripe.checkout.sessions.retrieve(session.id);
  const payment_intent = String(id);
  const first = await stripe.refunds.create({ payment_intent, amount: 100 });
  expect(first).toMatchObject({ object: 'refund', amount: 100, status: 'succeeded' });
  await expect(stripe.refunds.create({ payment_intent, amount: 2001 })).rejects.toThrow('greater than unrefunded');
  expect((await network.post('/_sim/gateway', { refund: session.id })).status).toBe(200);
  await expect(stripe.refunds.create({ payment_intent })).rejects.toMatchObject({ code: 'charge_already_refunded' });
  await received(6);
  const charges = events.filter(({ type }) => type === 'charge.refunded').map((event) => event.data.object);
  expect(charges).toMatchObject([
    { object: 'charge', amount: 2100, amount_refunded: 100, refunded: false, metadata: { tenant: 't1' } },
    { object: 'charge', amount_refunded: 2100, refunded: true },
  ]);
});

test('a declined card leaves the session open, and going back leads to the address for it', async () => {
  const session = await stripe.checkout.sessions.create(TOP_UP);
  expect(await (await click(session, 'fail')).text()).toContain('declined');
  expect(await received(1)).toEqual(['payment_intent.payment_failed']);
  expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('open');
  expect((await click(session, 'abandon')).headers.get('location')).toBe(CANCEL);
});

test('an unpaid session expires after a day, or on request', async () => {
  await stripe.checkout.sessions.create(TOP_UP);
  await network.post('/_sim/clock', { advance_ms: DAY_MS });
  expect(await received(1)).toEqual(['checkout.session.expired']);
  const other = await stripe.checkout.sessions.create(TOP_UP);
  expect((await stripe.checkout.sessions.expire(other.id)).status).toBe('expired');
  await expect(stripe.checkout.sessions.expire(other.id)).rejects.toThrow('can be expired');
});

test('the same idempotency key gives the same session, with other parameters a refusal', async () => {
  const options = { idempotencyKey: 'key-1' };
  const first = await stripe.checkout.sessions.create(TOP_UP, options);
  const second = await stripe.checkout.sessions.create(TOP_UP, options);
  expect(second.id).toBe(first.id);
  expect(second.lastResponse.headers['idempotent-replayed']).toBe('true');
  await expect(stripe.checkout.sessions.create({ ...TOP_UP, cancel_url: SUCCESS }, options)).rejects.toMatchObject({
    type: 'StripeIdempotencyError',
  });
});

test('events can be duplicated, reordered, held back and sent again', async () => {
  await network.put('/_sim/gateway', { duplicates: 1, reorder: true, hold: true });
  const session = await stripe.checkout.sessions.create(TOP_UP);
  await click(session, 'pay');
  await network.put('/_sim/gateway', { duplicates: 1, reorder: true });
  expect(await received(4)).toEqual([
    'checkout.session.completed',
    'checkout.session.completed',
    'payment_intent.succeeded',
    'payment_intent.succeeded',
  ]);
  expect(new Set(events.map((event) => event.id)).size).toBe(2);
  await network.put('/_sim/gateway', {});
  await network.post('/_sim/gateway', { resend: events[0]?.id });
  expect(await received(5)).toHaveLength(5);
});

test('an event that is not taken comes again', async () => {
  refusals = 2;
  await click(await stripe.checkout.sessions.create(TOP_UP), 'pay');
  expect([...(await received(2))].sort()).toEqual(['checkout.session.completed', 'payment_intent.succeeded']);
});

test('a subscription begins with its checkout', async () => {
  const { id: price } = await monthly();
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    success_url: SUCCESS,
    line_items: [{ price, quantity: 1 }],
    subscription_data: { metadata: { tenant: 't1' } },
  });
  await click(session, 'pay');
  expect(await received(4)).toEqual([
    'customer.subscription.created',
    'invoice.paid',
    'invoice.payment_succeeded',
    'checkout.session.completed',
  ]);
  const after = await stripe.checkout.sessions.retrieve(session.id, { expand: ['subscription'] });
  expect(after.subscription).toMatchObject({ status: 'active', metadata: { tenant: 't1' } });
});

test('a subscription is renewed, fails to renew, changes its price and ends', async () => {
  const { id, items } = await subscribed();
  const first = items.data[0];
  await network.post('/_sim/gateway', { renew: id });
  const renewed = await stripe.subscriptions.retrieve(id);
  expect(renewed.items.data[0]?.current_period_start).toBe(first?.current_period_end);
  await network.post('/_sim/gateway', { fail_renewal: id });
  expect((await stripe.subscriptions.retrieve(id)).status).toBe('past_due');
  const { id: price } = await monthly();
  const changed = await stripe.subscriptions.update(id, { items: [{ price }], cancel_at_period_end: true });
  expect(changed).toMatchObject({ cancel_at_period_end: true });
  expect(changed.items.data[0]?.price.id).toBe(price);
  expect((await stripe.subscriptions.cancel(id)).status).toBe('canceled');
  expect((await received(9)).slice(3)).toEqual([
    'invoice.paid',
    'invoice.payment_succeeded',
    'customer.subscription.updated',
    'invoice.payment_failed',
    'customer.subscription.updated',
    'customer.subscription.updated',
  ]);
  expect((await received(10)).at(-1)).toBe('customer.subscription.deleted');
});

test('a month ends on the same day of the next one, or on its last', async () => {
  const subscription = await subscribed();
  const { current_period_start: start = 0, current_period_end: end = 0 } = subscription.items.data[0] ?? {};
  const [from, to] = [new Date(start * 1000), new Date(end * 1000)];
  expect((to.getUTCMonth() - from.getUTCMonth() + 12) % 12).toBe(1);
  expect(to.getUTCDate()).toBeLessThanOrEqual(from.getUTCDate());
});

test('prices are found by their key, lists have pages', async () => {
  for (const lookup_key of ['a', 'b', 'c']) {
    await stripe.prices.create({ currency: 'usd', unit_amount: 1, lookup_key, product_data: { name: lookup_key } });
  }
  const found = await stripe.prices.list({ lookup_keys: ['b'] });
  expect(found.data.map((price) => price.lookup_key)).toEqual(['b']);
  const keys: (string | null)[] = [];
  for await (const price of stripe.prices.list({ limit: 1 })) keys.push(price.lookup_key);
  expect(keys).toEqual(['c', 'b', 'a']);
});

test.each([
  ['no success address', { ...TOP_UP, success_url: undefined }, 'StripeInvalidRequestError'],
  ['no lines', { ...TOP_UP, line_items: [] }, 'StripeInvalidRequestError'],
  ['a customer that does not exist', { ...TOP_UP, customer: 'cus_none' }, 'StripeInvalidRequestError'],
  [
    'an amount with a fraction',
    { ...TOP_UP, line_items: [{ quantity: 1.5, price_data: TOP_UP.line_items[0].price_data }] },
    'StripeInvalidRequestError',
  ],
])('a checkout is refused: %s', async (_label, params, type) => {
  await expect(stripe.checkout.sessions.create(params as Stripe.Checkout.SessionCreateParams)).rejects.toMatchObject({
    type,
  });
});

test('an unknown id is 404, and with a configured key every other one is 401', async () => {
  await expect(stripe.checkout.sessions.retrieve('cs_none')).rejects.toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
  });
  await network.put('/_sim/config', { gateway_key: 'sk_test_1' });
  await expect(client('sk_test_2').customers.create({})).rejects.toMatchObject({ statusCode: 401 });
  expect((await stripe.customers.create({ name: 'Ada' })).name).toBe('Ada');
  await network.put('/_sim/config', { gateway_key: null });
});

test('the gateway can be made to fail', async () => {
  await network.put('/_sim/failures', { gateway: { times: 1, status: 503 } });
  await expect(stripe.customers.create({})).rejects.toMatchObject({ statusCode: 503 });
  // The library retries automatically.
  await network.put('/_sim/failures', { gateway: { times: 10, fault: 'cut' } });
  await expect(stripe.customers.create({})).rejects.toMatchObject({ type: 'StripeConnectionError' });
});
