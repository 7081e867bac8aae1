import { GatewayFault } from '../gateway/gateway-fault.ts';
import { createRefund } from '../gateway/refunds.ts';
import { renewSubscription } from '../gateway/subscriptions.ts';
import type { JsonObject } from '../json.ts';
import type { Simulation } from '../simulation.ts';
import { type ControlAnswer, type ControlCall, ok } from './answer.ts';
import { InputError, optionalBoolean, optionalInteger, optionalString, readObject, refuseUnknown } from './fields.ts';

const MAX_DUPLICATES = 100;
const MAX_AMOUNT = 99_999_999;

/** `GET /_sim/gateway`: the faults in force and every event, the newest first. */
export function getGateway(sim: Simulation): ControlAnswer {
  return ok({ ...sim.gatewayEvents.faults, events: sim.gateway.list('event') });
}

/** `PUT /_sim/gateway {"duplicates", "reorder", "hold"}`: replaces the faults of the gateway's posts. */
export function putGateway(sim: Simulation, call: ControlCall): ControlAnswer {
  const body = readObject(call.text);
  refuseUnknown(body, ['duplicates', 'reorder', 'hold']);
  sim.gatewayEvents.use({
    duplicates: optionalInteger(body, 'duplicates', 0, MAX_DUPLICATES) ?? 0,
    reorder: optionalBoolean(body, 'reorder') ?? false,
    hold: optionalBoolean(body, 'hold') ?? false,
  });
  return getGateway(sim);
}

/** `POST /_sim/gateway {"renew"|"fail_renewal": "sub_…"}` `{"refund": "cs_…", "amount"}` or `{"resend": "evt_…"}`: what time and operators do. */
export function actOnGateway(sim: Simulation, call: ControlCall): ControlAnswer {
  const body = readObject(call.text);
  refuseUnknown(body, ['renew', 'fail_renewal', 'resend', 'refund', 'amount']);
  const eventId = optionalString(body, 'resend');
  if (eventId !== undefined) {
    const event = sim.gateway.find('event', eventId);
    if (event === null) throw new InputError(`There is no event ${eventId}.`);
    sim.gatewayEvents.resend(event);
    return ok({ resent: eventId });
  }
  const sessionId = optionalString(body, 'refund');
  if (sessionId !== undefined) return ok(refundSession(sim, sessionId, optionalInteger(body, 'amount', 1, MAX_AMOUNT)));
  return ok(renewSubscription(sim, findSubscription(sim, body), body.fail_renewal === undefined));
}

/** @param amount all that is left when it is not given */
function refundSession(sim: Simulation, sessionId: string, amount: number | undefined) {
  const intent = sim.gateway.find('checkout.session', sessionId)?.payment_intent;
  if (typeof intent !== 'string') throw new InputError(`There is no paid session ${sessionId}.`);
  try {
    return createRefund(sim, { payment_intent: intent, ...(amount === undefined ? {} : { amount: String(amount) }) });
  } catch (error) {
    throw error instanceof GatewayFault ? new InputError(error.message) : error;
  }
}

function findSubscription(sim: Simulation, body: JsonObject) {
  const id = optionalString(body, 'renew') ?? optionalString(body, 'fail_renewal');
  if (id === undefined) throw new InputError('Give "renew", "fail_renewal", "refund" or "resend" with an id.');
  const subscription = sim.gateway.find('subscription', id);
  if (subscription === null || subscription.status === 'canceled')
    throw new InputError(`There is no running subscription ${id}.`);
  return subscription;
}
