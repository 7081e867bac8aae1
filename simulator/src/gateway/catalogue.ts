/** Customers, products and prices. */
import type { Simulation } from '../simulation.ts';
import { type FormObject, integerIn, metadataIn, objectIn, requiredIn, textIn } from './form.ts';
import { type GatewayObject, seconds } from './gateway.ts';
import { GatewayFault, missing } from './gateway-fault.ts';

const INTERVALS = ['day', 'week', 'month', 'year'];
const CURRENCY = /^[a-z]{3}$/;

/** `POST /v1/customers` */
export function createCustomer(sim: Simulation, form: FormObject): GatewayObject {
  return sim.gateway.keep({
    id: sim.gateway.newId('cus'),
    object: 'customer',
    created: seconds(sim.clock.now()),
    email: textIn(form, 'email'),
    name: textIn(form, 'name'),
    description: textIn(form, 'description'),
    livemode: false,
    metadata: metadataIn(form),
  });
}

/** `POST /v1/customers/{id}`: changes what is given. */
export function updateCustomer(_sim: Simulation, form: FormObject, customer: GatewayObject): GatewayObject {
  for (const member of ['email', 'name', 'description']) {
    if (form[member] !== undefined) customer[member] = textIn(form, member);
  }
  customer.metadata = { ...(customer.metadata as object), ...metadataIn(form) };
  return customer;
}

/** `POST /v1/products` */
export function createProduct(sim: Simulation, form: FormObject): GatewayObject {
  return sim.gateway.keep({
    id: textIn(form, 'id') ?? sim.gateway.newId('prod'),
    object: 'product',
    active: true,
    created: seconds(sim.clock.now()),
    description: textIn(form, 'description'),
    livemode: false,
    metadata: metadataIn(form),
    name: requiredIn(form, 'name'),
  });
}

/** `POST /v1/prices`, and the `price_data` of a line. `where` is the name of the form in faults. */
export function createPrice(sim: Simulation, form: FormObject, where = ''): GatewayObject {
  const param = (key: string): string => (where === '' ? key : `${where}[${key}]`);
  const amount = integerIn(form, 'unit_amount', param('unit_amount'));
  const recurring = recurringOf(form, param('recurring'));
  return sim.gateway.keep({
    id: sim.gateway.newId('price'),
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created: seconds(sim.clock.now()),
    currency: currencyOf(form, param('currency')),
    livemode: false,
    lookup_key: textIn(form, 'lookup_key'),
    metadata: metadataIn(form),
    nickname: textIn(form, 'nickname'),
    product: productOf(sim, form, param('product')),
    recurring,
    type: recurring === null ? 'one_time' : 'recurring',
    unit_amount: amount,
    unit_amount_decimal: String(amount),
  });
}

function currencyOf(form: FormObject, param: string): string {
  const currency = requiredIn(form, 'currency', param).toLowerCase();
  if (CURRENCY.test(currency)) return currency;
  throw new GatewayFault(400, 'invalid_request_error', `Invalid currency: ${currency}.`, { param });
}

function productOf(sim: Simulation, form: FormObject, param: string): string {
  const id = textIn(form, 'product');
  if (id === null) {
    if (form.product_data === undefined) requiredIn(form, 'product', param);
    return createProduct(sim, objectIn(form, 'product_data')).id;
  }
  if (sim.gateway.find('product', id) === null) throw missing('product', id);
  return id;
}

function recurringOf(form: FormObject, param: string): FormObject | Readonly<Record<string, unknown>> | null {
  if (form.recurring === undefined) return null;
  const recurring = objectIn(form, 'recurring');
  const interval = requiredIn(recurring, 'interval', `${param}[interval]`);
  if (!INTERVALS.includes(interval)) {
    throw new GatewayFault(400, 'invalid_request_error', `Invalid interval: must be one of ${INTERVALS.join(', ')}`, {
      param,
    });
  }
  const count = integerIn(recurring, 'interval_count', `${param}[interval_count]`, 1);
  return { interval, interval_count: count, usage_type: 'licensed' };
}
