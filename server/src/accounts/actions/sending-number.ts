import { listPhoneNumbers } from '#accounts/store/phone-numbers';
import { ApiProblem } from '#core/errors';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';

/**
 * Checks that a number, when one is named, is the tenant's.
 * @throws ApiProblem unknown_phone_number
 */
export async function checkSendingNumber(
  db: Database,
  tenantId: TenantId,
  phoneNumberId: string | undefined,
): Promise<void> {
  if (phoneNumberId === undefined) return;
  const numbers = await listPhoneNumbers(db, tenantId);
  if (numbers.some((number) => number.phoneNumberId === phoneNumberId)) return;
  const message = 'phone_number_id does not name a sending number of this tenant';
  throw new ApiProblem('unknown_phone_number', { details: [{ path: 'body.phone_number_id', message }] });
}
