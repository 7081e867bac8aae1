import type { PhoneNumberId, TenantId } from '#core/ids';
import type { SqlRunner, Statement } from './database.ts';

/** A sending number of a tenant. */
export interface PhoneNumber {
  readonly tenantId: TenantId;
  readonly phoneNumberId: PhoneNumberId;
  /** Digits only. */
  readonly displayPhone: string;
  readonly name: string | null;
  readonly status: 'active' | 'paused';
  readonly pauseReason: string | null;
  /** Messages per second; null: the configured default; 0: no limit. */
  readonly ratePerSecond: number | null;
  readonly createdMs: number;
}

export type NewPhoneNumber = Omit<PhoneNumber, 'status' | 'pauseReason'>;

const CLAIM_DIRECTORY: Statement = {
  name: 'number_claim',
  text: `
insert into number_directory (phone_number_id, tenant_id) values ($1, $2)
on conflict (phone_number_id) do update set tenant_id = number_directory.tenant_id
returning tenant_id`,
};
const INSERT_NUMBER: Statement = {
  name: 'number_insert',
  text: `
insert into phone_numbers (tenant_id, phone_number_id, display_phone, name, rate_per_second, created_ms)
values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
};
const INSERT_LANE: Statement = {
  name: 'number_lane',
  text: 'insert into lanes (tenant_id, phone_number_id) values ($1, $2) on conflict do nothing',
};

/** Adds a number and its lane, in the caller's transaction. @returns false when it belongs to another tenant */
export async function insertPhoneNumber(tx: SqlRunner, number: NewPhoneNumber): Promise<boolean> {
  const { rows } = await tx.run<{ tenant_id: string }>(CLAIM_DIRECTORY, [number.phoneNumberId, number.tenantId]);
  if (rows[0]?.tenant_id !== number.tenantId) return false;
  const { tenantId, phoneNumberId, displayPhone, name, ratePerSecond, createdMs } = number;
  await tx.run(INSERT_NUMBER, [tenantId, phoneNumberId, displayPhone, name, ratePerSecond, createdMs]);
  await tx.run(INSERT_LANE, [tenantId, phoneNumberId]);
  return true;
}

const LIST_NUMBERS: Statement = {
  name: 'number_list',
  text: `
select tenant_id, phone_number_id, display_phone, name, status, pause_reason, rate_per_second, created_ms
from phone_numbers where tenant_id = $1 order by created_ms, phone_number_id`,
};

interface NumberRow {
  readonly tenant_id: TenantId;
  readonly phone_number_id: PhoneNumberId;
  readonly display_phone: string;
  readonly name: string | null;
  readonly status: 'active' | 'paused';
  readonly pause_reason: string | null;
  readonly rate_per_second: number | null;
  readonly created_ms: number;
}

/** The numbers of a tenant, oldest first: the first active one is the default sender. */
export async function listPhoneNumbers(db: SqlRunner, tenantId: TenantId): Promise<readonly PhoneNumber[]> {
  const { rows } = await db.run<NumberRow>(LIST_NUMBERS, [tenantId]);
  return rows.map((row) => ({
    tenantId: row.tenant_id,
    phoneNumberId: row.phone_number_id,
    displayPhone: row.display_phone,
    name: row.name,
    status: row.status,
    pauseReason: row.pause_reason,
    ratePerSecond: row.rate_per_second,
    createdMs: row.created_ms,
  }));
}

const SET_PAUSED: Statement = {
  name: 'number_set_paused',
  text: `
update phone_numbers set status = case when $3::text is null then 'active' else 'paused' end, pause_reason = $3::text
where tenant_id = $1 and phone_number_id = $2 and (status = 'active' or not $4::boolean)`,
};

/**
 * Pauses with a reason, or resumes.
 * @param change with `activeOnly` a number that is paused already keeps its reason
 * @returns false when the tenant has no such number, or nothing was to be done
 */
export async function setNumberPaused(
  tx: SqlRunner,
  change: {
    readonly tenantId: TenantId;
    readonly phoneNumberId: string;
    readonly pauseReason: string | null;
    readonly activeOnly?: boolean;
  },
): Promise<boolean> {
  const { tenantId, phoneNumberId, pauseReason, activeOnly = false } = change;
  return (await tx.run(SET_PAUSED, [tenantId, phoneNumberId, pauseReason, activeOnly])).rowCount > 0;
}

const FIND_OWNERS: Statement = {
  name: 'number_owners',
  text: 'select phone_number_id, tenant_id from number_directory where phone_number_id = any($1::text[])',
};

/** Which tenant each number of a callback belongs to; numbers of nobody are absent. */
export async function findNumberOwners(
  db: SqlRunner,
  phoneNumberIds: readonly string[],
): Promise<ReadonlyMap<string, TenantId>> {
  const { rows } = await db.run<{ phone_number_id: string; tenant_id: TenantId }>(FIND_OWNERS, [phoneNumberIds]);
  return new Map(rows.map((row) => [row.phone_number_id, row.tenant_id]));
}
