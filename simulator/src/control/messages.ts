import { normalisePhone } from '../recipient.ts';
import type { Simulation } from '../simulation.ts';
import { type ControlAnswer, type ControlCall, ok } from './answer.ts';
import { InputError, queryInteger } from './fields.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 10_000;
const MAX_OFFSET = 4_000_000_000;
const KNOWN = ['limit', 'offset', 'to', 'phone_number_id'];

/** `GET /_sim/messages`: accepted sends in accept order, the oldest first. */
export function getMessages(sim: Simulation, call: ControlCall): ControlAnswer {
  const query = new URL(call.url, 'http://simulator').searchParams;
  const unknown = [...query.keys()].find((key) => !KNOWN.includes(key));
  if (unknown !== undefined) throw new InputError(`Unknown parameter "${unknown}"; known: ${KNOWN.join(', ')}.`);
  const limit = queryInteger(query, 'limit', DEFAULT_LIMIT, MAX_LIMIT);
  const offset = queryInteger(query, 'offset', 0, MAX_OFFSET);
  const to = query.get('to');
  const phoneNumberId = query.get('phone_number_id');
  const filter = {
    // In a query string an unescaped plus arrives as a space; both are tolerated in a phone number.
    ...(to === null ? {} : { to: normalisePhone(to) ?? to }),
    ...(phoneNumberId === null ? {} : { phoneNumberId }),
  };
  const { lines, total } = sim.ledger.page(filter, offset, limit);
  return { ...ok(pageBody(lines, { limit, offset, total })), contentType: 'application/json; charset=utf-8' };
}

/** The ledger's lines are JSON already, so the page is their bytes with commas between them. */
function pageBody(lines: readonly Buffer[], page: Readonly<Record<string, number>>): Buffer {
  const parts: Buffer[] = [Buffer.from('{"data":[')];
  for (const [i, line] of lines.entries()) {
    if (i > 0) parts.push(COMMA);
    parts.push(line);
  }
  parts.push(Buffer.from(`],"page":${JSON.stringify(page)}}`));
  return Buffer.concat(parts);
}

const COMMA = Buffer.from(',');
