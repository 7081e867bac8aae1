import { resolve } from 'node:path';
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
import { splitList } from '#cli/options';
import { countOf, line, shortTime, table } from '#cli/output';
import type { TenantId } from '#core/ids';
import type { JsonObject, JsonValue } from '#core/json';
import { OperatorError } from '#core/operator-error';
import type { Database } from '#database/database';
import { beginDeletion } from '#maintenance/actions/delete-tenant';
import type { OperatorDeps, OperatorGroup, OperatorWork, Parameter } from './command.ts';
import { exportTenantData } from './export-tenant.ts';
import {
  inputText,
  namedTenant,
  networksOf,
  optionalChoice,
  optionalText,
  tenantOf,
  textsOf,
  timeText,
} from './input.ts';

const NAMED: Parameter = ['<tenant>', 'name or ID of the tenant'];
const RESENDS = [
  '--unknown-resends <number>',
  'how often a message is resent while it is unknown whether the network has it: 0, 1 or 2',
] as const;
const WINDOW_POLICY = [
  '--window-policy <policy>',
  'free text more than 24 hours after the customer wrote: network (leave it to the network), refuse, or template (send the fallback template instead)',
] as const;
/** An empty one is none. */
const FALLBACK: Parameter = [
  '--fallback-template <name:language>',
  'with the policy template: a template without variables',
  (text) => text || undefined,
];

