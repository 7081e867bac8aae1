import { audit } from '#access/actions/audit';
import { requireTenant } from '#access/actions/manage-tenants';
import { OPERATOR } from '#access/domain/audit';
import { insertPhoneNumber } from '#accounts/store/phone-numbers';
import type { PhoneNumberId, TenantId } from '#core/ids';
import { OperatorError } from '#core/operator-error';
import { parsePhone } from '#core/phone/phone';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';

export const PHONE_NUMBER_ID = /^[0-9]{1,32}$/;

export interface NewNumberInput {
  readonly tenantId: TenantId;
  readonly phoneNumberId: string;
  readonly displayPhone: string;
  readonly name: string | null;
  readonly ratePerSecond: number | null;
  /** The account of the network that it belongs to, so that the tenant reaches its templates; null: not said. */
  readonly networkAccountId?: string | null;
}

export async function addPhoneNumber(rt: Runtime, db: Database, input: NewNumberInput): Promise<void> {
  if (!PHONE_NUMBER_ID.test(input.phoneNumberId))
    throw new OperatorError('A phone_number_id consists of the digits assigned by the network.');
  if (input.networkAccountId && !PHONE_NUMBER_ID.test(input.networkAccountId))
    throw new OperatorError('An account consists of the digits assigned by the network.');
  const phone = parsePhone(input.displayPhone);
  if (!phone.ok) throw new OperatorError(`The phone number ${phone.reason}.`);
  await requireTenant(db, input.tenantId);
  const number = {
    ...input,
    phoneNumberId: input.phoneNumberId as PhoneNumberId,
    displayPhone: phone.phone,
    createdMs: rt.clock.now(),
  };
  const { tenantId, phoneNumberId } = number;
  const ours = await db.transaction(async (tx) => {
    const inserted = await insertPhoneNumber(tx, number);
    const details = { phone: number.displayPhone, rate_per_second: number.ratePerSecond };
    if (inserted)
      await audit(rt, tx, { tenantId, origin: OPERATOR, action: 'number.added', targetId: phoneNumberId, details });
    return inserted;
  });
  if (!ours) throw new OperatorError(`${input.phoneNumberId} belongs to another tenant.`);
}
