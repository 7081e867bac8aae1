/** Checkout sessions: what is to be paid, and what follows when it is paid, refused or left. */
import { isWebAddress } from '../send/payloads/text.ts';
import type { Simulation } from '../simulation.ts';
import { createCustomer } from './catalogue.ts';
import { type FormObject, integerIn, metadataIn, objectIn, requiredIn, textIn } from './form.ts';
import { type GatewayObject, seconds } from './gateway.ts';
import { GatewayFault, missing } from './gateway-fault.ts';
import { type Line, readLines } from './lines.ts';
import { newCharge } from './refunds.ts';
import { startSubscription } from './subscriptions.ts';

const LIFETIME_SECONDS = 24 * 3600;
const MIN_LIFETIME_SECONDS = 30 * 60;

/** `POST /v1/checkout/sessions`; `host` is where the page to pay on is. */
export function createCheckout(sim: Simulation, form: FormObject, host: string): GatewayObject {
  const mode = requiredIn(form, 'mode');
  if (mode !== 'payment' && mode !== 'subscription')
    throw invalid('mode', 'Invalid mode: must be one of payment, subscription');
  const successUrl = addressIn(form, 'success_url', true);
  const cancelUrl = addressIn(form, 'cancel_url', false);
  const lines = readLines(sim, form);
  requireMode(mode, lines);
  const customer = knownCustomer(sim, form);
  const created = seconds(sim.clock.now());
  const id = sim.gateway.newId('cs_test');
  const total = lines.reduce((sum, line) => sum + Number(line.price.unit_amount) * line.quantity, 0);
  return sim.gateway.keep({
    id,
    object: 'checkout.session',
    amount_subtotal: total,
    amount_total: total,
    cancel_url: cancelUrl,
    client_reference_id: textIn(form, 'client_reference_id'),
    created,
    currency: lines[0]?.price.currency ?? null,
    customer,
    customer_details: null,
    customer_email: textIn(form, 'customer_email'),
    expires_at: expiryOf(form, created),
    invoice: null,
    livemode: false,
    metadata: metadataIn(form),
    mode,
    payment_intent: null,
    payment_intent_data: objectIn(form, 'payment_intent_data'),
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    status: 'open',
    subscription: null,
    subscription_data: objectIn(form, 'subscription_data'),
    success_url: successUrl,
    line_items: lines.map((line) => lineItem(sim, line)),
    url: `http://${host}/c/pay/${id}`,
  });
}

/** The session as clients see it: lines only when they are asked for, inner data never. */
export function presentCheckout(session: GatewayObject, withLines: boolean): GatewayObject {
  const { payment_intent_data: _intent, subscription_data: _subscription, line_items: lines, ...shown } = session;
  if (!withLines) return shown as GatewayObject;
  return {
    ...shown,
    line_items: { object: 'list', data: lines, has_more: false, url: `/v1/checkout/sessions/${session.id}/line_items` },
  } as GatewayObject;
}

/** The customer pays: the session is complete, and the money or the subscription is there. */
export function payCheckout(sim: Simulation, session: GatewayObject): void {
  session.status = 'complete';
  session.payment_status = 'paid';
  session.url = null;
  session.customer_details = { email: session.customer_email ?? 'customer@shop.example', name: 'Ada Obi' };
  if (session.mode === 'subscription') {
    beginSubscription(sim, session);
    sim.gatewayEvents.emit(['checkout.session.completed', presentCheckout(session, false)]);
    return;
  }
  const intent = newIntent(sim, session, 'succeeded');
  session.payment_intent = intent.id;
  intent.latest_charge = newCharge(sim, intent).id;
  sim.gatewayEvents.emit(
    ['payment_intent.succeeded', intent],
    ['checkout.session.completed', presentCheckout(session, false)],
  );
}

function beginSubscription(sim: Simulation, session: GatewayObject): void {
  session.customer ??= createCustomer(sim, {}).id;
  const lines = (session.line_items as readonly GatewayObject[]).map(({ price, quantity }) => ({
    price: price as GatewayObject,
    quantity: Number(quantity),
  }));
  const metadata = objectIn(session.subscription_data as FormObject, 'metadata');
  const subscription = startSubscription(sim, { customer: String(session.customer), lines, metadata });
  session.subscription = subscription.id;
  session.invoice = subscription.latest_invoice;
}

