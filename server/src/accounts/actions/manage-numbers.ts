import { audit } from '#access/actions/audit';
import { requireVersion, type VersionedRequest } from '#access/actions/require-version';
import { changeDetails } from '#access/domain/audit';
import {
  deletePhoneNumber,
  lockPhoneNumber,
  type NumberChoice,
  owesSends,
  type PhoneNumber,
  setNumberHours,
  setNumberPaused,
  updatePhoneNumber,
} from '#accounts/store/phone-numbers';
import { changesBetween } from '#agents/domain/agent-events';
import { findHours } from '#agents/store/business-hours';
import type { Requester } from '#core/caller/origin';
import { ApiProblem } from '#core/errors';
import type { HoursId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { Database, Transaction } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import type { Runtime } from '#runtime/runtime';
import { withNumberEvents } from './change-number.ts';
import { auditPause, type Pause } from './pause-number.ts';

/** A request that changes a number. */
export interface NumberRequest extends VersionedRequest {
  readonly phoneNumberId: string;
}

/** What is left out stays as it is. */
export interface NumberInput extends Partial<NumberChoice & Pick<PhoneNumber, 'hoursId' | 'status'>> {
  readonly pauseReason?: string;
}

const NO_REASON = 'Paused through the API.';

/**
 * Changes what people choose about a number. Dispatchers follow within a second.
 * @throws ApiProblem not_found, precondition_failed, validation_failed for a reason without a pause
 */
export function changeNumber(
  rt: Runtime,
  db: Database,
  request: NumberRequest,
  wish: NumberInput,
): Promise<PhoneNumber> {
  const { tenantId, phoneNumberId, origin } = request;
  return withEvents(rt, db, async (tx, events) => {
    const before = await requireNumber(tx, request);
    await attachHours(rt, tx, request, { before, hoursId: wish.hoursId });
    const pause = pauseOf(before, wish);
    const chosen = choiceOf(before, wish);
    if (chosen !== null) {
      await updatePhoneNumber(tx, before, chosen);
      const changes = changesBetween(eventFields(before), eventFields(chosen));
      const details = changeDetails(changes, Object.keys(changes));
      await audit(rt, tx, { tenantId, origin, action: 'number.changed', targetId: phoneNumberId, details });
    }
    if (pause !== undefined)
      await withNumberEvents(tx, events, request, () => pauseIn(rt, tx, { ...request, pauseReason: pause }));
    return (await lockPhoneNumber(tx, tenantId, phoneNumberId)) ?? before;
  });
}

const CHOICES = [
  'name',
  'ratePerSecond',
  'reopenPolicy',
  'reopenHours',
  'resolveIdleHours',
  'resolveIdleWaiting',
  'assignOnReply',
] as const satisfies readonly (keyof NumberChoice)[];

/** What people choose about a number but for its pause; null when it stays as it is. */
function choiceOf(before: PhoneNumber, wish: NumberInput): NumberChoice | null {
  const given = CHOICES.filter((name) => wish[name] !== undefined && wish[name] !== before[name]);
  return given.length === 0 ? null : { ...before, ...Object.fromEntries(given.map((name) => [name, wish[name]])) };
}

function eventFields(choice: NumberChoice): JsonObject {
  return {
    name: choice.name,
    rate_limit: choice.ratePerSecond,
    reopen_policy: choice.reopenPolicy,
    reopen_hours: choice.reopenHours,
    auto_resolve_hours: choice.resolveIdleHours,
    auto_resolve_waiting: choice.resolveIdleWaiting,
    assign_on_reply: choice.assignOnReply,
  };
}

/** @throws ApiProblem validation_failed for hours that the tenant does not have */
async function attachHours(
  rt: Runtime,
  tx: Transaction,
  { tenantId, origin }: NumberRequest,
  { before, hoursId }: { readonly before: PhoneNumber; readonly hoursId: HoursId | null | undefined },
): Promise<void> {
  if (hoursId === undefined || hoursId === before.hoursId) return;
  if (hoursId !== null && (await findHours(tx, tenantId, hoursId)) === null) {
    const message = 'business_hours_id does not name business hours of this tenant.';
    const details = [{ path: 'body.business_hours_id', message }];
    throw new ApiProblem('validation_failed', { sentence: message, details });
  }
  const { phoneNumberId } = before;
  await setNumberHours(tx, { tenantId, phoneNumberId, hoursId });
  const details = changeDetails({ business_hours_id: [before.hoursId, hoursId] }, ['business_hours_id']);
  await audit(rt, tx, { tenantId, origin, action: 'number.changed', targetId: phoneNumberId, details });
}

/** The new reason, null to resume, undefined when the pause stays as it is. */
function pauseOf({ status, pauseReason }: PhoneNumber, wish: NumberInput): string | null | undefined {
  const wanted = wish.status ?? status;
  if (wanted === 'active') {
    if (wish.pauseReason === undefined) return status === 'active' ? undefined : null;
    const message = 'pause_reason belongs to a paused number: send status paused with it.';
    throw new ApiProblem('validation_failed', { sentence: message, details: [{ path: 'body.pause_reason', message }] });
  }
  const reason = wish.pauseReason ?? (status === 'paused' ? pauseReason : NO_REASON) ?? NO_REASON;
  return status === 'paused' && reason === pauseReason ? undefined : reason;
}

async function pauseIn(rt: Runtime, tx: Transaction, change: Pause & Requester): Promise<void> {
  await setNumberPaused(tx, change);
  await auditPause(rt, tx, change);
}

/**
 * Removes a number, so that another tenant may link it. Messages that left from it stay.
 * @throws ApiProblem not_found, precondition_failed, conflict while messages wait to leave from it
 */
export function removeNumber(rt: Runtime, db: Database, request: NumberRequest): Promise<PhoneNumber> {
  const { tenantId, phoneNumberId, origin } = request;
  return db.transaction(async (tx) => {
    const number = await requireNumber(tx, request);
    if (await owesSends(tx, tenantId, phoneNumberId)) throw new ApiProblem('conflict', { sentence: STILL_OWES });
    await deletePhoneNumber(tx, { tenantId, phoneNumberId: number.phoneNumberId, nowMs: rt.clock.now() });
    const details = { phone: number.displayPhone };
    await audit(rt, tx, { tenantId, origin, action: 'number.deleted', targetId: phoneNumberId, details });
    return number;
  });
}

/** The refusal of removing a number that messages wait for. */
export const STILL_OWES = 'Messages from this number are still queued. Wait until they are sent, or cancel them first.';

async function requireNumber(
  tx: Transaction,
  { tenantId, phoneNumberId, versions }: NumberRequest,
): Promise<PhoneNumber> {
  return requireVersion('number', await lockPhoneNumber(tx, tenantId, phoneNumberId), versions);
}
