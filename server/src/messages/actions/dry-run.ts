import type { NumberCache, TenantNumbers } from '#accounts/actions/number-cache';
import type { PhoneNumber } from '#accounts/store/phone-numbers';
import type { BillingGate } from '#billing/actions/billing-gate';
import { priceList, priceOf } from '#billing/domain/wallet';
import { listPrices } from '#billing/store/wallet-prices';
import type { SuppressionCache } from '#contacts/actions/suppression-cache';
import { ApiProblem } from '#core/errors';
import type { TenantId } from '#core/ids';
import { isInNumberPlan } from '#core/phone/number-plan';
import { priorityRank } from '#messages/domain/message';
import { countWaiting } from '#messages/store/queue-depth';
import { isWindowOpen } from '#messages/store/window';
import type { Runtime } from '#runtime/runtime';
import type { TemplateVerdict } from '#templates/actions/template-cache';
import type { SendRequest } from './accept-message.ts';
import { fallbackProblem, outsideWindow } from './apply-window-policy.ts';
import {
  type CheckDeps,
  evaluateTemplate,
  faultsProblem,
  needsWindow,
  priorityOf,
  recipientOf,
  referenceProblems,
  requestFaults,
  suppressionProblem,
} from './send-checks.ts';

/** What would stop a message, or should be known before it is sent. */
export interface Remark {
  /** Of a blocker: the code that the send would be refused with. */
  readonly code: string;
  readonly message: string;
}

/** What sending would come to; nothing is stored. */
export interface DryRun {
  readonly blockers: readonly Remark[];
  readonly warnings: readonly Remark[];
  /** What the network would bill it as; null while only the network knows. */
  readonly category: string | null;
  /** What that costs this recipient; null with the wallet off, or when no price or category is known. */
  readonly costMicros: number | null;
  /** Seconds until it could leave; null when that is not known (blocked, or its number is paused). */
  readonly etaS: number | null;
}

export interface DryRunDeps extends CheckDeps {
  readonly rt: Runtime;
  readonly numbers: NumberCache;
  readonly gate: BillingGate;
  readonly suppressions: SuppressionCache;
}

/** Waiting messages are counted so far: beyond it the estimate is a lower bound. */
const MAX_COUNTED = 10_000;

/** Runs every check of a send and tells all that it finds. */
export async function dryRun(parts: DryRunDeps, tenantId: TenantId, request: SendRequest): Promise<DryRun> {
  const { rt, numbers } = parts;
  const nowMs = rt.clock.now();
  const faults = requestFaults(request, nowMs);
  const found: ApiProblem[] = faults.length > 0 ? [faultsProblem(faults)] : [];
  const book = await numbers.of(tenantId);
  const abroad = faults.length === 0 ? book.countryProblem(recipientOf(request)) : null;
  if (abroad) found.push(abroad);
  const chosen = chooseNumber(book, request.phoneNumberId);
  if (chosen instanceof ApiProblem) found.push(chosen);
  found.push(...(await referenceProblems(parts, tenantId, request)));
  const number = chosen instanceof ApiProblem ? null : chosen;
  const known = faults.length === 0 && number !== null;
  const closed = known && needsWindow(request) && !(await isOpen(parts, { tenantId, request, number, nowMs }));
  const leaving = closed ? outsideWindow(book, request) : request;
  const isReplaced = !(leaving instanceof ApiProblem) && leaving !== request;
  if (leaving instanceof ApiProblem) found.push(leaving);
  const sent = isReplaced ? leaving : request;
  const account = number?.networkAccountId ?? null;
  const verdict = await evaluateTemplate(parts, tenantId, sent, account);
  if (verdict.kind === 'refused') found.push(isReplaced ? fallbackProblem(verdict.problem) : verdict.problem);
  const category = categoryOf(sent, verdict);
  const silent = faults.length === 0 ? suppressionProblem(await parts.suppressions.of(tenantId), sent, category) : null;
  if (silent) found.push(silent);
  const gated = (await parts.gate.of(tenantId)).problem();
  if (gated) found.push(gated);
  const warnings = [
    ...(faults.length === 0 ? planWarnings(recipientOf(request)) : []),
    ...(closed && book.windowPolicy === 'network' ? [WINDOW_WARNING] : []),
    ...(isReplaced ? [REPLACED_WARNING] : []),
    ...(number === null ? [] : pauseWarnings(number)),
  ];
  const blocked = found.length > 0 || number === null || number.status === 'paused';
  return {
    blockers: found.map(({ code, message }) => ({ code, message })),
    warnings,
    category,
    costMicros: faults.length > 0 ? null : await costOf(parts, { to: recipientOf(request), category, nowMs }),
    etaS: blocked ? null : await etaOf(parts, { tenantId, request, number, nowMs }),
  };
}

