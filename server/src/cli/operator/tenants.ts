import {
  allowAddresses,
  allowCountries,
  changeUnknownResends,
  changeWindowRule,
  createTenant,
} from '#access/actions/manage-tenants';
import { resumeTenant, suspendTenant } from '#access/actions/suspend-tenant';
import { findTenant, listTenants, type Tenant, type WindowRule, windowPolicies } from '#access/store/tenants';
import { CliError, EXIT } from '#cli/exit';
import type { TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { OperatorError } from '#core/operator-error';
import type { Database } from '#database/database';
import { beginDeletion } from '#maintenance/actions/delete-tenant';
import type { OperatorCommand } from './command.ts';
import { inputText, networksOf, optionalText, tenantOf, textsOf, timeText } from './input.ts';

export const createTenantCommand: OperatorCommand = async ({ rt, db }, input) => {
  const unknownResends = resendsOf(input);
  const tenantId = await createTenant(rt, db, {
    name: inputText(input, 'name'),
    ...(unknownResends !== null && { unknownResends }),
    ...windowRuleOf(input),
  });
  return readTenant(db, tenantId);
};

export const setTenantCommand: OperatorCommand = async ({ rt, db }, input) => {
  const tenantId = await tenantOf(db, input);
  const unknownResends = resendsOf(input);
  if (unknownResends !== null) await changeUnknownResends(rt, db, { tenantId, unknownResends });
  if (optionalText(input, 'window_policy') !== null)
    await changeWindowRule(rt, db, { tenantId, rule: windowRuleOf(input) });
  return readTenant(db, tenantId);
};

export const allowAddressesCommand: OperatorCommand = async ({ rt, db }, input) => {
  const tenantId = await tenantOf(db, input);
  await allowAddresses(rt, db, { tenantId, allowedIps: networksOf(input, 'allowed_ips') });
  return readTenant(db, tenantId);
};

export const allowCountriesCommand: OperatorCommand = async ({ rt, db }, input) => {
  const tenantId = await tenantOf(db, input);
  const allowedCountries = textsOf(input, 'allowed_countries').map((code) => code.toUpperCase());
  await allowCountries(rt, db, { tenantId, allowedCountries });
  return readTenant(db, tenantId);
};

function resendsOf(input: JsonObject): number | null {
  const text = optionalText(input, 'unknown_resends');
  if (text !== null && !/^[012]$/.test(text)) throw new CliError(EXIT.usage, 'unknown_resends must be 0, 1 or 2.');
  return text === null ? null : Number(text);
}
export const suspendTenantCommand: OperatorCommand = async ({ rt, db }, input) => {
  const tenantId = await tenantOf(db, { tenant: inputText(input, 'tenant') });
  await suspendTenant(rt, db, { tenantId, reason: optionalText(input, 'reason') });
  return readTenant(db, tenantId);
};

export const resumeTenantCommand: OperatorCommand = async ({ rt, db }, input) => {
  const tenantId = await tenantOf(db, { tenant: inputText(input, 'tenant') });
  await resumeTenant(rt, db, tenantId);
  return readTenant(db, tenantId);
};

export const deleteTenantCommand: OperatorCommand = async ({ rt, db }, input) => {
  const tenantId = await tenantOf(db, { tenant: inputText(input, 'tenant') });
  const { startedMs, removed } = await beginDeletion(rt, db, { tenantId, confirm: inputText(input, 'confirm') });
  return { id: tenantId, state: 'deleting', started_at: timeText(startedMs), removed };
};

function windowRuleOf(input: JsonObject): WindowRule {
  const wanted = optionalText(input, 'window_policy') ?? 'network';
  const windowPolicy = windowPolicies.find((policy) => policy === wanted);
  if (windowPolicy === undefined) throw new CliError(EXIT.usage, 'window_policy must be network, refuse or template.');
  const template = optionalText(input, 'fallback_template');
  if (template === null) return { windowPolicy, fallback: null };
  const [name = '', language = '', ...rest] = template.split(':');
  if (name === '' || language === '' || rest.length > 0)
    throw new CliError(EXIT.usage, 'fallback_template must be name:language, such as hello_again:en_US.');
  return { windowPolicy, fallback: { name, language } };
}

async function readTenant(db: Database, tenantId: TenantId): Promise<JsonObject> {
  const found = await findTenant(db, tenantId);
  if (found === null) throw new OperatorError('The tenant is gone again.');
  return presentTenant(found);
}

export const listTenantsCommand: OperatorCommand = async ({ db }) => {
  return { data: (await listTenants(db)).map(presentTenant) };
};

function presentTenant(tenant: Tenant): JsonObject {
  const { tenantId, name, unknownResends, windowPolicy, fallback, createdMs, state, stateReason } = tenant;
  return {
    id: tenantId,
    name,
    state,
    state_reason: stateReason,
    unknown_resends: unknownResends,
    window_policy: windowPolicy,
    fallback_template: fallback === null ? null : `${fallback.name}:${fallback.language}`,
    allowed_ips: tenant.allowedIps,
    allowed_countries: tenant.allowedCountries,
    created_at: timeText(createdMs),
  };
}
