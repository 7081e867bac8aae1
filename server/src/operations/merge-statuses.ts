import type { StatusItem } from '#core/callback';
import type { MessageId, PhoneNumberId, TenantId } from '#core/ids';
import type { DeliveryError } from '#core/message';
import { ruleForNetworkError } from '#core/network-errors';
import type { StatusRow } from '#storage/status-batch';

/** A status whose message is known. */
export interface PlacedStatus {
  readonly tenantId: TenantId;
  readonly messageId: MessageId;
  /** From the echo; null when found by the network's id. */
  readonly attempt: number | null;
  readonly item: StatusItem;
}

/**
 * One row per message and attempt from all statuses of a batch: the earliest time of each kind, so that neither order
 * nor repetition matters. Sorted by id, so that batches which meet lock their rows in the same order.
 */
export function mergeStatuses(placed: readonly PlacedStatus[]): readonly StatusRow[] {
  const rows = new Map<string, StatusRow>();
  for (const one of placed) {
    // Of two attempts of one message in one batch the statement would apply only one: the newest attempt speaks.
    const before = rows.get(one.messageId);
    if (before && (before.attempt ?? 0) > (one.attempt ?? 0)) continue;
    const base = before && before.attempt === one.attempt ? before : { ...emptyRow(one), ...keptTimes(before) };
    rows.set(one.messageId, withStatus(base, one.item));
  }
  return [...rows.values()].sort((a, b) => (a.messageId < b.messageId ? -1 : 1));
}

function emptyRow({ tenantId, messageId, attempt, item }: PlacedStatus): StatusRow {
  return {
    tenantId,
    messageId,
    phoneNumberId: item.phoneNumberId as PhoneNumberId,
    networkMessageId: item.networkMessageId,
    attempt,
    sentMs: null,
    deliveredMs: null,
    readMs: null,
    failedMs: null,
    error: null,
    pricing: null,
  };
}

/** What an older attempt of the same batch said about the customer's phone still holds; its failure does not. */
function keptTimes(before: StatusRow | undefined): Partial<StatusRow> {
  return before
    ? { sentMs: before.sentMs, deliveredMs: before.deliveredMs, readMs: before.readMs, pricing: before.pricing }
    : {};
}

function withStatus(row: StatusRow, item: StatusItem): StatusRow {
  const pricing = row.pricing ?? (item.pricing ? pricingJson(item.pricing) : null);
  switch (item.status) {
    case 'sent':
      return { ...row, pricing, sentMs: earliest(row.sentMs, item.at) };
    case 'delivered':
      return { ...row, pricing, deliveredMs: earliest(row.deliveredMs, item.at) };
    case 'read':
      return { ...row, pricing, readMs: earliest(row.readMs, item.at) };
    case 'failed':
      return { ...row, pricing, failedMs: earliest(row.failedMs, item.at), error: row.error ?? toDeliveryError(item) };
  }
}

function earliest(known: number | null, fresh: number): number {
  return known === null ? fresh : Math.min(known, fresh);
}

function pricingJson({ category, billable, model }: NonNullable<StatusItem['pricing']>): string {
  return JSON.stringify({ category, billable, model });
}

function toDeliveryError({ error }: StatusItem): DeliveryError {
  const networkCode = error?.networkCode ?? null;
  const rule = ruleForNetworkError(networkCode, null);
  return { code: rule.code, message: rule.sentence, networkCode, retryable: rule.retryClass !== 'never' };
}
