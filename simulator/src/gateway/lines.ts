/** What is bought: lines of a price and a quantity. */
import type { Simulation } from '../simulation.ts';
import { createPrice } from './catalogue.ts';
import { type FormObject, integerIn, objectIn, objectsIn, requiredIn } from './form.ts';
import type { GatewayObject } from './gateway.ts';
import { GatewayFault, missing } from './gateway-fault.ts';

const MAX_LINES = 100;

export type Line = { readonly price: GatewayObject; readonly quantity: number };

/** The lines of a form, each with a price that exists or is made on the spot. */
export function readLines(sim: Simulation, form: FormObject, key = 'line_items'): readonly Line[] {
  const items = objectsIn(form, key);
  if (items.length === 0 || items.length > MAX_LINES) {
    throw new GatewayFault(400, 'invalid_request_error', `Give 1 to ${MAX_LINES} ${key}.`, { param: key });
  }
  return items.map((item, i) => ({
    price: priceOf(sim, item, `${key}[${i}]`),
    quantity: integerIn(item, 'quantity', `${key}[${i}][quantity]`, 1),
  }));
}

function priceOf(sim: Simulation, item: FormObject, where: string): GatewayObject {
  if (item.price_data !== undefined) return createPrice(sim, objectIn(item, 'price_data'), `${where}[price_data]`);
  const id = requiredIn(item, 'price', `${where}[price]`);
  const price = sim.gateway.find('price', id);
  if (price === null) throw missing('price', id);
  return price;
}
