/** Charges, and what of them is given back. */
import type { Simulation } from '../simulation.ts';
import { type FormObject, integerIn, metadataIn, textIn } from './form.ts';
import { type GatewayObject, seconds } from './gateway.ts';
import { GatewayFault, missing } from './gateway-fault.ts';

/** The charge of a payment that succeeded; it takes the metadata over. */
export function newCharge(sim: Simulation, intent: GatewayObject): GatewayObject {
  return sim.gateway.keep({
    id: sim.gateway.newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: intent.amount,
    amount_refunded: 0,
    captured: true,
    created: seconds(sim.clock.now()),
    currency: intent.currency,
    customer: intent.customer,
    livemode: false,
    metadata: intent.metadata,
    paid: true,
    payment_intent: intent.id,
    refunded: false,
    status: 'succeeded',
  });
}

/** `POST /v1/refunds`: gives back `amount`, or all that is left, of a `charge` or a `payment_intent`. */
export function createRefund(sim: Simulation, form: FormObject): GatewayObject {
  const charge = chargeOf(sim, form);
  const left = Number(charge.amount) - Number(charge.amount_refunded);
  if (left === 0) throw refused(`Charge ${charge.id} has already been refunded.`, 'charge_already_refunded');
  const amount = integerIn(form, 'amount', 'amount', left);
  if (amount < 1 || amount > left)
    throw refused(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`);
  charge.amount_refunded = Number(charge.amount_refunded) + amount;
  charge.refunded = amount === left;
  const refund = sim.gateway.keep({
    id: sim.gateway.newId('re'),
    object: 'refund',
    amount,
    charge: charge.id,
    created: seconds(sim.clock.now()),
    currency: charge.currency,
    metadata: metadataIn(form),
    payment_intent: charge.payment_intent,
    reason: textIn(form, 'reason'),
    status: 'succeeded',
  });
  sim.gatewayEvents.emit(['refund.created', refund], ['charge.refunded', charge]);
  return refund;
}

function chargeOf(sim: Simulation, form: FormObject): GatewayObject {
  const intentId = textIn(form, 'payment_intent');
  const intent = intentId === null ? null : sim.gateway.find('payment_intent', intentId);
  if (intentId !== null && intent === null) throw missing('payment_intent', intentId);
  const chargeId = textIn(form, 'charge') ?? textIn((intent as FormObject | null) ?? {}, 'latest_charge');
  if (chargeId === null) throw refused('One of the following params should be provided: payment_intent or charge.');
  const charge = sim.gateway.find('charge', chargeId);
  if (charge === null) throw missing('charge', chargeId);
  return charge;
}

function refused(sentence: string, code?: string): GatewayFault {
  return new GatewayFault(400, 'invalid_request_error', sentence, code === undefined ? {} : { code });
}
