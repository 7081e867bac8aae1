import { readPaymentEvent } from '#billing/domain/payment-event';
import type { JsonObject } from '#core/json';
import { CellAway, type CellLocator } from './cell-locator.ts';

type Apply = (event: JsonObject) => Promise<void>;

interface PaymentCells {
  /** By the ids of the cells that this process serves. */
  readonly applies: () => ReadonlyMap<string, Apply>;
  readonly missing: () => readonly string[];
  readonly locator: CellLocator;
}

/**
 * Applies an event of the payment gateway in the cell of its tenant. Events of subscriptions name none: they are applied in every cell, where
 * what is not about it changes nothing.
 */
export function applyOverCells(own: Apply, { applies, missing, locator }: PaymentCells): Apply {
  return async (event) => {
    if (applies().size === 1 && missing().length === 0) return own(event);
    const read = readPaymentEvent(event);
    if (read.kind === 'other') return;
    if (read.kind !== 'subscription') {
      const [cellId] = await locator.locate('tenant', read.report.tenantId.toLowerCase());
      if (cellId === undefined) return;
      const apply = applies().get(cellId);
      if (apply === undefined) throw new CellAway([cellId]);
      return apply(event);
    }
    for (const apply of applies().values()) await apply(event);
    if (missing().length > 0) throw new CellAway(missing());
  };
}