export const tenantCommands: OperatorGroup = {
  name: 'tenants',
  description: 'manage tenants',
  examples: `
Examples:
  postrider tenants create "Flower shop"
  postrider tenants create "Bank" --unknown-resends 0
  postrider tenants set "Bank" --window-policy template --fallback-template hello_again:en_US
  postrider tenants allow-ip "Bank" 198.51.100.0/24,2001:db8::/32
  postrider tenants allow-countries "Bank" DE,AT,CH
  postrider tenants suspend "Bank" --reason "Unpaid since March"
  postrider tenants resume "Bank"
  postrider tenants export "Bank" /var/backups/bank
  postrider tenants delete "Bank" --confirm "Bank"
  postrider tenants list -o json`,
  commands: {
    create: {
      description: 'create a tenant',
      arguments: { name: ['<name>', 'name of the business'] },
      options: {
        unknown_resends: [...RESENDS, { fallback: '1' }],
        window_policy: [...WINDOW_POLICY, { fallback: 'network' }],
        fallback_template: FALLBACK,
        cell: ['--cell <id>', 'cell that it lives in; default: the one with the fewest tenants'],
      },
      work: async ({ rt, db }, input) => {
        const unknownResends = resendsOf(input);
        const tenantId = await createTenant(rt, db, {
          name: inputText(input, 'name'),
          ...(unknownResends !== null && { unknownResends }),
          ...windowRuleOf(input),
        });
        return readTenant(db, tenantId);
      },
      show: line(({ id }) => `Created tenant ${id}. Next: postrider keys create --tenant ${id}`),
    },
    set: {
      description: 'change which messages are resent, and what happens to free text after 24 hours',
      arguments: { tenant: NAMED },
      options: { unknown_resends: RESENDS, window_policy: WINDOW_POLICY, fallback_template: FALLBACK },
      check: (input) => {
        if (input.unknown_resends === undefined && input.window_policy === undefined)
          throw new CliError(EXIT.usage, 'Nothing to change: use --unknown-resends or --window-policy.');
      },
      work: changing(tenantOf, async ({ rt, db }, tenantId, input) => {
        const unknownResends = resendsOf(input);
        if (unknownResends !== null) await changeUnknownResends(rt, db, { tenantId, unknownResends });
        if (optionalText(input, 'window_policy') !== null)
          await changeWindowRule(rt, db, { tenantId, rule: windowRuleOf(input) });
      }),
      show: line(
        ({ name, unknown_resends: resends, window_policy: policy }) =>
          `${name}: ${resends} resends after unknown outcomes, window policy ${policy}.`,
      ),
    },
    'allow-ip': {
      description:
        "limit the addresses that the keys of a tenant may be used from, in addition to each key's own limits",
      arguments: {
        tenant: NAMED,
        allowed_ips: ['[networks]', 'addresses and networks, comma separated; default: anywhere', splitList],
      },
      work: changing(tenantOf, ({ rt, db }, tenantId, input) =>
        allowAddresses(rt, db, { tenantId, allowedIps: networksOf(input, 'allowed_ips') }),
      ),
      show: line(({ name, allowed_ips: ips }) => `Keys of ${name} may be used from ${listed(ips) || 'anywhere'}.`),
    },
    'allow-countries': {
      description: 'limit the countries that a tenant may send to; messages to others are rejected',
      arguments: {
        tenant: NAMED,
        allowed_countries: ['[countries]', 'codes such as DE,BR, comma separated; default: all', splitList],
      },
      work: changing(tenantOf, ({ rt, db }, tenantId, input) => {
        const allowedCountries = textsOf(input, 'allowed_countries').map((code) => code.toUpperCase());
        return allowCountries(rt, db, { tenantId, allowedCountries });
      }),
      show: line(({ name, allowed_countries: codes }) => `${name} may send to ${listed(codes) || 'every country'}.`),
    },
    suspend: {
      description: 'suspend a tenant within 2 s: its keys are refused, nothing is sent, queued messages are kept',
      arguments: { tenant: NAMED },
      options: { reason: ['--reason <text>', 'reason, shown to callers of the tenant', { mandatory: true }] },
      work: changing(namedTenant, ({ rt, db }, tenantId, input) =>
        suspendTenant(rt, db, { tenantId, reason: optionalText(input, 'reason') }),
      ),
      show: line(({ name, state }) => `${name} is ${state}.`),
    },
    resume: {
      description: 'resume a suspended tenant',
      arguments: { tenant: NAMED },
      work: changing(namedTenant, ({ rt, db }, tenantId) => resumeTenant(rt, db, tenantId)),
      show: line(({ name, state }) => `${name} is ${state}.`),
    },
    export: {
      description: "write all data of a tenant, without secrets, to a new folder on the server's machine",
      arguments: { tenant: NAMED, folder: ['<folder>', 'folder that does not exist yet', (path) => resolve(path)] },
      answerWithinMs: 0,
      work: exportTenantData,
      show: line(({ tables, media, folder }) => {
        const counts = Object.values(tables as Readonly<Record<string, { readonly rows: number }>>);
        const rows = counts.reduce((sum, count) => sum + count.rows, 0);
        const { files, missing } = media as { readonly files: number; readonly missing: number };
        const gap = missing === 0 ? '' : `; ${countOf(missing, 'file')} could not be read`;
        return `Wrote ${countOf(rows, 'row')} and ${countOf(files, 'file')} to ${folder}${gap}.`;
      }),
    },
    delete: {
      description: 'delete a tenant permanently, step by step; repeat the command to see the progress',
      arguments: { tenant: NAMED },
      options: { confirm: ['--confirm <name>', 'repeat the name of the tenant', { mandatory: true }] },
      work: async ({ rt, db }, input) => {
        const tenantId = await namedTenant(db, input);
        const { startedMs, removed } = await beginDeletion(rt, db, { tenantId, confirm: inputText(input, 'confirm') });
        return { id: tenantId, state: 'deleting', started_at: timeText(startedMs), removed };
      },
      show: line(({ removed }, { tenant }) => {
        const rows = Object.values(removed as JsonObject).reduce<number>((sum, count) => sum + Number(count), 0);
        return `${tenant} is being deleted by the running service: ${rows} rows are gone.`;
      }),
    },
    list: {
      description: 'list all tenants, oldest first',
      work: async ({ db }) => ({ data: (await listTenants(db)).map(presentTenant) }),
      show: table('There is no tenant yet. Create one with "postrider tenants create".', [
        { title: 'ID', value: (row) => row.id },
        { title: 'NAME', value: (row) => row.name, flexible: true },
        { title: 'STATE', value: (row) => row.state },
        { title: 'RESENDS', value: (row) => row.unknown_resends },
        { title: 'WINDOW', value: (row) => row.window_policy },
        { title: 'CREATED (UTC)', value: (row) => shortTime(row.created_at) },
      ]),
    },
  },
};

/** A change of the tenant that is found in the input; its result is the tenant as it is afterwards. */
function changing(
  find: typeof tenantOf,
  change: (deps: OperatorDeps, tenantId: TenantId, input: JsonObject) => Promise<unknown>,
): OperatorWork {
  return async (deps, input) => {
    const tenantId = await find(deps.db, input);
    await change(deps, tenantId, input);
    return readTenant(deps.db, tenantId);
  };
}

function resendsOf(input: JsonObject): number | null {
  const given = optionalChoice(input, 'unknown_resends', ['0', '1', '2']);
  return given === null ? null : Number(given);
}

function windowRuleOf(input: JsonObject): WindowRule {
  const windowPolicy = optionalChoice(input, 'window_policy', windowPolicies) ?? 'network';
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

function listed(texts: JsonValue | undefined): string {
  return Array.isArray(texts) ? texts.join(', ') : '';
}
