import type { TopUp } from '#billing/domain/top-up';
import type { JsonObject } from '#core/json';
import { formatRfc3339 } from '#http/validation/rfc3339';

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
