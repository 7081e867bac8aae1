import { FAILURE_KINDS, FAILURE_STEPS, type FailureStep, type OrderedFailure } from '../failures.ts';
import { isNetworkCode } from '../graph/errors.ts';
import { isJsonObject } from '../json.ts';
import type { Simulation } from '../simulation.ts';
import { type ControlAnswer, type ControlCall, ok } from './answer.ts';
import { InputError, optionalInteger, readObject, refuseUnknown } from './fields.ts';

const MAX_TIMES = 1_000_000;
const DEFAULT_CODE = 131000;

/** `GET /_sim/failures`: what is still to fail. */
export function getFailures(sim: Simulation): ControlAnswer {
  const data = [...sim.failures.left].map(([step, { kind, code, httpStatus, times }]) => [
    step,
    { times, fault: kind, code, ...(httpStatus === undefined ? {} : { status: httpStatus }) },
  ]);
  return ok(Object.fromEntries(data));
}

/** `PUT /_sim/failures {"media_upload": {"times": 2, "code": 131053}}`: replaces everything that was ordered. */
export function putFailures(sim: Simulation, call: ControlCall): ControlAnswer {
  const body = readObject(call.text);
  refuseUnknown(body, FAILURE_STEPS);
  const ordered = new Map<FailureStep, OrderedFailure>();
  for (const step of FAILURE_STEPS) {
    if (body[step] !== undefined) ordered.set(step, readFailure(step, body[step]));
  }
  sim.failures.order(ordered);
  return getFailures(sim);
}

function readFailure(step: string, value: unknown): OrderedFailure {
  if (!isJsonObject(value)) throw new InputError(`"${step}" must be an object such as {"times": 1}.`);
  refuseUnknown(value, ['times', 'fault', 'code', 'status'], `"${step}"`);
  const kind = FAILURE_KINDS.find((name) => name === (value.fault ?? 'error'));
  if (kind === undefined) throw new InputError(`"fault" of "${step}" must be one of ${FAILURE_KINDS.join(', ')}.`);
  const code = optionalInteger(value, 'code', 0, 10_000_000) ?? DEFAULT_CODE;
  if (!isNetworkCode(code)) throw new InputError(`"code" of "${step}" is no known error code.`);
  const httpStatus = optionalInteger(value, 'status', 400, 599);
  return {
    kind,
    code,
    times: optionalInteger(value, 'times', 1, MAX_TIMES) ?? 1,
    ...(httpStatus === undefined ? {} : { httpStatus }),
  };
}
