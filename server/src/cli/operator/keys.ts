import { hashKey } from '#access/actions/authenticate';
import { createApiKey, revokeApiKey, rotateApiKey } from '#access/actions/manage-tenants';
import { type ApiKey, findUsableKey, listApiKeys } from '#access/store/api-keys';
import { listPhoneNumbers } from '#accounts/store/phone-numbers';
import { CliError, EXIT } from '#cli/exit';
import { scopeNames } from '#core/caller/scopes';
import { isUuid, type KeyId, type TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { OperatorError } from '#core/operator-error';
import type { Database } from '#database/database';
import type { OperatorCommand, OperatorDeps } from './command.ts';
import { inputText, networksOf, optionalText, optionalWhole, tenantOf, textsOf, timeText } from './input.ts';

const YEAR_S = 366 * 24 * 60 * 60;
/** Long enough to roll a key out by hand, short enough not to be forgotten. */
const DEFAULT_OVERLAP_S = 60 * 60;
const MAX_RATE = 100_000;
const DEFAULT_NAME = 'made by the operator';

export const createKeyCommand: OperatorCommand = async ({ rt, db }, input) => {
  const mode = optionalText(input, 'mode') ?? 'live';
  if (mode !== 'live' && mode !== 'test') throw new CliError(EXIT.usage, 'mode must be live or test.');
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
};

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

export const listKeysCommand: OperatorCommand = async ({ rt, db }, input) => {
  const keys = await listApiKeys(db, await tenantOf(db, input));
  return { data: keys.map((key) => presentKey(key, rt.clock.now())) };
};

export const rotateKeyCommand: OperatorCommand = async (deps, input) => {
  const overlapS = optionalWhole(input, 'overlap_s', { min: 0, max: YEAR_S }) ?? DEFAULT_OVERLAP_S;
  const old = await keyOf(deps, input);
  const fresh = await rotateApiKey(deps.rt, deps.db, { ...old, overlapMs: overlapS * 1000 });
  return {
    id: fresh.keyId,
    key: fresh.key,
    tenant: old.tenantId,
    replaces: old.keyId,
    old_works_until: timeText(fresh.oldEndsMs),
  };
};

export const revokeKeyCommand: OperatorCommand = async (deps, input) => {
  const key = await keyOf(deps, input);
  await revokeApiKey(deps.rt, deps.db, key);
  return { id: key.keyId, tenant: key.tenantId, status: 'revoked' };
};

/** A key by its id, or by itself: whoever holds a leaked key need not look up its id first. */
async function keyOf(
  { rt, db }: OperatorDeps,
  input: JsonObject,
): Promise<{ readonly tenantId: TenantId; readonly keyId: KeyId }> {
  const named = inputText(input, 'key');
  if (isUuid(named)) return { tenantId: await tenantOf(db, input), keyId: named as KeyId };
  const found = await findUsableKey(db, hashKey(named), rt.clock.now());
  if (!found)
    throw new OperatorError('There is no such working key; give its id from "postrider keys list", or the key itself.');
  return { tenantId: found.tenantId, keyId: found.keyId };
}

function presentKey(key: ApiKey, nowMs: number): JsonObject {
  const {
    keyId,
    name,
    mode,
    hint,
    scopes,
    ratePerSecond,
    allowedIps,
    phoneNumberIds,
    createdMs,
    expiresMs,
    revokedMs,
    lastUsedMs,
  } = key;
  return {
    id: keyId,
    name,
    mode,
    hint,
    status: keyStatus(key, nowMs),
    scopes,
    rate_per_second: ratePerSecond,
    allowed_ips: allowedIps,
    phone_number_ids: phoneNumberIds,
    created_at: timeText(createdMs),
    expires_at: timeText(expiresMs),
    revoked_at: timeText(revokedMs),
    last_used_at: timeText(lastUsedMs),
  };
}

function keyStatus({ revokedMs, expiresMs }: ApiKey, nowMs: number): string {
  if (revokedMs !== null) return 'revoked';
  return expiresMs !== null && expiresMs <= nowMs ? 'expired' : 'active';
}
