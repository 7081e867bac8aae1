import type { JsonObject } from '#core/json';
import type { TopUp } from '#core/top-up';
import { formatRfc3339 } from '../validation/rfc3339.ts';

export function presentTopUp(topUp: TopUp): JsonObject {
  return {
    id: topUp.topUpId,
    status: topUp.status,
    amount: topUp.amount,
    currency: topUp.currency,
    paid_amount: topUp.paidAmount,
    refunded_amount: topUp.refundTaken,
    checkout_url: topUp.status === 'pending' ? topUp.checkoutUrl : null,
    note: topUp.note,
    created_at: formatRfc3339(topUp.createdMs),
    updated_at: formatRfc3339(topUp.updatedMs),
  };
}