/** The card is refused; the customer may try again. */
export function refusePayment(sim: Simulation, session: GatewayObject): void {
  sim.gatewayEvents.emit(['payment_intent.payment_failed', newIntent(sim, session, 'requires_payment_method')]);
}

/** `POST /v1/checkout/sessions/{id}/expire`, and what time does automatically. */
export function expireCheckout(sim: Simulation, session: GatewayObject): GatewayObject {
  if (session.status !== 'open')
    throw invalid(
      'session',
      `Only Checkout Sessions with a status in ["open"] can be expired. This one is ${String(session.status)}.`,
    );
  session.status = 'expired';
  session.url = null;
  sim.gatewayEvents.emit(['checkout.session.expired', presentCheckout(session, false)]);
  return presentCheckout(session, false);
}

/** The session of an id, expired when its time is over. */
export function findCheckout(sim: Simulation, id: string): GatewayObject {
  const session = sim.gateway.find('checkout.session', id);
  if (session === null) throw missing('checkout.session', id);
  if (session.status === 'open' && seconds(sim.clock.now()) >= Number(session.expires_at)) expireCheckout(sim, session);
  return session;
}

/** Expires every session whose time is over; called when the clock is moved. */
export function expireCheckouts(sim: Simulation): void {
  for (const session of sim.gateway.list('checkout.session')) findCheckout(sim, session.id);
}

function requireMode(mode: string, lines: readonly Line[]): void {
  const recurring = lines.filter((line) => line.price.type === 'recurring').length;
  if (mode === 'subscription' && recurring === 0) {
    throw invalid('mode', 'You must provide at least one recurring price in `subscription` mode.');
  }
  if (mode === 'payment' && recurring > 0)
    throw invalid('mode', 'You specified `payment` mode but passed a recurring price.');
  if (new Set(lines.map((line) => line.price.currency)).size > 1)
    throw invalid('line_items', 'All prices must have the same currency.');
}

function lineItem(sim: Simulation, { price, quantity }: Line): GatewayObject {
  const amount = Number(price.unit_amount) * quantity;
  const description = sim.gateway.find('product', String(price.product))?.name ?? null;
  return {
    id: sim.gateway.newId('li'),
    object: 'item',
    amount_subtotal: amount,
    amount_total: amount,
    currency: price.currency,
    description,
    price,
    quantity,
  };
}

function newIntent(sim: Simulation, session: GatewayObject, status: string): GatewayObject {
  const { gateway } = sim;
  const declined = { code: 'card_declined', message: 'Your card was declined.', type: 'card_error' };
  return gateway.keep({
    id: gateway.newId('pi'),
    object: 'payment_intent',
    amount: session.amount_total,
    amount_received: status === 'succeeded' ? session.amount_total : 0,
    created: seconds(sim.clock.now()),
    currency: session.currency,
    customer: session.customer,
    latest_charge: null,
    last_payment_error: status === 'succeeded' ? null : declined,
    livemode: false,
    metadata: objectIn(session.payment_intent_data as FormObject, 'metadata'),
    payment_method_types: ['card'],
    status,
  });
}

function knownCustomer(sim: Simulation, form: FormObject): string | null {
  const id = textIn(form, 'customer');
  if (id !== null && sim.gateway.find('customer', id) === null) throw missing('customer', id);
  return id;
}

function addressIn(form: FormObject, key: string, required: boolean): string | null {
  const address = required ? requiredIn(form, key) : textIn(form, key);
  if (address === null || isWebAddress(address)) return address;
  throw new GatewayFault(400, 'invalid_request_error', 'Not a valid URL', { code: 'url_invalid', param: key });
}

function expiryOf(form: FormObject, created: number): number {
  const given = integerIn(form, 'expires_at', 'expires_at', created + LIFETIME_SECONDS);
  if (given >= created + MIN_LIFETIME_SECONDS && given <= created + LIFETIME_SECONDS) return given;
  throw invalid(
    'expires_at',
    'The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.',
  );
}

function invalid(param: string, sentence: string): GatewayFault {
  return new GatewayFault(400, 'invalid_request_error', sentence, { param });
}
