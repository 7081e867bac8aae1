import type { TenantFence, TenantState } from '#access/domain/tenant-state';
import { isUuid, type TenantId } from '#core/ids';
import type { OwnRetention } from '#core/retention';
import { type Database, type SqlRunner, type Statement, statement, type Transaction } from '#database/database';
import type { Schema } from '#database/schema';

export const windowPolicies = ['network', 'refuse', 'template'] as const;
export type WindowPolicy = (typeof windowPolicies)[number];

/** A template that takes no values. */
export interface FallbackTemplate {
  readonly name: string;
  readonly language: string;
}

/** What becomes of free-form messages outside the 24-hour window. */
export interface WindowRule {
  readonly windowPolicy: WindowPolicy;
  /** What goes in their place with the policy `template`. */
  readonly fallback: FallbackTemplate | null;
}

export interface Tenant extends WindowRule {
  readonly tenantId: TenantId;
  readonly name: string;
  /** How many further copies are sent while nobody knows whether the network has a message. */
  readonly unknownResends: number;
  /** Addresses and networks that its keys may be used from. Empty: any. */
  readonly allowedIps: readonly string[];
  /** Countries (ISO 3166) whose numbers it may write to. Empty: any. */
  readonly allowedCountries: readonly string[];
  readonly createdMs: number;
  readonly state: TenantState;
  /** Why it is suspended; null: nothing was said. */
  readonly stateReason: string | null;
}

declare module '#database/schema' {
  interface Schema {
    tenants: Omit<Tenant, 'fallback'> & {
      readonly fallbackTemplate: string | null;
      readonly fallbackLanguage: string | null;
      readonly stateMs: number | null;
      readonly fence: TenantFence | null;
      readonly fenceBy: string | null;
      readonly retention: OwnRetention;
    };
  }
}

/** Without a fallback: none. */
export type NewTenant = Omit<Tenant, 'fallback' | 'allowedIps' | 'allowedCountries' | 'state' | 'stateReason'> &
  Partial<Pick<Tenant, 'fallback'>>;

const TENANT_INSERT = statement('tenant_insert')`
insert into tenants (tenant_id, name, unknown_resends, window_policy, created_ms, fallback_template, fallback_language)
values ($1, $2, $3, $4, $5, $6, $7)`;

export async function insertTenant(db: SqlRunner, tenant: NewTenant): Promise<void> {
  const { tenantId, name, unknownResends, windowPolicy, createdMs, fallback } = tenant;
  const template = [fallback?.name ?? null, fallback?.language ?? null];
  await db.run(TENANT_INSERT, [tenantId, name, unknownResends, windowPolicy, createdMs, ...template]);
}

const SET_WINDOW = statement('tenant_set_window')`
update tenants set window_policy = $2, fallback_template = $3, fallback_language = $4 where tenant_id = $1`;

/** @returns false when there is no such tenant */
export async function setWindowRule(
  tx: Transaction,
  tenantId: TenantId,
  { windowPolicy, fallback }: WindowRule,
): Promise<boolean> {
  const template = [fallback?.name ?? null, fallback?.language ?? null];
  return (await tx.run(SET_WINDOW, [tenantId, windowPolicy, ...template])).rowCount > 0;
}

const SET_PARTS: Readonly<Record<'allowedIps' | 'allowedCountries' | 'unknownResends', Statement>> = {
  allowedIps: statement('tenant_set_allowed_ips')`update tenants set allowed_ips = $2::text[] where tenant_id = $1`,
  allowedCountries: statement('tenant_set_allowed_countries')`
update tenants set allowed_countries = $2::text[] where tenant_id = $1`,
  unknownResends: statement('tenant_set_resends')`update tenants set unknown_resends = $2 where tenant_id = $1`,
};

/** @returns false when there is no such tenant */
export async function setTenantPart<Part extends keyof typeof SET_PARTS>(
  tx: Transaction,
  tenantId: TenantId,
  part: Part,
  value: Tenant[Part],
): Promise<boolean> {
  return (await tx.run(SET_PARTS[part], [tenantId, value])).rowCount > 0;
}

/** All tenants, oldest first. For operators only. */
export async function listTenants(db: Pick<Database, 'kysely'>): Promise<readonly Tenant[]> {
  return (await db.kysely.selectFrom('tenants').selectAll().orderBy('tenantId').execute()).map(toTenant);
}

export async function findTenant(db: Pick<Database, 'kysely'>, tenantId: TenantId): Promise<Tenant | null> {
  if (!isUuid(tenantId)) return null;
  const row = await db.kysely.selectFrom('tenants').selectAll().where('tenantId', '=', tenantId).executeTakeFirst();
  return row ? toTenant(row) : null;
}

/** What decides about each message of a tenant. */
export type SendRules = WindowRule & Pick<Tenant, 'allowedCountries'>;

const SEND_RULES = statement('tenant_send_rules')`
select tenant_id, window_policy, fallback_template, fallback_language, allowed_countries from tenants
where tenant_id = any($1::uuid[])`;

type SendRulesRow = Pick<
  Schema['tenants'],
  'tenantId' | 'windowPolicy' | 'fallbackTemplate' | 'fallbackLanguage' | 'allowedCountries'
>;

/** The rules of these tenants; one that does not exist has none. */
export async function findSendRules(
  db: SqlRunner,
  tenantIds: readonly TenantId[],
): Promise<ReadonlyMap<TenantId, SendRules>> {
  const { rows } = await db.run<SendRulesRow>(SEND_RULES, [tenantIds]);
  return new Map(
    rows.map(({ tenantId, windowPolicy, fallbackTemplate: name, fallbackLanguage: language, allowedCountries }) => [
      tenantId,
      { windowPolicy, allowedCountries, fallback: fallbackOf(name, language) },
    ]),
  );
}

function fallbackOf(name: string | null, language: string | null): Tenant['fallback'] {
  return name === null || language === null ? null : { name, language };
}

function toTenant({
  fallbackTemplate: name,
  fallbackLanguage: language,
  stateMs: _since,
  fence: _moves,
  fenceBy: _mover,
  retention: _days,
  ...tenant
}: Schema['tenants']): Tenant {
  return { ...tenant, fallback: fallbackOf(name, language) };
}

/** A value kept for the life of the database (the echo secret); the first writer wins. */
export async function settingOnce(db: Pick<Database, 'kysely'>, name: string, value: string): Promise<string> {
  await db.kysely
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await db.kysely.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirstOrThrow();
  return row.value;
}
