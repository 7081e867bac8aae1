import { failedPlan, ordinaryPlan, type StatusPlan } from '../callbacks/plan.ts';
import type { ChaosRule, SendFault } from '../chaos.ts';
import type { Behavior } from '../customer-behavior.ts';
import { behaviorPlan } from '../customer-behavior.ts';
import { type NetworkError, networkError } from '../graph/errors.ts';
import { takeFromLimits } from '../limits.ts';
import type { MagicReply } from '../magic.ts';
import { magicNumber, magicTraits, ordinaryTraits } from '../magic.ts';
import type { BusinessNumber } from '../numbers.ts';
import type { Simulation } from '../simulation.ts';
import type { Garbage } from './garbage.ts';
import type { CheckedSend } from './validate.ts';

/** What the network does with a valid send. */
export type Verdict =
  | { readonly kind: 'refuse'; readonly error: NetworkError; readonly delayMs: number }
  | { readonly kind: 'garble'; readonly answer: Garbage; readonly delayMs: number }
  | { readonly kind: 'drop' }
  /** The connection stays open and nothing comes. */
  | { readonly kind: 'hang' }
  /** An answer that never ends: a byte at a time. */
  | { readonly kind: 'drip'; readonly everyMs: number }
  | Acceptance;

export type Acceptance = {
  readonly kind: 'accept';
  readonly plan: StatusPlan;
  /** The customer reads it when somebody says so. */
  readonly readsByHand: boolean;
  /** The message is taken, but its answer never arrives. */
  readonly cutsAnswer: boolean;
  /** The message is taken, and this is the answer in the place of the right one. */
  readonly garbage: Garbage | null;
  /** The first statuses are posted before the answer is written. */
  readonly statusesFirst: boolean;
  readonly hidesPhone: boolean;
  readonly reply: MagicReply | null;
  /** Real milliseconds between the accept and the answer. */
  readonly delayMs: number;
};

const GATEWAY_STATUS = 502;
const SERVER_FAULT_STATUS = 503;
const DRIP_MS = 1_000;

/** Decides, in this order: the recipient's own behaviour, chaos, the limits, the window. */
export function decide(sim: Simulation, number: BusinessNumber, send: CheckedSend): Verdict {
  const nowMs = sim.clock.now();
  const magic = magicNumber(send.to);
  const refusal = magic === null ? null : sim.magic.refusal(number.phoneNumberId, magic, send.type, nowMs);
  if (refusal !== null) return { kind: 'refuse', error: networkError(refusal), delayMs: 0 };
  if (sim.business.isBlocked(number.phoneNumberId, send.to, null))
    return { kind: 'refuse', error: networkError(130403), delayMs: 0 };
  const { rule, delayMs } = sim.chaos.drawSend(number.phoneNumberId);
  const fault = rule === null ? null : faultVerdict(sim, rule, delayMs);
  if (fault !== null) return fault;
  const limit = takeFromLimits(number, send.to, sim.settings, nowMs);
  if (limit !== null) return { kind: 'refuse', error: networkError(limit), delayMs };
  const behavior = sim.behaviors.of(send.to);
  const traits = magic === null ? ordinaryTraits() : magicTraits(magic, sim.settings);
  return {
    kind: 'accept',
    ...delivery(sim, { number, send, behavior, magicPlan: traits.plan }),
    cutsAnswer: traits.cutsAnswer || rule?.fault === 'accept_then_drop',
    garbage: rule?.fault === 'accept_then_garbage' ? sim.chaos.drawGarbage(true) : null,
    statusesFirst: traits.statusesFirst || sim.chaos.drawBeforeResponse(),
    hidesPhone: traits.hidesPhone,
    reply: traits.reply,
    delayMs,
  };
}

type Delivering = {
  readonly number: BusinessNumber;
  readonly send: CheckedSend;
  readonly behavior: Behavior | null;
  readonly magicPlan: StatusPlan | null;
};

function delivery(
  sim: Simulation,
  { number, send, behavior, magicPlan }: Delivering,
): Pick<Acceptance, 'plan' | 'readsByHand'> {
  const failure = windowFailure(sim, number, send);
  if (failure !== null) return { plan: failure, readsByHand: false };
  const plan = magicPlan ?? usualPlan(sim, send);
  if (behavior === null || send.type === 'reaction') return { plan, readsByHand: false };
  const behaved = behaviorPlan(behavior, plan, sim.settings);
  return { plan: behaved, readsByHand: behavior.readsByHand && !behavior.refuses };
}

/** A reaction has nothing to deliver or read: the network only says that it was sent. */
function usualPlan(sim: Simulation, send: CheckedSend): StatusPlan {
  const plan = ordinaryPlan(sim.settings);
  return send.type === 'reaction' ? plan.slice(0, 1) : plan;
}

/** Null for the faults that accept. */
function faultVerdict(sim: Simulation, rule: ChaosRule<SendFault>, delayMs: number): Verdict | null {
  const status = rule.status === undefined ? {} : { httpStatus: rule.status };
  switch (rule.fault) {
    case 'error':
      return { kind: 'refuse', error: { ...networkError(rule.code ?? 131016), ...status }, delayMs };
    case 'status5xx':
      return { kind: 'refuse', error: { ...networkError(2), httpStatus: rule.status ?? SERVER_FAULT_STATUS }, delayMs };
    case 'rate_limit':
      return { kind: 'refuse', error: { ...networkError(130429), ...status }, delayMs };
    case 'non_json':
      return { kind: 'garble', answer: page(rule.status ?? GATEWAY_STATUS), delayMs };
    case 'garbage':
      return { kind: 'garble', answer: sim.chaos.drawGarbage(false), delayMs };
    case 'drop_before_accept':
      return { kind: 'drop' };
    case 'hang':
      return { kind: 'hang' };
    case 'drip':
      return { kind: 'drip', everyMs: rule.delayMs ?? DRIP_MS };
    default:
      return null;
  }
}

/** What a gateway in between answers. */
function page(httpStatus: number): Garbage {
  const body = Buffer.from(
    `<html><head><title>${httpStatus}</title></head><body>The gateway says ${httpStatus}.</body></html>\n`,
  );
  return { httpStatus, contentType: 'text/html', body };
}

function windowFailure(sim: Simulation, number: BusinessNumber, send: CheckedSend): StatusPlan | null {
  if (!(sim.settings.enforceWindow || sim.chaos.plan.window) || send.type === 'template' || send.kind === 'group')
    return null;
  // They do what the list says, whoever writes to them: with a window they would all do the same.
  if (magicNumber(send.to) !== null) return null;
  if (sim.customers.windowOpen(number.phoneNumberId, send.to, sim.clock.now())) return null;
  return failedPlan(sim.settings, 131047);
}
