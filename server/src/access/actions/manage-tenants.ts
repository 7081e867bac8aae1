import { randomBytes } from 'node:crypto';
import { type AuditEntry, OPERATOR } from '#access/domain/audit';
import { findApiKey, lockKeysOf } from '#access/store/api-keys';
import {
  findTenant,
  insertTenant,
  setTenantPart,
  settingOnce,
  setWindowRule,
  type WindowRule,
} from '#access/store/tenants';
import type { KeyId, TenantId } from '#core/ids';
import { OperatorError } from '#core/operator-error';
import { hasNumbers } from '#core/phone/number-plan';
import type { Database, Transaction } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import { audit } from './audit.ts';
import { createKeyIn, isUsable, type KeyFields, revokeKeyIn, rotateKeyIn } from './key-changes.ts';

const MAX_NAME = 200;
/** Most tenants prefer a duplicate to a lost message, but not many duplicates. */
const DEFAULT_UNKNOWN_RESENDS = 1;
const MAX_UNKNOWN_RESENDS = 2;

export async function createTenant(
  rt: Runtime,
  db: Database,
  input: { readonly name: string; readonly unknownResends?: number } & Partial<WindowRule>,
): Promise<TenantId> {
  const name = input.name.trim();
  if (name === '' || name.length > MAX_NAME)
    throw new OperatorError(`A tenant has a name of 1 to ${MAX_NAME} characters.`);
  const tenantId = rt.newId<TenantId>();
  const { unknownResends = DEFAULT_UNKNOWN_RESENDS, windowPolicy = 'network', fallback = null } = input;
  requireResends(unknownResends);
  requireFallback({ windowPolicy, fallback });
  const tenant = { tenantId, name, unknownResends, windowPolicy, fallback, createdMs: rt.clock.now() };
  await db.transaction(async (tx) => {
    await insertTenant(tx, tenant);
    const details = { name, unknown_resends: unknownResends, ...windowDetails({ windowPolicy, fallback }) };
    await audit(rt, tx, { tenantId, origin: OPERATOR, action: 'tenant.created', targetId: tenantId, details });
  });
  return tenantId;
}

/** Another rule for free-form messages outside the 24-hour window; it counts everywhere within 2 seconds. */
export async function changeWindowRule(
  rt: Runtime,
  db: Database,
  { tenantId, rule }: { readonly tenantId: TenantId; readonly rule: WindowRule },
): Promise<void> {
  requireFallback(rule);
  await changeTenant(rt, db, { tenantId, details: windowDetails(rule) }, (tx) => setWindowRule(tx, tenantId, rule));
}

/** Another number of copies while the outcome of a send is unknown; it counts from the next decision on. */
export async function changeUnknownResends(
  rt: Runtime,
  db: Database,
  { tenantId, unknownResends }: { readonly tenantId: TenantId; readonly unknownResends: number },
): Promise<void> {
  requireResends(unknownResends);
  const details = { unknown_resends: unknownResends };
  await changeTenant(rt, db, { tenantId, details }, (tx) =>
    setTenantPart(tx, tenantId, 'unknownResends', unknownResends),
  );
}

/** @throws OperatorError when the tenant does not exist */
async function changeTenant(
  rt: Runtime,
  db: Database,
  change: Pick<AuditEntry, 'tenantId' | 'details'>,
  set: (tx: Transaction) => Promise<boolean>,
): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await set(tx))) throw new OperatorError('The tenant does not exist.');
    await audit(rt, tx, { ...change, origin: OPERATOR, action: 'tenant.changed', targetId: change.tenantId });
  });
}

function requireResends(resends: number): void {
  if (!Number.isInteger(resends) || resends < 0 || resends > MAX_UNKNOWN_RESENDS)
    throw new OperatorError(`unknown_resends must be a number from 0 to ${MAX_UNKNOWN_RESENDS}.`);
}

const TEMPLATE_NAME = /^[a-z0-9_]{1,512}$/;
const LANGUAGE = /^[a-z]{2,3}([_-][A-Za-z0-9]+)*$/;

function requireFallback({ windowPolicy, fallback }: WindowRule): void {
  if (windowPolicy === 'template' && fallback === null)
    throw new OperatorError('The window policy template needs a fallback template, such as hello_again:en_US.');
  if (fallback !== null && !(TEMPLATE_NAME.test(fallback.name) && LANGUAGE.test(fallback.language)))
    throw new OperatorError(
      'A fallback template consists of the name and language of a template, such as hello_again:en_US.',
    );
}

