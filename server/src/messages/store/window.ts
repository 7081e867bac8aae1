import type { PhoneNumberId, TenantId } from '#core/ids';
import { phoneKey } from '#core/phone/phone-key';
import { type SqlRunner, statement } from '#database/database';
import { identityKindSql } from '#database/phone-key-sql';

export const WINDOW_OPEN = statement('conversation_window_open')`
select 1 as open from contact_identities i
join conversations c on c.tenant_id = i.tenant_id and c.contact_id = i.contact_id
where i.tenant_id = $1 and i.kind = ${identityKindSql('$2')} and i.value = $2 and c.phone_number_id = $3 and c.window_expires_ms > $4
limit 1`;

/** Whether this customer wrote to this number within the last 24 hours, as far as we know. */
export async function isWindowOpen(
  db: SqlRunner,
  pair: {
    readonly tenantId: TenantId;
    readonly phone: string;
    readonly phoneNumberId: PhoneNumberId;
    readonly nowMs: number;
  },
): Promise<boolean> {
  const { tenantId, phone, phoneNumberId, nowMs } = pair;
  return (await db.run(WINDOW_OPEN, [tenantId, phoneKey(phone), phoneNumberId, nowMs])).rowCount > 0;
}
