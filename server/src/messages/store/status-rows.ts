import type { CallbackId, MessageId, PhoneNumberId, TenantId } from '#core/ids';
import type { DeliveryError } from '#messages/domain/message';

/** All that one batch of callbacks says about one message: statuses of the same message are merged before. */
export interface StatusRow {
  readonly tenantId: TenantId;
  readonly messageId: MessageId;
  readonly phoneNumberId: PhoneNumberId;
  readonly networkMessageId: string;
  /** From the echo; null when the status carried none and was found by its network id. */
  readonly attempt: number | null;
  readonly sentMs: number | null;
  readonly deliveredMs: number | null;
  readonly readMs: number | null;
  readonly failedMs: number | null;
  readonly error: DeliveryError | null;
  /** JSON of `{category, billable, model}`. */
  readonly pricing: string | null;
}

export interface ApplyStatuses {
  readonly rows: readonly StatusRow[];
  readonly nowMs: number;
  /** JSON array with the trace entry for messages whose unknown outcome these statuses settle. */
  readonly reconciledTrace: string;
  /** An id of this call; it chooses the slot of the counters, so that calls at the same time rarely meet in one. */
  readonly batchId: string;
  /** Callbacks that say nothing else: they leave the queue with this statement if all its messages are there. */
  readonly doneCallbacks?: readonly CallbackId[];
}

/**
 * What statuses write into `updated_ms` of the message `m`, an expression. When a status brings the first time of a stage, the row also notes when that
 * was learned, so this column need not change (see `updatedMsOf`). It stands before everything else that statuses change, and PostgreSQL logs all bytes
 * between the first and the last that an update changes.
 * @param said alias of what the statuses say
 */
export const updatedMsSql = (said: string, nowMs: string): string => {
  const isNew = ['sent', 'delivered', 'read'].map((stage) => {
    return `(${said}.${stage}_ms is not null and m.${stage}_learned_ms is null)`;
  });
  return `case when ${isNew.join(' or ')} then m.updated_ms else greatest(m.updated_ms, ${nowMs}) end`;
};

/** When the message `m` was last changed, an expression. */
export const LAST_UPDATED_SQL = 'greatest(m.updated_ms, m.sent_learned_ms, m.delivered_learned_ms, m.read_learned_ms)';

/** In `news` of a message, beside the stages: the statement stored its price. */
const FIRST_PRICE = 16;

/**
 * What `news` of the message `m` says of a price, an expression. It is evaluated for the row as it is when the update reaches it: what another batch
 * stored while this one waited is not its own.
 */
export const firstPriceSql = (price: string): string =>
  `case when m.pricing is null and ${price} is not null then ${FIRST_PRICE} else 0 end`;

/**
 * Counts messages by the category of their price, each once.
 * @param changed part of the statement with `news`, and what is counted by
 * @param slot of the counters, an expression
 */
export const countPricesSql = (changed: string, slot: string): string => `
  insert into usage_counters (tenant_id, day, fact, phone_number_id, name, slot, amount)
  select tenant_id, (created_ms / 86400000)::integer, 'category', phone_number_id,
    coalesce(pricing ->> 'category', 'unknown'), ${slot}::smallint, count(*)
  from ${changed}
  where news & ${FIRST_PRICE} <> 0
  group by 1, 2, 4, 5
  order by 1, 2, 4, 5
  on conflict (tenant_id, day, fact, phone_number_id, name, slot)
  do update set amount = usage_counters.amount + excluded.amount
  returning 1`;
