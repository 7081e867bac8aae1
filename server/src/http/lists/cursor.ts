import { createHmac, timingSafeEqual } from 'node:crypto';
import { problemOf } from '#http/validation/faults';

const MAC_BYTES = 16;

/** The list that a cursor belongs to: a cursor of another list, tenant or filter is refused. */
export interface ListIdentity {
  readonly name: string;
  readonly tenantId: string;
  readonly filter: Readonly<Record<string, string | number | boolean | undefined>>;
}

/** An opaque pointer behind the item `lastId` (hex, with or without dashes): its bytes and a MAC over them and the list. */
export function makeCursor(cursorKey: string, list: ListIdentity, lastId: string): string {
  const id = Buffer.from(lastId.replaceAll('-', ''), 'hex');
  return Buffer.concat([id, macOf(cursorKey, list, id)]).toString('base64url');
}

/**
 * The id that a cursor points behind: a UUID with its dashes, anything else as hex.
 * @throws ApiProblem validation_failed when this list, with these filters, did not give it out
 */
export function readCursor(cursorKey: string, list: ListIdentity, cursor: string): string {
  const bytes = Buffer.from(cursor, 'base64url');
  const end = Math.max(0, bytes.length - MAC_BYTES);
  const id = bytes.subarray(0, end);
  const mac = bytes.subarray(end);
  if (mac.length !== MAC_BYTES || !timingSafeEqual(mac, macOf(cursorKey, list, id))) {
    const message = 'cursor was not given out by this list with these filters; start again without it.';
    throw problemOf([{ path: 'query.cursor', message }]);
  }
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function macOf(cursorKey: string, list: ListIdentity, id: Buffer): Buffer {
  const filter = Object.entries(list.filter)
    .filter(([, value]) => value !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1));
  const mac = createHmac('sha256', cursorKey)
    .update(JSON.stringify([list.name, list.tenantId, filter]))
    .update(id);
  return mac.digest().subarray(0, MAC_BYTES);
}
