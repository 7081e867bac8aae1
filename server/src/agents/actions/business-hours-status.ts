import { isOpenAt, openHours } from '#agents/domain/business-hours';
import { findHoursOfNumber } from '#agents/store/business-hours';
import type { PhoneNumberId, TenantId } from '#core/ids';
import type { SqlRunner } from '#database/database';

/** By the hours of the number, else the default ones of the tenant; without either it is always open. */
export const hoursOfNumberAt: HoursAt = async (db, { tenantId, phoneNumberId, nowMs }) => {
  const hours = await findHoursOfNumber(db, tenantId, phoneNumberId);
  return hours === null || isOpenAt(openHours(hours), nowMs) ? 'open' : 'closed';
};

/** Whether a number is within its hours of business. */
export type HoursAt = (
  db: SqlRunner,
  number: { readonly tenantId: TenantId; readonly phoneNumberId: PhoneNumberId; readonly nowMs: number },
) => Promise<'open' | 'closed'>;
