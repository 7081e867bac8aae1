import { setFlagsFromString } from 'node:v8';

/** How much more there may be, of what lived after the last collection, before the next. V8 takes up to 300. */
const GROWTH_PERCENT = 100;

/**
 * Lets this process collect old objects when they have doubled (decision 0034). What lives in a busy service is little, and V8
 * would let the rest lie until the machine's memory seems worth a collection. Read by V8 at every collection: it counts from
 * then on.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