function windowDetails({ windowPolicy, fallback }: WindowRule) {
  return {
    window_policy: windowPolicy,
    fallback_template: fallback === null ? null : `${fallback.name}:${fallback.language}`,
  };
}

type KeyLimits = Pick<KeyFields, 'ratePerSecond' | 'agentId' | 'allowedIps' | 'phoneNumberIds'>;
/**
 * Where keys of a tenant may be used from, whatever a key itself allows; takes effect everywhere within 2 seconds.
 * @param allowedIps addresses and networks; empty: anywhere
 */
export async function allowAddresses(
  rt: Runtime,
  db: Database,
  { tenantId, allowedIps }: { readonly tenantId: TenantId; readonly allowedIps: readonly string[] },
): Promise<void> {
  const details = { allowed_ips: [...allowedIps] };
  await changeTenant(rt, db, { tenantId, details }, (tx) => setTenantPart(tx, tenantId, 'allowedIps', allowedIps));
}

/**
 * Which countries a tenant may write to; takes effect everywhere within 2 seconds, for messages that are accepted from
 * then on.
 * @param allowedCountries ISO 3166 codes; empty: any
 * @throws OperatorError for an unknown country code, or when the tenant does not exist
 */
export async function allowCountries(
  rt: Runtime,
  db: Database,
  { tenantId, allowedCountries }: { readonly tenantId: TenantId; readonly allowedCountries: readonly string[] },
): Promise<void> {
  const wrong = allowedCountries.find((code) => !hasNumbers(code));
  if (wrong !== undefined) throw new OperatorError(`"${wrong}" is not a country with phone numbers, such as DE or BR.`);
  const details = { allowed_countries: [...allowedCountries] };
  await changeTenant(rt, db, { tenantId, details }, (tx) =>
    setTenantPart(tx, tenantId, 'allowedCountries', allowedCountries),
  );
}

/** Without a rate: the configured default. Without other limits: none. */
export type NewKeyInput = Omit<KeyFields, keyof KeyLimits> & Partial<KeyLimits>;
export const NO_LIMITS: KeyLimits = { ratePerSecond: null, agentId: null, allowedIps: [], phoneNumberIds: [] };

/** The key is in `key`, this once; only its hash is stored. */
export async function createApiKey(
  rt: Runtime,
  db: Database,
  input: NewKeyInput,
): Promise<{ readonly key: string; readonly keyId: KeyId }> {
  await requireTenant(db, input.tenantId);
  const fields: KeyFields = { ...NO_LIMITS, ...input };
  const { key, record } = await db.transaction((tx) => createKeyIn(rt, tx, fields, OPERATOR));
  return { key, keyId: record.keyId };
}

/** A new key with the rights of an old one, which works for `overlapMs` more. */
export async function rotateApiKey(
  rt: Runtime,
  db: Database,
  input: { readonly tenantId: TenantId; readonly keyId: KeyId; readonly overlapMs: number },
): Promise<{ readonly key: string; readonly keyId: KeyId; readonly oldEndsMs: number }> {
  return db.transaction(async (tx) => {
    await lockKeysOf(tx, input.tenantId);
    const old = await findApiKey(tx, input.tenantId, input.keyId);
    if (old === null || !isUsable(old, rt.clock.now())) throw new OperatorError('No working key matches this.');
    const made = await rotateKeyIn(rt, tx, { old, overlapMs: input.overlapMs, origin: OPERATOR, latestEndMs: null });
    return { key: made.key, keyId: made.record.keyId, oldEndsMs: made.oldEndsMs };
  });
}

/** Stops working everywhere within 2 seconds. */
export async function revokeApiKey(
  rt: Runtime,
  db: Database,
  key: { readonly tenantId: TenantId; readonly keyId: KeyId },
): Promise<void> {
  const ended = await db.transaction((tx) => revokeKeyIn(rt, tx, { ...key, origin: OPERATOR }));
  if (!ended) throw new OperatorError('No working key matches this.');
}

/** @throws OperatorError when there is none of this id */
export async function requireTenant(db: Database, tenantId: TenantId): Promise<void> {
  if (!(await findTenant(db, tenantId))) throw new OperatorError('The tenant does not exist.');
}

/** A secret of this installation, made at the first start and shared by all of its processes. */
export async function installationSecret(db: Database, name: 'echo_key' | 'cursor_key' | 'link_key'): Promise<string> {
  return settingOnce(db, name, randomBytes(32).toString('base64'));
}
