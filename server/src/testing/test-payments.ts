import Stripe from 'stripe';
import { type Answer, callApi, type TestService } from './test-service.ts';
import type { TestTenant } from './test-tenant.ts';

/** Settings of a service whose payment gateway is the simulator's. */
export const PAYMENT_CONFIG = {
  walletEnabled: 'true',
  stripeKey: 'sk_test_simulator',
  stripeWebhookSecret: 'whsec_simulator',
} as const;

/** A top-up that was begun. */
export interface BegunTopUp {
  readonly id: string;
  readonly sessionId: string;
  readonly url: string;
}

/** @param amount cents */
export async function beginTopUp(tenant: TestTenant, amount: number): Promise<BegunTopUp> {
  const { status, text, body } = await tenant.call('POST', '/v1/wallet/topups', { amount, currency: 'EUR' });
  if (status !== 201) throw new Error(`The top-up was answered with ${status}: ${text}`);
  return { id: body.id, sessionId: body.checkout_url.split('/').at(-1), url: body.checkout_url };
}

/** What a person does on the gateway's page. */
export async function clickOnPage(url: string, decision: 'pay' | 'fail' | 'abandon'): Promise<number> {
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams({ decision }), redirect: 'manual' });
  return answer.status;
}

/** Faults of the gateway's posts; what is left out is off. */
export async function setGateway(kit: TestService, faults: object): Promise<void> {
  await kit.simulate('PUT', '/_sim/gateway', faults);
}

/** An event of the gateway with this object in it. */
export function paymentEvent(type: string, object: object, createdS = 1_790_000_000): object {
  return { id: 'evt_made_up', object: 'event', type, created: createdS, livemode: false, data: { object } };
}

/** A session as the gateway shows it, paid unless `fields` say otherwise. */
export function paidSession(tenant: TestTenant, topUp: BegunTopUp, fields: object = {}): object {
  return {
    id: topUp.sessionId,
    object: 'checkout.session',
    mode: 'payment',
    status: 'complete',
    payment_status: 'paid',
    amount_total: 5000,
    currency: 'eur',
    metadata: { tenant_id: tenant.tenantId, topup_id: topUp.id },
    ...fields,
  };
}

/** How an event is signed; what is left out is as it should be. */
export interface Signing {
  readonly secret?: string;
  /** Seconds. */
  readonly timestamp?: number;
  /** The whole header. */
  readonly header?: string;
}

/** Posts an event as the gateway does. */
export function postEvent(kit: TestService, event: object, signing: Signing = {}): Promise<Answer> {
  const payload = JSON.stringify(event);
  const { secret = kit.rt.config.stripeWebhookSecret, timestamp = Math.floor(kit.rt.clock.now() / 1000) } = signing;
  const header = signing.header ?? Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  return callApi(kit.service.url, 'POST', '/webhooks/payments/stripe', Buffer.from(payload), {
    'stripe-signature': header,
  });
}
