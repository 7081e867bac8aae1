/** A call between a customer and the business: the reports of its beginning, its progress and its end. */
import { contactJson } from '../callbacks/envelope.ts';
import type { InboundUpdate } from '../callbacks/updates.ts';
import { type JsonObject, stringifyAscii } from '../json.ts';
import type { BusinessNumber } from '../numbers.ts';
import { userIdOfPhone } from '../recipient.ts';
import type { Simulation } from '../simulation.ts';

export const callOutcomes = ['answered', 'missed', 'failed', 'ringing'] as const;

export type SimulatedCall = {
  /** Of a call that rings already; null: a new one. */
  readonly id: string | null;
  readonly number: BusinessNumber;
  /** Digits; null for a customer whose phone is hidden. */
  readonly from: string | null;
  readonly userId: string | null;
  readonly name: string | null;
  readonly isOurs: boolean;
  /** `ringing`: its end is ordered later. */
  readonly outcome: (typeof callOutcomes)[number];
  readonly durationS: number;
};

/** How long a phone rings before somebody answers or gives up. */
const RINGS_S = 4;
const MEDIA_ERROR = { code: 138021, message: 'The media of the call could not be connected.' };

/**
 * Makes a call that has just ended, or rings.
 * @returns the id of the call and its reports, in order
 */
export function makeCall(
  sim: Simulation,
  call: SimulatedCall,
): { readonly id: string; readonly updates: readonly InboundUpdate[] } {
  const peer = call.from ?? call.userId ?? '';
  const id = call.id ?? sim.ids.inbound(peer).replace('wamid.', 'wacid.');
  if (call.name !== null) sim.customers.rename(peer, call.name);
  const nowMs = sim.clock.now();
  const nowS = Math.floor(nowMs / 1000);
  sim.customers.noteEvent({
    id,
    ...{ phoneNumberId: call.number.phoneNumberId, peer },
    isOurs: call.isOurs,
    atMs: nowMs,
    sendsBefore: sim.ledger.size,
    message: shownOf(call),
  });
  const begin = report(sim, call, { id, event: 'connect', timestamp: String(beganS(call, nowS)) });
  const end = report(sim, call, { id, event: 'terminate', timestamp: String(nowS), ...endOf(call, nowS) });
  const isNew = call.id === null;
  return { id, updates: [...(isNew ? [begin] : []), ...(call.outcome === 'ringing' ? [] : [end])] };
}

/** As a phone shows it. */
function shownOf({ outcome, durationS }: SimulatedCall): JsonObject {
  return { type: 'call', call: { outcome, duration_seconds: outcome === 'answered' ? durationS : null } };
}

function beganS({ outcome, durationS }: SimulatedCall, nowS: number): number {
  if (outcome === 'ringing') return nowS;
  return nowS - RINGS_S - (outcome === 'answered' ? durationS : 0);
}

/** The times of a call are reported only if somebody picked up. */
function endOf({ outcome, durationS }: SimulatedCall, nowS: number): JsonObject {
  if (outcome === 'failed') return { status: 'FAILED', errors: [MEDIA_ERROR] };
  if (outcome !== 'answered') return { status: 'COMPLETED' };
  const times = { start_time: String(nowS - durationS), end_time: String(nowS) };
  return { status: 'COMPLETED', ...times, duration: durationS };
}

function report(
  sim: Simulation,
  { number, from, userId: given, isOurs }: SimulatedCall,
  fields: JsonObject,
): InboundUpdate {
  const userId = given ?? (from === null ? null : userIdOfPhone(from));
  const [customer, business] = isOurs ? ['to', 'from'] : ['from', 'to'];
  const whole = {
    ...fields,
    ...(from === null ? {} : { [customer]: from }),
    ...(userId === null ? {} : { [`${customer}_user_id`]: userId }),
    [business]: number.displayPhoneNumber,
    direction: isOurs ? 'BUSINESS_INITIATED' : 'USER_INITIATED',
  };
  const contact = userId === null ? null : contactJson(sim.customers.nameOf(from ?? userId), from, userId);
  return { kind: 'calls', number, messageJson: stringifyAscii(whole), contactJson: contact };
}
