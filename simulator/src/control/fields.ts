/** Reads the JSON bodies and query strings of the control plane; every fault is a sentence. */
import { isJsonObject, type JsonObject, parseJsonObject } from '../json.ts';

/** A fault in the caller's input; its message is the answer. */
export class InputError extends Error {}

/** The body as an object; an empty body counts as `{}`. */
export function readObject(text: string): JsonObject {
  if (text.trim() === '') return {};
  const body = parseJsonObject(text);
  if (body === null) throw new InputError('The body must be a JSON object.');
  return body;
}

export function refuseUnknown(body: JsonObject, known: readonly string[], where = 'the body'): void {
  const unknown = Object.keys(body).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    throw new InputError(`Unknown field "${unknown}" in ${where}; known fields: ${known.join(', ')}.`);
  }
}

export function optionalString(body: JsonObject, key: string): string | undefined {
  const value = body[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || value === '') throw new InputError(`"${key}" must be a string that is not empty.`);
  return value;
}

export function optionalBoolean(body: JsonObject, key: string): boolean | undefined {
  const value = body[key];
  if (value === undefined) return undefined;
  if (typeof value !== 'boolean') throw new InputError(`"${key}" must be true or false.`);
  return value;
}

export function optionalNumber(body: JsonObject, key: string, min: number, max: number): number | undefined {
  const value = body[key];
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !(value >= min && value <= max)) {
    throw new InputError(`"${key}" must be a number from ${min} to ${max}.`);
  }
  return value;
}

export function optionalInteger(body: JsonObject, key: string, min: number, max: number): number | undefined {
  const value = optionalNumber(body, key, min, max);
  if (value !== undefined && !Number.isInteger(value)) throw new InputError(`"${key}" must be a whole number.`);
  return value;
}

/** The array of objects under `key`; absent: an empty one. */
export function objectList(body: JsonObject, key: string): readonly JsonObject[] {
  const value = body[key];
  if (value === undefined) return [];
  if (!Array.isArray(value) || !value.every(isJsonObject))
    throw new InputError(`"${key}" must be an array of objects.`);
  return value;
}

/** An http or https address. */
export function httpUrl(text: string, key: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new InputError(`"${key}" must be an http or https address.`);
  }
  return text;
}

export function queryInteger(query: URLSearchParams, key: string, fallback: number, max: number): number {
  const text = query.get(key);
  if (text === null) return fallback;
  if (!/^[0-9]{1,10}$/.test(text) || Number(text) > max)
    throw new InputError(`"${key}" must be a whole number from 0 to ${max}.`);
  return Number(text);
}
