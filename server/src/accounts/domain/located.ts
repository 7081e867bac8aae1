import type { CallbackId } from '#core/ids';

/** An item with its place in the callback. */
export interface Located<Item> {
  readonly callbackId: CallbackId;
  readonly index: number;
  readonly item: Item;
}
