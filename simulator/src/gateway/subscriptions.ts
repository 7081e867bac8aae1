/** Subscriptions: begun by a checkout or directly, renewed or not, changed and ended. */
import type { Simulation } from '../simulation.ts';
import { type FormObject, metadataIn, requiredIn, textIn } from './form.ts';
import { type GatewayObject, seconds } from './gateway.ts';
import { GatewayFault, missing } from './gateway-fault.ts';
import { type Line, readLines } from './lines.ts';

type Wish = { readonly customer: string; readonly lines: readonly Line[]; readonly metadata: FormObject };

/** Starts an active subscription whose first invoice is paid, and emits both events. */
export function startSubscription(sim: Simulation, { customer, lines, metadata }: Wish): GatewayObject {
  const { gateway } = sim;
  const start = seconds(sim.clock.now());
  const id = gateway.newId('sub');
  const subscription = gateway.keep({
    id,
    object: 'subscription',
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    collection_method: 'charge_automatically',
    created: start,
    currency: lines[0]?.price.currency ?? null,
    customer,
    ended_at: null,
    items: {
      object: 'list',
      data: lines.map((line) => newItem(sim, id, line, start)),
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: null,
    livemode: false,
    metadata,
    start_date: start,
    status: 'active',
  });
  const invoice = newInvoice(sim, subscription, true);
  sim.gatewayEvents.emit(
    ['customer.subscription.created', subscription],
    ['invoice.paid', invoice],
    ['invoice.payment_succeeded', invoice],
  );
  return subscription;
}

/** `POST /v1/subscriptions`: for a customer whose card is known; it is charged immediately. */
export function createSubscription(sim: Simulation, form: FormObject): GatewayObject {
  const customer = requiredIn(form, 'customer');
  if (sim.gateway.find('customer', customer) === null) throw missing('customer', customer);
  const lines = readLines(sim, form, 'items');
  if (lines.some((line) => line.price.type !== 'recurring'))
    throw refuse('items', 'The price of a subscription must be recurring.');
  return startSubscription(sim, { customer, lines, metadata: metadataIn(form) });
}

/** `POST /v1/subscriptions/{id}`: another price, other data, or an end with the period. */
export function updateSubscription(sim: Simulation, form: FormObject, subscription: GatewayObject): GatewayObject {
  if (subscription.status === 'canceled') throw refuse('id', 'A canceled subscription can only update its metadata.');
  if (form.items !== undefined) {
    const start = seconds(sim.clock.now());
    const items = readLines(sim, form, 'items').map((line) => newItem(sim, subscription.id, line, start));
    subscription.items = { ...(subscription.items as object), data: items };
  }
  const ending = textIn(form, 'cancel_at_period_end');
  if (ending !== null) {
    subscription.cancel_at_period_end = ending === 'true';
    subscription.cancel_at = ending === 'true' ? periodEnd(subscription) : null;
  }
  subscription.metadata = { ...(subscription.metadata as object), ...metadataIn(form) };
  sim.gatewayEvents.emit(['customer.subscription.updated', subscription]);
  return subscription;
}

/** `DELETE /v1/subscriptions/{id}`: ends it now. */
export function cancelSubscription(sim: Simulation, subscription: GatewayObject): GatewayObject {
  if (subscription.status === 'canceled') throw missing('subscription', subscription.id);
  const nowSeconds = seconds(sim.clock.now());
  subscription.status = 'canceled';
  subscription.canceled_at = nowSeconds;
  subscription.ended_at = nowSeconds;
  sim.gatewayEvents.emit(['customer.subscription.deleted', subscription]);
  return subscription;
}

/** The next period begins: paid, or not. One that was to end with its period ends instead. */
export function renewSubscription(sim: Simulation, subscription: GatewayObject, paid: boolean): GatewayObject {
  if (subscription.cancel_at_period_end === true) return cancelSubscription(sim, subscription);
  const start = periodEnd(subscription);
  for (const item of itemsOf(subscription)) setPeriod(item, start);
  subscription.status = paid ? 'active' : 'past_due';
  const invoice = newInvoice(sim, subscription, paid);
  const events: readonly (readonly [string, GatewayObject])[] = paid
    ? [
        ['invoice.paid', invoice],
        ['invoice.payment_succeeded', invoice],
      ]
    : [['invoice.payment_failed', invoice]];
  sim.gatewayEvents.emit(...events, ['customer.subscription.updated', subscription]);
  return subscription;
}

function newItem(sim: Simulation, subscription: string, { price, quantity }: Line, start: number): GatewayObject {
  const item: GatewayObject = {
    id: sim.gateway.newId('si'),
    object: 'subscription_item',
    created: start,
    metadata: {},
    price,
    quantity,
    subscription,
  };
  setPeriod(item, start);
  return item;
}

function setPeriod(item: GatewayObject, start: number): void {
  const { interval, interval_count: count } = (item.price as GatewayObject).recurring as {
    interval: string;
    interval_count: number;
  };
  const end = new Date(start * 1000);
  if (interval === 'day') end.setUTCDate(end.getUTCDate() + count);
  if (interval === 'week') end.setUTCDate(end.getUTCDate() + 7 * count);
  if (interval === 'month') addMonths(end, count);
  if (interval === 'year') addMonths(end, 12 * count);
  item.current_period_start = start;
  item.current_period_end = seconds(end.getTime());
}

/** The same day of a later month, or its last one when the month is shorter. */
function addMonths(date: Date, months: number): void {
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
}

function newInvoice(sim: Simulation, subscription: GatewayObject, paid: boolean): GatewayObject {
  const items = itemsOf(subscription);
  const total = items.reduce(
    (sum, item) => sum + Number((item.price as GatewayObject).unit_amount) * Number(item.quantity),
    0,
  );
  const invoice = sim.gateway.keep({
    id: sim.gateway.newId('in'),
    object: 'invoice',
    amount_due: total,
    amount_paid: paid ? total : 0,
    amount_remaining: paid ? 0 : total,
    created: seconds(sim.clock.now()),
    currency: subscription.currency,
    customer: subscription.customer,
    livemode: false,
    metadata: {},
    parent: {
      type: 'subscription_details',
      subscription_details: { subscription: subscription.id, metadata: subscription.metadata },
    },
    period_start: Number(items[0]?.current_period_start),
    period_end: Number(items[0]?.current_period_end),
    status: paid ? 'paid' : 'open',
    total,
  });
  subscription.latest_invoice = invoice.id;
  return invoice;
}

function itemsOf(subscription: GatewayObject): readonly GatewayObject[] {
  return (subscription.items as { readonly data: readonly GatewayObject[] }).data;
}

function periodEnd(subscription: GatewayObject): number {
  return Number(itemsOf(subscription)[0]?.current_period_end);
}

function refuse(param: string, sentence: string): GatewayFault {
  return new GatewayFault(400, 'invalid_request_error', sentence, { param });
}
