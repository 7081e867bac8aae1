import { isJsonList, type JsonValue } from '#core/json';

export const ATTRIBUTE_TYPES = ['text', 'number', 'boolean', 'date', 'list'] as const;
export type AttributeType = (typeof ATTRIBUTE_TYPES)[number];
/** Types of a tenant's attributes by their key. A definition is never changed and never removed. */
export type AttributeTypes = ReadonlyMap<string, AttributeType>;
export const NO_ATTRIBUTES: AttributeTypes = new Map();

const MAX_TEXT = 1000;
const MAX_ITEMS = 100;

/** What is wrong with a value, to complete "attributes.key …"; null when it fits its type, or takes a value away. */
export function attributeFault(type: AttributeType | undefined, value: JsonValue): string | null {
  if (type === undefined) return 'is not defined; define it at /v1/contact-attributes first';
  if (value === null) return null;
  switch (type) {
    case 'text':
      return isText(value) ? null : `must be a string of 1 to ${MAX_TEXT} characters`;
    case 'number':
      return typeof value === 'number' ? null : 'must be a number';
    case 'boolean':
      return typeof value === 'boolean' ? null : 'must be true or false';
    case 'date':
      return isDate(value) ? null : 'must be a date as 2030-01-31, of the years 0001 to 9999';
    case 'list':
      return isList(value) ? null : `must be an array of at most ${MAX_ITEMS} strings`;
    default:
      return type satisfies never;
  }
}

function isText(value: JsonValue): boolean {
  return typeof value === 'string' && value !== '' && value.length <= MAX_TEXT;
}

/** The calendar of the database has no year 0. */
function isDate(value: JsonValue): boolean {
  if (typeof value !== 'string' || !/^(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

function isList(value: JsonValue): boolean {
  return isJsonList(value) && value.length <= MAX_ITEMS && value.every(isText);
}
