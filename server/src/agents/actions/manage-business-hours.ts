import { audit } from '#access/actions/audit';
import { requireVersion, type VersionedRequest } from '#access/actions/require-version';
import { changeDetails } from '#access/domain/audit';
import { changesBetween } from '#agents/domain/agent-events';
import { type Timetable, timetableFaults } from '#agents/domain/business-hours';
import { type BusinessHours, deleteHours, findHoursUser, lockHours, saveHours } from '#agents/store/business-hours';
import type { Requester } from '#core/caller/origin';
import { ApiProblem } from '#core/errors';
import type { HoursId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { Database, Transaction } from '#database/database';
import type { Runtime } from '#runtime/runtime';

/** What people decide about hours. */
export interface HoursFields extends Timetable {
  readonly name: string;
  readonly isDefault: boolean;
}

interface CreateHours extends Requester {
  readonly fields: HoursFields;
}

/** Stores hours. @throws ApiProblem validation_failed with every fault of the timetable */
export function createHours(
  rt: Runtime,
  db: Database,
  { tenantId, origin, fields }: CreateHours,
): Promise<BusinessHours> {
  requireSound(fields);
  return db.transaction(async (tx) => {
    const nowMs = rt.clock.now();
    const known = { tenantId, hoursId: rt.newId<HoursId>(), version: 1, createdMs: nowMs, updatedMs: nowMs };
    const hours: BusinessHours = { ...fields, ...known };
    await saveHours(tx, hours);
    const details = hoursDetails(hours);
    await audit(rt, tx, { tenantId, origin, action: 'business_hours.created', targetId: hours.hoursId, details });
    return hours;
  });
}

/** A request that changes one timetable. */
export interface OneHoursRequest extends VersionedRequest {
  readonly hoursId: string;
}

/**
 * Changes hours. @param wish what is left out stays as it is
 * @throws ApiProblem not_found, precondition_failed, validation_failed
 */
export function changeHours(
  rt: Runtime,
  db: Database,
  request: OneHoursRequest,
  wish: Partial<HoursFields>,
): Promise<BusinessHours> {
  return db.transaction(async (tx) => {
    const before = await requireHours(tx, request);
    const after = { ...before, ...wish, version: before.version + 1, updatedMs: rt.clock.now() };
    requireSound(after);
    await saveHours(tx, after);
    const changes = changesBetween(hoursDetails(before), hoursDetails(after));
    const details = changeDetails(changes, Object.keys(changes));
    const { tenantId, hoursId: targetId } = before;
    await audit(rt, tx, { tenantId, origin: request.origin, action: 'business_hours.changed', targetId, details });
    return after;
  });
}

/** @throws ApiProblem not_found, precondition_failed, conflict while a team or a number names them */
export function removeHours(rt: Runtime, db: Database, request: OneHoursRequest): Promise<BusinessHours> {
  return db.transaction(async (tx) => {
    const hours = await requireHours(tx, request);
    const user = await findHoursUser(tx, hours.tenantId, hours.hoursId);
    if (user !== null) throw new ApiProblem('conflict', { sentence: hoursInUse(user) });
    const { tenantId, hoursId, name } = hours;
    await deleteHours(tx, tenantId, hoursId);
    const entry = { tenantId, origin: request.origin, targetId: hoursId, details: { name } };
    await audit(rt, tx, { ...entry, action: 'business_hours.deleted' });
    return hours;
  });
}

/** The refusal of removing hours. @param user a team, or a number */
export function hoursInUse(user: string): string {
  return `${user} uses these business hours. Give it other hours first.`;
}

function hoursDetails({ name, timezone, weekly, holidays, isDefault }: BusinessHours): JsonObject {
  return { name, timezone, weekly, holidays: holidays.map((day) => ({ ...day })), is_default: isDefault };
}

async function requireHours(tx: Transaction, { tenantId, hoursId, versions }: OneHoursRequest): Promise<BusinessHours> {
  return requireVersion('timetable', await lockHours(tx, tenantId, hoursId), versions);
}

function requireSound(timetable: Timetable): void {
  const faults = timetableFaults(timetable);
  if (faults.length === 0) return;
  const details = faults.map(({ path, message }) => ({ path: `body.${path}`, message }));
  throw new ApiProblem('validation_failed', { sentence: faults.map(({ message }) => message).join(' '), details });
}
