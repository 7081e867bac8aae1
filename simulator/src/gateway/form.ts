/** Forms with bracket keys, as the payment gateway's clients write them: `items[0][price]=p` and `expand[]=customer`. */
import { GatewayFault } from './gateway-fault.ts';

export type FormObject = { readonly [key: string]: FormValue };
export type FormValue = string | FormObject | readonly FormValue[];

type Node = Map<string, Node | string>;

const MAX_DEPTH = 8;
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

/** The members of a form or a query; numbers and booleans stay texts. */
export function parseForm(text: string): FormObject {
  const root: Node = new Map();
  for (const [key, value] of new URLSearchParams(text)) place(root, pathOf(key), value);
  const form = build(root);
  return typeof form === 'object' && !Array.isArray(form) ? (form as FormObject) : {};
}

function pathOf(key: string): readonly string[] {
  const [first = '', ...rest] = key.split('[').map((part) => part.replace(/\]$/, ''));
  const path = [first, ...rest];
  if (path.length > MAX_DEPTH || path.some((part) => FORBIDDEN.has(part))) {
    throw new GatewayFault(400, 'invalid_request_error', `Received unknown parameter: ${key}`, { param: key });
  }
  return path;
}

function place(node: Node, [first = '', ...rest]: readonly string[], value: string): void {
  // Empty brackets mean the next place of the array.
  const key = first === '' ? String(node.size) : first;
  if (rest.length === 0) {
    node.set(key, value);
    return;
  }
  const inner = node.get(key);
  const next: Node = inner instanceof Map ? inner : new Map();
  node.set(key, next);
  place(next, rest, value);
}

function build(node: Node | string): FormValue {
  if (typeof node === 'string') return node;
  const entries = [...node].map(([key, value]): [string, FormValue] => [key, build(value)]);
  const isList = entries.length > 0 && entries.every(([key], i) => key === String(i));
  return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}

/** A member that is an object; empty when it is absent or something else. */
export function objectIn(form: FormObject, key: string): FormObject {
  const value = form[key];
  return value !== undefined && typeof value === 'object' && !Array.isArray(value) ? (value as FormObject) : {};
}

/** A member that is a list of objects; empty when it is absent. */
export function objectsIn(form: FormObject, key: string): readonly FormObject[] {
  const value = form[key];
  const list: readonly FormValue[] = Array.isArray(value) ? value : [];
  return list.filter((one): one is FormObject => typeof one === 'object' && !Array.isArray(one));
}

/** A member that is a text; null when it is absent or empty. */
export function textIn(form: FormObject, key: string): string | null {
  const value = form[key];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** A text that must be there; `param` is its whole name. */
export function requiredIn(form: FormObject, key: string, param = key): string {
  const value = textIn(form, key);
  if (value !== null) return value;
  throw new GatewayFault(400, 'invalid_request_error', `Missing required param: ${param}.`, {
    code: 'parameter_missing',
    param,
  });
}

/** A whole number, in the smallest unit of its currency when it is an amount. */
export function integerIn(form: FormObject, key: string, param: string, fallback?: number): number {
  const value = textIn(form, key);
  if (value === null && fallback !== undefined) return fallback;
  const number = Number(value ?? requiredIn(form, key, param));
  if (Number.isInteger(number) && number >= 0) return number;
  throw new GatewayFault(400, 'invalid_request_error', `Invalid integer: ${String(value)}`, {
    code: 'parameter_invalid_integer',
    param,
  });
}

/** The caller's own data. */
export function metadataIn(form: FormObject): FormObject {
  return objectIn(form, 'metadata');
}
