import { type NetworkError, networkError } from '../../graph/errors.ts';
import type { JsonObject } from '../../json.ts';
import { checkKeys, checkOptionalString } from './text.ts';

// The network states no bound; this one keeps a place readable.
const MAX_PLACE = 1000;

/** A place: in messages, and in the header of a template. */
export function checkLocation(payload: JsonObject): NetworkError | null {
  for (const [name, bound] of [
    ['latitude', 90],
    ['longitude', 180],
  ] as const) {
    const value = payload[name];
    if (value === undefined) return networkError(131008, `Parameter location['${name}'] is required.`);
    const degrees = typeof value === 'string' && value !== '' ? Number(value) : value;
    if (typeof degrees !== 'number' || !(Math.abs(degrees) <= bound)) {
      return networkError(131009, `Param location['${name}'] must be a number from -${bound} to ${bound}.`);
    }
  }
  return (
    checkKeys('location', payload, ['latitude', 'longitude', 'name', 'address']) ??
    checkOptionalString("location['name']", payload.name, MAX_PLACE) ??
    checkOptionalString("location['address']", payload.address, MAX_PLACE)
  );
}