/** Of a template as it is known here; the network may bill another. */
function categoryOf({ content }: SendRequest, verdict: TemplateVerdict): string | null {
  if (content.type !== 'template') return 'service';
  return verdict.kind === 'fits' ? verdict.category : null;
}

interface Priced {
  readonly to: string;
  readonly category: string | null;
  readonly nowMs: number;
}

async function costOf({ rt, db }: DryRunDeps, { to, category, nowMs }: Priced): Promise<number | null> {
  // What nobody pays for has no price.
  if (category === null || rt.config.walletEnabled === 'false') return null;
  const prices = await listPrices(db);
  return prices.length === 0 ? null : priceOf(priceList(prices), { category, to, atMs: nowMs });
}

const WINDOW_WARNING: Remark = {
  code: 'window_closed',
  message:
    'The customer has not written within 24 hours, as far as is known: the network may refuse anything but a template.',
};

const REPLACED_WARNING: Remark = {
  code: 'replaced_by_template',
  message: 'The customer has not written within 24 hours: your fallback template would go instead.',
};

function chooseNumber(book: TenantNumbers, wanted: string | null): PhoneNumber | ApiProblem {
  try {
    return book.find(book.choose(wanted)) ?? new ApiProblem('no_sending_number');
  } catch (error) {
    if (error instanceof ApiProblem) return error;
    throw error;
  }
}

interface Sending {
  readonly tenantId: TenantId;
  readonly request: SendRequest;
  readonly number: PhoneNumber;
  readonly nowMs: number;
}

function isOpen({ db }: DryRunDeps, { tenantId, request, number, nowMs }: Sending): Promise<boolean> {
  return isWindowOpen(db, { tenantId, phone: recipientOf(request), phoneNumberId: number.phoneNumberId, nowMs });
}

/** "A number that its country's plan excludes is accepted, flagged by dry_run". */
function planWarnings(phone: string): readonly Remark[] {
  if (isInNumberPlan(phone)) return [];
  return [{ code: 'number_not_in_plan', message: `No country's plan has the number ${phone}: check it.` }];
}

function pauseWarnings({ status, pauseReason }: PhoneNumber): readonly Remark[] {
  if (status === 'active') return [];
  const reason = pauseReason ? `: ${pauseReason.replace(/\.$/, '')}` : '';
  return [{ code: 'number_paused', message: `The sending number is paused${reason}. The message would wait.` }];
}

/** When it is due, or when those before it have left at the rate of the number, whichever is later. */
async function etaOf({ rt, db }: DryRunDeps, { tenantId, request, number, nowMs }: Sending): Promise<number> {
  const priority = priorityRank[priorityOf(request)];
  const { phoneNumberId } = number;
  const waiting = await countWaiting(db, { tenantId, phoneNumberId, priority, limit: MAX_COUNTED });
  const rate = number.ratePerSecond ?? rt.config.numberRate;
  const queueS = rate === 0 ? 0 : Math.ceil(waiting / rate);
  const dueS = Math.ceil(Math.max(0, (request.sendAtMs ?? nowMs) - nowMs) / 1000);
  return Math.max(queueS, dueS);
}
