import { CALLBACK_FAULTS, type ChaosPlan, type ChaosRule, SEND_FAULTS, STATUS_FAULTS } from '../chaos.ts';
import { isNetworkCode } from '../graph/errors.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import type { Simulation } from '../simulation.ts';
import { type ControlAnswer, type ControlCall, ok } from './answer.ts';
import {
  InputError,
  objectList,
  optionalBoolean,
  optionalInteger,
  optionalNumber,
  optionalString,
  readObject,
  refuseUnknown,
} from './fields.ts';

const MAX_DELAY_MS = 3_600_000;
const MAX_SEED = 0xffff_ffff;

/** `GET /_sim/chaos`: the plan in force. */
export function getChaos(sim: Simulation): ControlAnswer {
  return ok(presentPlan(sim.chaos.plan));
}

/** `PUT /_sim/chaos`: replaces the whole plan; `{}` switches chaos off. */
export function putChaos(sim: Simulation, call: ControlCall): ControlAnswer {
  const plan = readPlan(readObject(call.text));
  sim.chaos.use(plan);
  sim.log(`chaos is now ${JSON.stringify(presentPlan(plan))}`);
  return getChaos(sim);
}

function readPlan(body: JsonObject): ChaosPlan {
  refuseUnknown(body, ['seed', 'window', 'steps']);
  const steps = body.steps ?? {};
  if (!isJsonObject(steps)) throw new InputError('"steps" must be an object with "send", "status" and "callback".');
  refuseUnknown(steps, ['send', 'status', 'callback'], '"steps"');
  return {
    seed: optionalInteger(body, 'seed', 0, MAX_SEED) ?? 1,
    window: optionalBoolean(body, 'window') ?? false,
    send: readRules(steps, 'send', SEND_FAULTS, ['phone_number_id']),
    status: readRules(steps, 'status', STATUS_FAULTS),
    callback: readRules(steps, 'callback', CALLBACK_FAULTS),
  };
}

function readRules<F extends string>(
  steps: JsonObject,
  step: string,
  faults: readonly F[],
  more: readonly string[] = [],
): readonly ChaosRule<F>[] {
  return objectList(steps, step).map((rule, i) => {
    const where = `steps.${step}[${i}]`;
    refuseUnknown(rule, ['probability', 'fault', 'code', 'status', 'delay_ms', ...more], where);
    return readRule(rule, where, faults);
  });
}

function readRule<F extends string>(rule: JsonObject, where: string, faults: readonly F[]): ChaosRule<F> {
  const fault = faults.find((name) => name === rule.fault);
  if (fault === undefined) throw new InputError(`"fault" of ${where} must be one of ${faults.join(', ')}.`);
  const probability = optionalNumber(rule, 'probability', 0, 1);
  if (probability === undefined) throw new InputError(`${where} needs a "probability" from 0 to 1.`);
  const code = optionalInteger(rule, 'code', 0, 10_000_000);
  if (code !== undefined && !isNetworkCode(code)) throw new InputError(`"code" of ${where} is no known error code.`);
  const status = optionalInteger(rule, 'status', 300, 599);
  const delayMs = optionalInteger(rule, 'delay_ms', 0, MAX_DELAY_MS);
  const phoneNumberId = optionalString(rule, 'phone_number_id');
  return {
    probability,
    fault,
    ...(code === undefined ? {} : { code }),
    ...(status === undefined ? {} : { status }),
    ...(delayMs === undefined ? {} : { delayMs }),
    ...(phoneNumberId === undefined ? {} : { phoneNumberId }),
  };
}

function presentPlan(plan: ChaosPlan): JsonObject {
  return {
    seed: plan.seed,
    window: plan.window,
    steps: {
      send: plan.send.map(presentRule),
      status: plan.status.map(presentRule),
      callback: plan.callback.map(presentRule),
    },
  };
}

function presentRule({ delayMs, phoneNumberId, ...rule }: ChaosRule<string>): JsonObject {
  return {
    ...rule,
    ...(delayMs === undefined ? {} : { delay_ms: delayMs }),
    ...(phoneNumberId === undefined ? {} : { phone_number_id: phoneNumberId }),
  };
}
