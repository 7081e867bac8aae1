import type { JsonObject } from '#core/json';
import { createTenant, listTenants, OperatorError, type Tenant } from '#operations/manage-tenants';
import { CliError, EXIT } from '../exit.ts';
import type { OperatorCommand } from './command.ts';
import { optionalText, textOf, timeText } from './input.ts';

export const createTenantCommand: OperatorCommand = async ({ rt, db }, input) => {
  const onUnknown = optionalText(input, 'on_unknown') ?? 'resend';
  if (onUnknown !== 'resend' && onUnknown !== 'fail')
    throw new CliError(EXIT.usage, 'on_unknown must be resend or fail.');
  const windowPolicy = optionalText(input, 'window_policy') ?? 'network';
  if (windowPolicy !== 'network' && windowPolicy !== 'refuse')
    throw new CliError(EXIT.usage, 'window_policy must be network or refuse.');
  const tenantId = await createTenant(rt, db, { name: textOf(input, 'name'), onUnknown, windowPolicy });
  const made = (await listTenants(db)).find((tenant) => tenant.tenantId === tenantId);
  if (!made) throw new OperatorError('The tenant was made and is gone again.');
  return presentTenant(made);
};

export const listTenantsCommand: OperatorCommand = async ({ db }) => {
  return { data: (await listTenants(db)).map(presentTenant) };
};

function presentTenant(tenant: Tenant): JsonObject {
  const { tenantId, name, onUnknown, windowPolicy, createdMs } = tenant;
  return { id: tenantId, name, on_unknown: onUnknown, window_policy: windowPolicy, created_at: timeText(createdMs) };
}
