import { parsePhone } from '#core/phone/phone';
import { parseRecipient } from '#core/phone/recipient';
import { problemOf } from '#http/validation/faults';
import { parseRfc3339 } from '#http/validation/rfc3339';

/** An optional time of the query in milliseconds. The schema has checked its form. */
export function optionalTimeMs(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return parseRfc3339(text) ?? undefined;
}

/** What `periodQuery` bounds a list to, in milliseconds. */
export function periodFilter(query: { readonly created_after?: string; readonly created_before?: string }) {
  return {
    createdAfterMs: optionalTimeMs(query.created_after),
    createdBeforeMs: optionalTimeMs(query.created_before),
  };
}

/**
 * A number of the query as it is stored: digits only. A + arrives as a space when the caller did not encode it.
 * @throws ApiProblem validation_failed when it cannot be a number
 */
export function phoneFilter(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const parsed = parsePhone(text.trim());
  if (!parsed.ok) throw problemOf([{ path: `query.${name}`, message: `${name} ${parsed.reason}.` }]);
  return parsed.phone;
}

/** The same for a recipient: a number, or a user id of the network. */
export function recipientFilter(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const read = parseRecipient(text.trim());
  if (!read.ok) throw problemOf([{ path: `query.${name}`, message: `${name} ${read.reason}.` }]);
  return read.recipient;
}

/** A sender: a number, or the network's user id of someone who shows no number. */
export function senderFilter(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const parsed = parsePhone(text.trim());
  return parsed.ok ? parsed.phone : text;
}

/** Only what is given: an absent filter is an absent property. */
export function givenOnly<T extends object>(filter: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
