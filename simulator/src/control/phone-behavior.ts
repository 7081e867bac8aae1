import { scheduleStatuses } from '../callbacks/schedule-statuses.ts';
import { type Behavior, ORDINARY_BEHAVIOR } from '../customer-behavior.ts';
import type { JsonObject } from '../json.ts';
import { isUserId, normalisePhone } from '../recipient.ts';
import type { Simulation } from '../simulation.ts';
import { type ControlAnswer, type ControlCall, ok } from './answer.ts';
import { InputError, optionalBoolean, optionalString, readObject, refuseUnknown } from './fields.ts';

/** Name on the wire and in the behavior. */
const SWITCHES = [
  ['refuse', 'refuses'],
  ['late', 'late'],
  ['out_of_order', 'outOfOrder'],
  ['read_by_hand', 'readsByHand'],
] as const satisfies readonly (readonly [string, keyof Behavior])[];

/** `GET /_sim/phone/behavior?peer=`: how this customer treats what the business sends. */
export function getBehavior(sim: Simulation, call: ControlCall): ControlAnswer {
  const peer = readPeer(new URL(call.url, 'http://simulator').searchParams.get('peer'));
  return ok({ peer, ...presentBehavior(sim, peer) });
}

/** `PUT /_sim/phone/behavior {"peer", "refuse"?, "late"?, "out_of_order"?, "read_by_hand"?}`: changes what is given. */
export function putBehavior(sim: Simulation, call: ControlCall): ControlAnswer {
  const body = readObject(call.text);
  refuseUnknown(body, ['peer', ...SWITCHES.map(([wire]) => wire)]);
  const peer = readPeer(optionalString(body, 'peer') ?? null);
  const before = sim.behaviors.of(peer) ?? ORDINARY_BEHAVIOR;
  const given = SWITCHES.map(([wire, name]) => [name, optionalBoolean(body, wire) ?? before[name]] as const);
  if (!sim.behaviors.set(peer, Object.fromEntries(given) as Behavior))
    throw new InputError('Too many customers have a behavior of their own. POST /_sim/reset forgets all of them.');
  return ok({ peer, ...presentBehavior(sim, peer) });
}

/** `POST /_sim/phone/read {"peer", "up_to"?}`: the customer reads what was left unread. Answers `{read}`, how many. */
export function postRead(sim: Simulation, call: ControlCall): ControlAnswer {
  const body = readObject(call.text);
  refuseUnknown(body, ['peer', 'up_to']);
  const peer = readPeer(optionalString(body, 'peer') ?? null);
  const messages = sim.behaviors.read(peer, optionalString(body, 'up_to') ?? null);
  for (const message of messages) {
    scheduleStatuses(sim, message, [{ status: 'read', afterMs: 0, priced: false }], sim.clock.now());
  }
  return ok({ read: messages.length });
}

/** The switches as the control plane shows them. */
export function presentBehavior(sim: Simulation, peer: string): JsonObject {
  const behavior = sim.behaviors.of(peer) ?? ORDINARY_BEHAVIOR;
  return Object.fromEntries(SWITCHES.map(([wire, name]) => [wire, behavior[name]]));
}

/** A customer as everything else here names one. */
export function readPeer(given: string | null): string {
  const peer = given === null || isUserId(given) ? given : normalisePhone(given);
  if (peer === null || peer === '') throw new InputError('Give "peer": a phone number or a user id.');
  return peer;
}
