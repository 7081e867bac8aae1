import { listTenants } from '#access/store/tenants';
import { CliError, EXIT } from '#cli/exit';
import { isUuid, type TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { OperatorError } from '#core/operator-error';
import { parseNetwork } from '#core/public-address';
import type { Database } from '#database/database';

/** @throws CliError (usage) when it is missing or no text */
export function inputText(input: JsonObject, name: string): string {
  const value = input[name];
  if (typeof value !== 'string' || value === '') throw new CliError(EXIT.usage, `${name} is required.`);
  return value;
}

/** Null when it is not given. */
export function optionalText(input: JsonObject, name: string): string | null {
  return input[name] === undefined || input[name] === null ? null : inputText(input, name);
}

/** Null when it is not given. @throws CliError (usage) outside `min` to `max` or not whole */
export function optionalWhole(
  input: JsonObject,
  name: string,
  range: { readonly min: number; readonly max: number },
): number | null {
  const value = input[name] ?? null;
  if (value === null) return null;
  const inRange = typeof value === 'number' && Number.isInteger(value) && value >= range.min && value <= range.max;
  if (!inRange) throw new CliError(EXIT.usage, `${name} must be a whole number from ${range.min} to ${range.max}.`);
  return value;
}

/** One of these texts; null when it is not given. @throws CliError (usage) for anything else */
export function optionalChoice<T extends string>(input: JsonObject, name: string, choices: readonly T[]): T | null {
  const given = optionalText(input, name);
  const found = choices.find((choice) => choice === given);
  if (given === null || found !== undefined) return found ?? null;
  throw new CliError(EXIT.usage, `${name} must be ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}.`);
}

/** A time in milliseconds; null when it is not given. @throws CliError (usage) for what is none */
export function optionalTime(input: JsonObject, name: string): number | null {
  const given = optionalText(input, name);
  const ms = given === null ? null : Date.parse(given);
  if (Number.isNaN(ms)) throw new CliError(EXIT.usage, `${name} must be a time such as 2026-12-31T00:00:00Z.`);
  return ms;
}

/** A list of texts; empty when it is not given. */
export function textsOf(input: JsonObject, name: string): readonly string[] {
  const value = input[name] ?? [];
  const texts = Array.isArray(value) ? value.filter((item) => typeof item === 'string') : null;
  if (texts === null) throw new CliError(EXIT.usage, `${name} must be an array of strings.`);
  return texts;
}

/** A list of addresses and networks; empty when it is not given. @throws CliError (usage) naming what is neither */
export function networksOf(input: JsonObject, name: string): readonly string[] {
  const given = textsOf(input, name);
  const wrong = given.find((text) => parseNetwork(text) === null);
  if (wrong === undefined) return given;
  throw new CliError(EXIT.usage, `"${wrong}" is not an address or a network such as 198.51.100.0/24.`);
}

/**
 * The tenant that a command means: by id, by a name that only one has, or the only one there is.
 * @throws CliError (usage) when several could be meant, OperatorError when there is none
 */
export async function tenantOf(db: Database, input: JsonObject): Promise<TenantId> {
  const wanted = optionalText(input, 'tenant');
  const tenants = await listTenants(db);
  const fitting =
    wanted === null ? tenants : tenants.filter((tenant) => (isUuid(wanted) ? tenant.tenantId : tenant.name) === wanted);
  const [first, second] = fitting;
  if (second && wanted === null) throw new CliError(EXIT.usage, 'There are several tenants. Name one with --tenant.');
  if (second) throw new CliError(EXIT.usage, `Several tenants are called "${wanted}": give the id of one.`);
  if (first) return first.tenantId;
  const advice =
    wanted === null
      ? 'There is no tenant yet. Create one with "postrider tenants create".'
      : `There is no tenant "${wanted}".`;
  throw new OperatorError(advice);
}

/** The tenant that is named, also when there is only one. */
export function namedTenant(db: Database, input: JsonObject): Promise<TenantId> {
  return tenantOf(db, { tenant: inputText(input, 'tenant') });
}

/** The tenant that is named, if one is; null: all are meant. */
export async function tenantIfNamed(db: Database, input: JsonObject): Promise<TenantId | null> {
  return optionalText(input, 'tenant') === null ? null : tenantOf(db, input);
}

/** The values that are not null: a change of what is named, and of nothing else. */
export function withoutNulls<T extends object>(values: { readonly [Name in keyof T]: T[Name] | null }): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as Partial<T>;
}

/** RFC 3339 with milliseconds, as the API shows times; null stays null. */
export function timeText(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
