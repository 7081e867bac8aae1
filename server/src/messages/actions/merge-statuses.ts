import type { MessageId, PhoneNumberId, TenantId } from '#core/ids';
import { ruleForNetworkError } from '#core/network/network-errors';
import type { DeliveryError } from '#messages/domain/message';
import type { StatusItem } from '#messages/domain/status-item';
import type { StatusRow } from '#messages/store/status-rows';

/** A status whose message is known. */
export interface PlacedStatus {
  readonly tenantId: TenantId;
  readonly messageId: MessageId;
  /** From the correlation token; null when found by the network's id. */
  readonly attempt: number | null;
  readonly item: StatusItem;
}

/**
 * One row per message and attempt from all statuses of a batch: the earliest time of each kind, so that neither order
 * nor repetition matters. One statement updates a message only once, so that rows of several attempts of a message
 * (it was sent again after an unknown outcome) come in rounds. Each round is sorted by id: batches that meet lock
 * their rows in the same order.
 */
export function mergeStatuses(placed: readonly PlacedStatus[]): readonly (readonly StatusRow[])[] {
  const rows = new Map<string, StatusRow>();
  for (const one of placed) {
    const key = `${one.messageId}/${one.attempt}/${one.item.networkMessageId}`;
    rows.set(key, withStatus(rows.get(key) ?? emptyRow(one), one.item));
  }
  const rounds: StatusRow[][] = [];
  const taken = new Map<string, number>();
  for (const row of [...rows.values()].sort(byMessageAndAttempt)) {
    const round = taken.get(row.messageId) ?? 0;
    taken.set(row.messageId, round + 1);
    rounds[round] ??= [];
    rounds[round]?.push(row);
  }
  return rounds;
}

function byMessageAndAttempt(a: StatusRow, b: StatusRow): number {
  if (a.messageId !== b.messageId) return a.messageId < b.messageId ? -1 : 1;
  return (a.attempt ?? 0) - (b.attempt ?? 0);
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
