import type { PhoneNumber } from '#accounts/store/phone-numbers';
import { priceList, priceOf } from '#billing/domain/wallet';
import { listPrices } from '#billing/store/wallet-prices';
import type { ApiProblem } from '#core/errors';
import type { TenantId } from '#core/ids';
import { isInNumberPlan } from '#core/phone/number-plan';
import { identityKind } from '#core/phone/recipient';
import { priorityRank } from '#messages/domain/message';
import { countWaiting } from '#messages/store/queue-depth';
import type { Runtime } from '#runtime/runtime';
import type { SendRequest } from './accept-message.ts';
import { askWindow } from './apply-window-policy.ts';
import { type CheckedSend, newCheckedSend, SEND_CHECKS, type SendCheckDeps } from './check-send.ts';
import { priorityOf } from './send-checks.ts';
import { dependsOnWindow, type Remark, sendWarnings } from './send-warnings.ts';

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

export interface DryRunDeps extends SendCheckDeps {
  readonly rt: Runtime;
}

/** Waiting messages are counted so far: beyond it the estimate is a lower bound. */
const MAX_COUNTED = 10_000;

/** Runs every check of a send and returns all that they find. */
export async function dryRun(parts: DryRunDeps, tenantId: TenantId, request: SendRequest): Promise<DryRun> {
  const send = newCheckedSend(tenantId, request, parts.rt.clock.now());
  const found: ApiProblem[] = [];
  for (const check of SEND_CHECKS) {
    const problem = await check(parts, send);
    if (problem) found.push(problem);
  }
  const { to, numbers, phoneNumberId } = send;
  const number = phoneNumberId === null ? null : (numbers?.find(phoneNumberId) ?? null);
  const category = categoryOf(send);
  const blocked = found.length > 0 || number === null || number.status === 'paused';
  return {
    blockers: found.map(({ code, message }) => ({ code, message })),
    warnings: [
      ...(to === null ? [] : planWarnings(to)),
      ...sendWarnings(send, dependsOnWindow(send) && !(await askWindow(parts.db, send))),
    ],
    category,
    costMicros: to === null ? null : await costOf(parts, { to, category, nowMs: send.nowMs }),
    etaS: blocked ? null : await etaOf(parts, send, number),
  };
}

/** Of a template as it is known here; the network may bill another. */
function categoryOf({ request, verdict }: CheckedSend): string | null {
  if (request.content.type !== 'template') return 'service';
  return verdict.kind === 'fits' ? verdict.category : null;
}

interface Priced {
  readonly to: string;
  readonly category: string | null;
  readonly nowMs: number;
}

async function costOf({ rt, db }: DryRunDeps, { to, category, nowMs }: Priced): Promise<number | null> {
  // A message that is not charged has no price.
  if (category === null || rt.config.walletEnabled === 'false') return null;
  const prices = await listPrices(db);
  return prices.length === 0 ? null : priceOf(priceList(prices), { category, to, atMs: nowMs });
}

/** "A number that its country's plan excludes is accepted, flagged by dry_run". */
function planWarnings(phone: string): readonly Remark[] {
  if (identityKind(phone) === 'user_id' || isInNumberPlan(phone)) return [];
  return [
    { code: 'number_not_in_plan', message: `${phone} does not match the numbering plan of any country. Check it.` },
  ];
}

/** When it is due, or when those before it have left at the rate of the number, whichever is later. */
async function etaOf({ rt, db }: DryRunDeps, send: CheckedSend, number: PhoneNumber): Promise<number> {
  const { tenantId, given, nowMs } = send;
  const priority = priorityRank[priorityOf(given)];
  const { phoneNumberId } = number;
  const waiting = await countWaiting(db, { tenantId, phoneNumberId, priority, limit: MAX_COUNTED });
  const rate = number.ratePerSecond ?? rt.config.numberRate;
  const queueS = rate === 0 ? 0 : Math.ceil(waiting / rate);
  const dueS = Math.ceil(Math.max(0, (given.sendAtMs ?? nowMs) - nowMs) / 1000);
  return Math.max(queueS, dueS);
}
