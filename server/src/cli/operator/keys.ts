import { hashKey } from '#access/actions/authenticate';
import { createApiKey, revokeApiKey, rotateApiKey } from '#access/actions/manage-tenants';
import { type ApiKey, findUsableKey, listApiKeys } from '#access/store/api-keys';
import { listPhoneNumbers } from '#accounts/store/phone-numbers';
import type { CliContext } from '#cli/context';
import { CliError, EXIT } from '#cli/exit';
import { parseDurationS, parseWhole, splitList } from '#cli/options';
import { line, printFields, shortTime, table } from '#cli/output';
import { scopeNames } from '#core/caller/scopes';
import { isUuid, type KeyId, type TenantId } from '#core/ids';
import type { JsonObject, JsonValue } from '#core/json';
import { OperatorError } from '#core/operator-error';
import type { Database } from '#database/database';
import { type OperatorDeps, type OperatorGroup, type Parameter, TENANT } from './command.ts';
import {
  inputText,
  networksOf,
  optionalChoice,
  optionalText,
  optionalWhole,
  tenantOf,
  textsOf,
  timeText,
} from './input.ts';

const YEAR_S = 366 * 24 * 60 * 60;
/** Long enough to roll a key out by hand, short enough not to be forgotten. */
const DEFAULT_OVERLAP_S = 60 * 60;
const MAX_RATE = 100_000;
const DEFAULT_NAME = 'made by the operator';
const KEY: Parameter = ['<key>', 'ID of the key, or the key itself'];

export const keyCommands: OperatorGroup = {
  name: 'keys',
  description: 'create, list, rotate and revoke API keys',
  examples: `
A key is shown only once, when it is created. <key> is the ID of a key, or the key itself.

Examples:
  postrider keys create --tenant "Flower shop" --name "web shop"
  postrider keys create --mode test --scopes messages:write,messages:read --expires-in 90d
  postrider keys create --name branch --number 100000000000001 --allow-ip 198.51.100.0/24
  postrider keys list
  postrider keys rotate 0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01 --overlap 1h
  postrider keys revoke 0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01`,
  commands: {
    create: {
      description: 'create a key and show it once',
      options: {
        tenant: TENANT,
        name: ['--name <text>', 'what it is for'],
        mode: ['--mode <mode>', 'live or test', { fallback: 'live' }],
        scopes: ['--scopes <names>', 'scopes, comma separated; default: all', splitList],
        rate: ['--rate <number>', 'requests per second; 0: no limit; default: the configured rate', parseWhole],
        allowed_ips: [
          '--allow-ip <networks>',
          'addresses and networks it may be used from, comma separated; default: any',
          splitList,
        ],
        phone_number_ids: [
          '--number <ids>',
          'sending numbers that it is limited to, comma separated; default: all',
          splitList,
        ],
        expires_in_s: ['--expires-in <time>', 'when it expires, such as 90d or 12h', parseDurationS],
      },
      work: createKey,
      show: (ctx, made) => showMade(ctx, made, [['expires', made.expires_at && shortTime(made.expires_at)]]),
    },
    list: {
      description: 'list the keys of a tenant',
      options: { tenant: TENANT },
      work: async ({ rt, db }, input) => {
        const keys = await listApiKeys(db, await tenantOf(db, input));
        return { data: keys.map((key) => presentKey(key, rt.clock.now())) };
      },
      show: table('This tenant has no key yet. Create one with "postrider keys create".', [
        { title: 'ID', value: (row) => row.id },
        { title: 'KEY', value: (row) => row.hint },
        { title: 'STATUS', value: (row) => row.status },
        { title: 'NAME', value: (row) => row.name, flexible: true },
        { title: 'LAST USED (UTC)', value: (row) => shortTime(row.last_used_at).slice(0, 16) },
      ]),
    },
    rotate: {
      description: 'replace a key with one that has the same rights; the old one works for a while longer',
      arguments: { key: KEY },
      options: {
        tenant: TENANT,
        overlap_s: [
          '--overlap <time>',
          'how long the old key keeps working, such as 30m or 7d; default: 1h',
          parseDurationS,
        ],
      },
      work: async (deps, input) => {
        const overlapS = optionalWhole(input, 'overlap_s', { min: 0, max: YEAR_S }) ?? DEFAULT_OVERLAP_S;
        const { tenantId, keyId } = await keyOf(deps, input);
        const fresh = await rotateApiKey(deps.rt, deps.db, { tenantId, keyId, overlapMs: overlapS * 1000 });
        const made = { id: fresh.keyId, key: fresh.key, tenant: tenantId };
        return { ...made, replaces: keyId, old_works_until: timeText(fresh.oldEndsMs) };
      },
      show: (ctx, made) =>
        showMade(ctx, made, [
          ['replaces', made.replaces],
          ['old key expires', `${shortTime(made.old_works_until)} UTC`],
        ]),
    },
    revoke: {
      description: 'revoke a key; it stops working everywhere within 2 seconds',
      arguments: { key: KEY },
      options: { tenant: TENANT },
      work: async (deps, input) => {
        const key = await keyOf(deps, input);
        await revokeApiKey(deps.rt, deps.db, key);
        return { id: key.keyId, tenant: key.tenantId, status: 'revoked' };
      },
      show: line(({ id }) => `Key ${id} is revoked; it stops working everywhere within 2 seconds.`),
    },
  },
};

