import { numberEvents } from '#accounts/domain/number-events';
import { lockPhoneNumber } from '#accounts/store/phone-numbers';
import type { TenantId } from '#core/ids';
import type { Transaction } from '#database/database';
import type { EventSink } from '#events/actions/with-events';

/**
 * Runs `work`, which may change a number of a tenant in the caller's transaction, and records an event for each
 * difference. The number is locked meanwhile; a number that is added or deleted records nothing here.
 */
export async function withNumberEvents<T>(
  tx: Transaction,
  events: EventSink,
  { tenantId, phoneNumberId }: { readonly tenantId: TenantId; readonly phoneNumberId: string },
  work: () => Promise<T>,
): Promise<T> {
  const before = await lockPhoneNumber(tx, tenantId, phoneNumberId);
  const result = await work();
  const after = before && (await lockPhoneNumber(tx, tenantId, phoneNumberId));
  if (before && after) for (const event of numberEvents(before, after)) events.add(event);
  return result;
}
