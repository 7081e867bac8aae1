import { isOpenAt, openHours } from '#core/business-hours';
import { findHoursOfNumber } from '#storage/business-hours';
import type { HoursAt } from './judge-moment.ts';

/** By the hours of the number, else the default ones of the tenant; without either it is always open. */
export const hoursOfNumberAt: HoursAt = async (db, { tenantId, phoneNumberId, nowMs }) => {
  const hours = await findHoursOfNumber(db, tenantId, phoneNumberId);
  return hours === null || isOpenAt(openHours(hours), nowMs) ? 'open' : 'closed';
};
