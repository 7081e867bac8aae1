import { callOutcomes, makeCall, type SimulatedCall } from '../inbound/call.ts';
import type { JsonObject } from '../json.ts';
import type { Simulation } from '../simulation.ts';
import { type ControlAnswer, type ControlCall, ok } from './answer.ts';
import { InputError, optionalInteger, optionalString, readObject, refuseUnknown } from './fields.ts';
import { readNumber, readSender } from './inbound.ts';

const FIELDS = ['from', 'phone_number_id', 'name', 'user_id', 'outcome', 'duration_seconds', 'direction', 'id'];
const DIRECTIONS = ['user_initiated', 'business_initiated'];
const DEFAULT_DURATION_S = 60;
const DAY_S = 86_400;
/** The end is a callback of its own, and comes after the beginning. */
const END_AFTER_MS = 100;

/**
 * `POST /_sim/calls`: a customer calls, or is called. Answers `{id, queued}` when the callbacks are queued. A call that rings is
 * ended by its `id`. A customer whom the number has blocked cannot call: the id is null.
 */
export function postCalls(sim: Simulation, call: ControlCall): ControlAnswer {
  const wanted = readCall(sim, readObject(call.text));
  if (!wanted.isOurs && sim.business.isBlocked(wanted.number.phoneNumberId, wanted.from, wanted.userId))
    return ok({ id: null, queued: 0 });
  const { id, updates } = makeCall(sim, wanted);
  const nowMs = sim.clock.now();
  for (const [index, update] of updates.entries()) sim.callbacks.schedule(nowMs + index * END_AFTER_MS, update);
  return ok({ id, queued: updates.length });
}

function readCall(sim: Simulation, body: JsonObject): SimulatedCall {
  refuseUnknown(body, FIELDS);
  const { from, userId } = readSender(body, {});
  const outcome = callOutcomes.find((one) => one === (optionalString(body, 'outcome') ?? 'missed'));
  if (outcome === undefined) throw new InputError(`"outcome" must be one of: ${callOutcomes.join(', ')}.`);
  const durationS = optionalInteger(body, 'duration_seconds', 1, DAY_S);
  if (durationS !== undefined && outcome !== 'answered')
    throw new InputError('"duration_seconds" belongs to the outcome answered.');
  const direction = optionalString(body, 'direction') ?? 'user_initiated';
  if (!DIRECTIONS.includes(direction)) throw new InputError(`"direction" must be one of: ${DIRECTIONS.join(', ')}.`);
  const id = optionalString(body, 'id') ?? null;
  if (id !== null && outcome === 'ringing')
    throw new InputError('A call with an "id" rings already: give its outcome.');
  return {
    id,
    number: readNumber(sim, body),
    from,
    userId,
    name: optionalString(body, 'name') ?? null,
    isOurs: direction === 'business_initiated',
    outcome,
    durationS: durationS ?? DEFAULT_DURATION_S,
  };
}