async function createKey({ rt, db }: OperatorDeps, input: JsonObject): Promise<JsonObject> {
  const mode = optionalChoice(input, 'mode', ['live', 'test']) ?? 'live';
  const tenantId = await tenantOf(db, input);
  const expiresInS = optionalWhole(input, 'expires_in_s', { min: 1, max: 10 * YEAR_S });
  const expiresMs = expiresInS === null ? null : rt.clock.now() + expiresInS * 1000;
  const name = optionalText(input, 'name') ?? DEFAULT_NAME;
  const scopes = scopesOf(input);
  const ratePerSecond = optionalWhole(input, 'rate', { min: 0, max: MAX_RATE });
  const allowedIps = networksOf(input, 'allowed_ips');
  const phoneNumberIds = await numbersOf(db, tenantId, input);
  const limits = { allowedIps, phoneNumberIds };
  const made = await createApiKey(rt, db, { tenantId, name, mode, scopes, ratePerSecond, expiresMs, ...limits });
  return {
    id: made.keyId,
    key: made.key,
    tenant: tenantId,
    name,
    mode,
    scopes,
    rate_per_second: ratePerSecond,
    allowed_ips: allowedIps,
    phone_number_ids: phoneNumberIds,
    expires_at: timeText(expiresMs),
  };
}

async function numbersOf(db: Database, tenantId: TenantId, input: JsonObject): Promise<readonly string[]> {
  const wanted = textsOf(input, 'phone_number_ids');
  const own = new Set<string>((await listPhoneNumbers(db, tenantId)).map(({ phoneNumberId }) => phoneNumberId));
  const unknown = wanted.find((id) => !own.has(id));
  if (unknown !== undefined) throw new OperatorError(`${unknown} does not name a sending number of this tenant.`);
  return wanted;
}

function scopesOf(input: JsonObject): readonly string[] {
  const given = textsOf(input, 'scopes');
  const unknown = given.find((scope) => !scopeNames.some((name) => name === scope));
  if (unknown !== undefined)
    throw new CliError(EXIT.usage, `"${unknown}" is not a scope; the scopes are ${scopeNames.join(', ')}.`);
  return given;
}

/** A key by its id, or by itself: whoever holds a leaked key need not look up its id first. */
async function keyOf(
  { rt, db }: OperatorDeps,
  input: JsonObject,
): Promise<{ readonly tenantId: TenantId; readonly keyId: KeyId }> {
  const named = inputText(input, 'key');
  if (isUuid(named)) return { tenantId: await tenantOf(db, input), keyId: named as KeyId };
  const found = await findUsableKey(db, hashKey(named), rt.clock.now());
  if (!found)
    throw new OperatorError('No working key matches this. Give its ID from "postrider keys list", or the key itself.');
  return { tenantId: found.tenantId, keyId: found.keyId };
}

function presentKey(key: ApiKey, nowMs: number): JsonObject {
  return {
    id: key.keyId,
    name: key.name,
    mode: key.mode,
    hint: key.hint,
    status: keyStatus(key, nowMs),
    scopes: key.scopes,
    rate_per_second: key.ratePerSecond,
    allowed_ips: key.allowedIps,
    phone_number_ids: key.phoneNumberIds,
    created_at: timeText(key.createdMs),
    expires_at: timeText(key.expiresMs),
    revoked_at: timeText(key.revokedMs),
    last_used_at: timeText(key.lastUsedMs),
  };
}

function keyStatus({ revokedMs, expiresMs }: ApiKey, nowMs: number): string {
  if (revokedMs !== null) return 'revoked';
  return expiresMs !== null && expiresMs <= nowMs ? 'expired' : 'active';
}

function showMade(ctx: CliContext, made: JsonObject, own: readonly (readonly [string, JsonValue | undefined])[]): void {
  const { key, id, tenant, name } = made;
  printFields(ctx, [...Object.entries({ key, id, tenant, name }), ...own]);
  ctx.stdout.write('The key is shown only this once.\n');
}
