import type { NumberCache, TenantNumbers } from '#accounts/actions/number-cache';
import type { BillingGate, TenantGate } from '#billing/actions/billing-gate';
import type { SuppressionCache, TenantSuppressions } from '#contacts/actions/suppression-cache';
import { ApiProblem } from '#core/errors';
import type { PhoneNumberId, TenantId } from '#core/ids';
import { identityKind } from '#core/phone/recipient';
import { mediaRefs } from '#messages/domain/content';
import type { TemplateVerdict } from '#templates/actions/template-cache';
import type { SendRequest } from './accept-message.ts';
import { applyWindowPolicy, fallbackProblem } from './apply-window-policy.ts';
import {
  type CheckDeps,
  evaluateTemplate,
  faultsProblem,
  mediaProblem,
  NO_TEMPLATE,
  needsWindow,
  recipientOf,
  requestFaults,
  suppressionProblem,
  targetProblem,
} from './send-checks.ts';

/** What the checks of a send look up. */
export interface SendCheckDeps extends CheckDeps {
  readonly numbers: NumberCache;
  readonly gate: BillingGate;
  readonly suppressions: SuppressionCache;
}

/** A message on its way through the checks, with what they have found out. What a check needs and an earlier one did not find, it passes. */
export interface CheckedSend {
  readonly tenantId: TenantId;
  readonly given: SendRequest;
  readonly nowMs: number;
  /** Digits of a number, or a user id; null: `to` is neither, or was not read yet. */
  to: string | null;
  gate: TenantGate | null;
  numbers: TenantNumbers | null;
  phoneNumberId: PhoneNumberId | null;
  /** Null while nobody has asked. */
  isWindowOpen: boolean | null;
  /** As it would leave: as given, or replaced by the tenant's template outside of the window. */
  request: SendRequest;
  verdict: TemplateVerdict;
}

export function newCheckedSend(tenantId: TenantId, given: SendRequest, nowMs: number): CheckedSend {
  return {
    tenantId,
    given,
    nowMs,
    to: null,
    gate: null,
    numbers: null,
    phoneNumberId: null,
    isWindowOpen: null,
    request: given,
    verdict: NO_TEMPLATE,
  };
}

type Found = ApiProblem | null;
/** Why a message is refused; null when it passes. Without a promise when everything is remembered: this is the hot path. */
type SendCheck = (parts: SendCheckDeps, send: CheckedSend) => Found | Promise<Found>;

/** Goes on with what a cache knows: at once when it is remembered, without a promise or a closure. */
function whenKnown<T>(
  value: T | Promise<T>,
  send: CheckedSend,
  next: (known: T, send: CheckedSend) => Found,
): Found | Promise<Found> {
  return value instanceof Promise ? value.then((known) => next(known, send)) : next(value, send);
}

function checkFields(_parts: SendCheckDeps, send: CheckedSend): Found {
  const { given, nowMs } = send;
  const faults = requestFaults(given, nowMs);
  send.to = recipientOf(given) || null;
  return faults.length === 0 ? null : faultsProblem(faults);
}

/** Finds nothing yet: what the gate says is asked last. */
function findGate({ gate }: SendCheckDeps, send: CheckedSend): Found | Promise<Found> {
  return whenKnown(gate.of(send.tenantId), send, keepGate);
}

function keepGate(gate: TenantGate, send: CheckedSend): Found {
  send.gate = gate;
  return null;
}

function checkCountry({ numbers }: SendCheckDeps, send: CheckedSend): Found | Promise<Found> {
  return whenKnown(numbers.of(send.tenantId), send, countryProblem);
}

function countryProblem(numbers: TenantNumbers, send: CheckedSend): Found {
  send.numbers = numbers;
  return send.to === null ? null : numbers.countryProblem(send.to);
}

function chooseNumber(_parts: SendCheckDeps, send: CheckedSend): Found {
  try {
    send.phoneNumberId = send.numbers?.choose(send.given.phoneNumberId) ?? null;
    return null;
  } catch (error) {
    if (error instanceof ApiProblem) return error;
    throw error;
  }
}

function checkWindow({ db }: SendCheckDeps, send: CheckedSend): Found | Promise<Found> {
  const { numbers, given } = send;
  if (numbers === null || numbers.windowPolicy === 'network' || !needsWindow(given)) return null;
  return applyWindowPolicy(db, numbers, send);
}

function checkReplyTo({ db }: SendCheckDeps, { tenantId, request }: CheckedSend): Found | Promise<Found> {
  return request.replyTo === null ? null : targetProblem(db, tenantId, request);
}

function checkMedia({ media }: SendCheckDeps, { tenantId, request }: CheckedSend): Found | Promise<Found> {
  return mediaRefs(request.content).length === 0 ? null : mediaProblem(media, tenantId, request);
}

function checkTemplate(parts: SendCheckDeps, send: CheckedSend): Found | Promise<Found> {
  const { tenantId, numbers, phoneNumberId, request } = send;
  const account = (phoneNumberId && numbers?.find(phoneNumberId)?.networkAccountId) ?? null;
  return whenKnown(evaluateTemplate(parts, tenantId, request, account), send, templateProblem);
}

function templateProblem(verdict: TemplateVerdict, send: CheckedSend): Found {
  send.verdict = verdict;
  if (verdict.kind === 'fits' && verdict.category === 'authentication' && send.to !== null) return codeProblem(send.to);
  if (verdict.kind !== 'refused') return null;
  return send.request === send.given ? verdict.problem : fallbackProblem(verdict.problem);
}

/** The network sends one-time codes to numbers alone (131062). */
function codeProblem(to: string): Found {
  if (identityKind(to) === 'phone') return null;
  return faultsProblem([
    { path: 'body.to', message: 'to is a user ID; templates of the category authentication go to phone numbers' },
  ]);
}

function checkSuppression({ suppressions }: SendCheckDeps, send: CheckedSend): Found | Promise<Found> {
  return send.to === null ? null : whenKnown(suppressions.of(send.tenantId), send, silenceProblem);
}

function silenceProblem(suppressions: TenantSuppressions, { request, verdict, phoneNumberId }: CheckedSend): Found {
  const category = verdict.kind === 'fits' ? verdict.category : null;
  return suppressionProblem(suppressions, request, { category, from: phoneNumberId });
}

function checkBilling(_parts: SendCheckDeps, { gate }: CheckedSend): Found {
  return gate?.problem() ?? null;
}

/**
 * Every check of a send, in the order in which refusals are told. Accepting a message stops at the first problem; a dry run collects them
 * all. Billing is last and asks nobody: nothing may come between it and taking a message of what is left.
 */
export const SEND_CHECKS: readonly SendCheck[] = [
  checkFields,
  findGate,
  checkCountry,
  chooseNumber,
  checkWindow,
  checkReplyTo,
  checkMedia,
  checkTemplate,
  checkSuppression,
  checkBilling,
];
