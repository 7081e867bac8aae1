import type { RetryClass } from '#core/network/network-errors';
import type { ReadOutcome, ReadReceipt } from '#messages/domain/read-receipt';
import type { SendOutcome } from './classify.ts';

/** "status: read … typing_indicator optional". */
export function readReceiptBody({ networkMessageId, typing }: ReadReceipt): string {
  return JSON.stringify({
    messaging_product: 'whatsapp',
    status: 'read',
    message_id: networkMessageId,
    ...(typing ? { typing_indicator: { type: 'text' } } : {}),
  });
}

/** Refusals that pass with time. */
const PASSING: ReadonlySet<RetryClass> = new Set([
  'transient',
  'transient_once',
  'rate',
  'pair_rate',
  'maintenance',
] satisfies RetryClass[]);

/**
 * What an unsuccessful response means for a read receipt. Marking twice has no further effect, so unknown counts as
 * unreachable.
 */
export function classifyReceipt(outcome: SendOutcome): ReadOutcome {
  if (outcome.kind !== 'refused' || PASSING.has(outcome.rule.retryClass)) return { kind: 'unreachable' };
  return { kind: 'refused', sentence: outcome.rule.sentence };
}
