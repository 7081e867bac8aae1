import type { Timetable } from '#agents/domain/business-hours';
import type { HoursId, PhoneNumberId, TeamId, TenantId } from '#core/ids';
import type { ListWindow, Page } from '#core/paging';
import type { SqlRunner, Statement, Transaction } from '#database/database';

/** A timetable with a name, as a tenant keeps it. */
export interface BusinessHours extends Timetable {
  readonly tenantId: TenantId;
  readonly hoursId: HoursId;
  readonly name: string;
  /** Holds for teams and numbers that name no hours. */
  readonly isDefault: boolean;
  readonly version: number;
  readonly createdMs: number;
  readonly updatedMs: number;
}

interface HoursRow extends Pick<Timetable, 'timezone' | 'weekly' | 'holidays'> {
  readonly tenant_id: TenantId;
  readonly hours_id: HoursId;
  readonly name: string;
  readonly is_default: boolean | null;
  readonly version: number;
  readonly created_ms: number;
  readonly updated_ms: number;
}

function toHours(row: HoursRow): BusinessHours {
  return {
    tenantId: row.tenant_id,
    hoursId: row.hours_id,
    name: row.name,
    timezone: row.timezone,
    weekly: row.weekly,
    holidays: row.holidays,
    isDefault: row.is_default === true,
    version: row.version,
    createdMs: row.created_ms,
    updatedMs: row.updated_ms,
  };
}

const HOURS_FIND: Statement = {
  name: 'hours_find',
  text: 'select * from business_hours where tenant_id = $1 and hours_id = $2',
};
const HOURS_LOCK: Statement = {
  name: 'hours_lock',
  text: 'select * from business_hours where tenant_id = $1 and hours_id = $2 for update',
};

/** Hours of a tenant; null when there are none, or they are another tenant's. */
export async function findHours(db: SqlRunner, tenantId: TenantId, hoursId: string): Promise<BusinessHours | null> {
  const { rows } = await db.run<HoursRow>(HOURS_FIND, [tenantId, hoursId]);
  return rows[0] ? toHours(rows[0]) : null;
}

/** The same, unchanged by others until the transaction ends. */
export async function lockHours(tx: Transaction, tenantId: TenantId, hoursId: string): Promise<BusinessHours | null> {
  const { rows } = await tx.run<HoursRow>(HOURS_LOCK, [tenantId, hoursId]);
  return rows[0] ? toHours(rows[0]) : null;
}

const OF_TEAM: Statement = {
  name: 'hours_of_team',
  text: `
select h.* from teams t
join business_hours h on h.tenant_id = t.tenant_id and (h.hours_id = t.hours_id or (t.hours_id is null and h.is_default))
where t.tenant_id = $1 and t.team_id = $2`,
};
const OF_NUMBER: Statement = {
  name: 'hours_of_number',
  text: `
select h.* from phone_numbers n
join business_hours h on h.tenant_id = n.tenant_id and (h.hours_id = n.hours_id or (n.hours_id is null and h.is_default))
where n.tenant_id = $1 and n.phone_number_id = $2`,
};

/** The hours of a team, else the tenant's default ones. Null: it is always open. */
export async function findHoursOfTeam(
  db: SqlRunner,
  tenantId: TenantId,
  teamId: TeamId,
): Promise<BusinessHours | null> {
  const { rows } = await db.run<HoursRow>(OF_TEAM, [tenantId, teamId]);
  return rows[0] ? toHours(rows[0]) : null;
}

/** The hours of a sending number, else the tenant's default ones. Null: it is always open. */
export async function findHoursOfNumber(
  db: SqlRunner,
  tenantId: TenantId,
  phoneNumberId: PhoneNumberId,
): Promise<BusinessHours | null> {
  const { rows } = await db.run<HoursRow>(OF_NUMBER, [tenantId, phoneNumberId]);
  return rows[0] ? toHours(rows[0]) : null;
}

const HOURS_PAGE: Statement = {
  name: 'hours_page',
  text: `
select * from business_hours where tenant_id = $1 and ($2::uuid is null or hours_id < $2::uuid)
order by hours_id desc limit $3 offset $4`,
};

/** A page of the hours of a tenant, newest first. */
export async function listHoursPage(
  db: SqlRunner,
  tenantId: TenantId,
  { limit, offset, beforeId }: ListWindow,
): Promise<Page<BusinessHours>> {
  const { rows } = await db.run<HoursRow>(HOURS_PAGE, [tenantId, beforeId, limit + 1, offset]);
  return { items: rows.slice(0, limit).map(toHours), hasMore: rows.length > limit };
}

const HOURS_CLEAR_DEFAULT: Statement = {
  name: 'hours_clear_default',
  text: `
update business_hours set is_default = null, version = version + 1
where tenant_id = $1 and is_default and hours_id <> $2`,
};
const HOURS_SAVE: Statement = {
  name: 'hours_save',
  text: `
insert into business_hours (
  tenant_id, hours_id, name, timezone, weekly, holidays, is_default, version, created_ms, updated_ms)
values ($1, $2, $3, $4, $5::jsonb, $6::jsonb, $7::boolean, $8, $9, $10)
on conflict (tenant_id, hours_id) do update set
  name = excluded.name, timezone = excluded.timezone, weekly = excluded.weekly, holidays = excluded.holidays,
  is_default = excluded.is_default, version = excluded.version, updated_ms = excluded.updated_ms`,
};

/** Writes hours, new or changed. New default hours take over from those before. */
export async function saveHours(tx: Transaction, hours: BusinessHours): Promise<void> {
  if (hours.isDefault) await tx.run(HOURS_CLEAR_DEFAULT, [hours.tenantId, hours.hoursId]);
  await tx.run(HOURS_SAVE, [
    hours.tenantId,
    hours.hoursId,
    hours.name,
    hours.timezone,
    JSON.stringify(hours.weekly),
    JSON.stringify(hours.holidays),
    hours.isDefault ? true : null,
    hours.version,
    hours.createdMs,
    hours.updatedMs,
  ]);
}

const HOURS_USERS: Statement = {
  name: 'hours_users',
  text: `
select name from teams where tenant_id = $1 and hours_id = $2
union all
select display_phone from phone_numbers where tenant_id = $1 and hours_id = $2 and removed_ms is null
limit 1`,
};

/** A team or number that names the hours; null: none does. */
export async function findHoursUser(tx: Transaction, tenantId: TenantId, hoursId: HoursId): Promise<string | null> {
  return (await tx.run<{ name: string }>(HOURS_USERS, [tenantId, hoursId])).rows[0]?.name ?? null;
}

const HOURS_DELETE: Statement = {
  name: 'hours_delete',
  text: 'delete from business_hours where tenant_id = $1 and hours_id = $2',
};

export async function deleteHours(tx: Transaction, tenantId: TenantId, hoursId: HoursId): Promise<void> {
  await tx.run(HOURS_DELETE, [tenantId, hoursId]);
}
