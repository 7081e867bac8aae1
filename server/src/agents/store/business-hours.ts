import type { Timetable } from '#agents/domain/business-hours';
import type { HoursId, TenantId } from '#core/ids';
import type { ListWindow, Page } from '#core/paging';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import { type Find, firstRow, type Lock, pageOf } from '#database/rows';

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

/** What of a row are the hours. */
const HOURS = `
  h.tenant_id, h.hours_id, h.name, h.timezone, h.weekly, h.holidays, coalesce(h.is_default, false) as is_default, h.version,
  h.created_ms, h.updated_ms`;

const HOURS_FIND = statement('hours_find')`
select ${HOURS} from business_hours h where h.tenant_id = $1 and h.hours_id = $2`;
const HOURS_LOCK = statement('hours_lock')`${HOURS_FIND.text} for update`;

export const findHours: Find<BusinessHours> = (db, ...key) => firstRow(db.run<BusinessHours>(HOURS_FIND, key));
export const lockHours: Lock<BusinessHours> = (tx, ...key) => firstRow(tx.run<BusinessHours>(HOURS_LOCK, key));

const OF_TEAM = statement('hours_of_team')`
select ${HOURS} from teams t
join business_hours h on h.tenant_id = t.tenant_id and (h.hours_id = t.hours_id or (t.hours_id is null and h.is_default))
where t.tenant_id = $1 and t.team_id = $2`;
const OF_NUMBER = statement('hours_of_number')`
select ${HOURS} from phone_numbers n
join business_hours h on h.tenant_id = n.tenant_id and (h.hours_id = n.hours_id or (n.hours_id is null and h.is_default))
where n.tenant_id = $1 and n.phone_number_id = $2`;

/** The hours of a team, else the tenant's default ones. Null: it is always open. */
export const findHoursOfTeam: Find<BusinessHours> = (db, ...key) => firstRow(db.run<BusinessHours>(OF_TEAM, key));
/** The hours of a sending number, else the tenant's default ones. Null: it is always open. */
export const findHoursOfNumber: Find<BusinessHours> = (db, ...key) => firstRow(db.run<BusinessHours>(OF_NUMBER, key));

const HOURS_PAGE = statement('hours_page')`
select ${HOURS} from business_hours h where h.tenant_id = $1 and ($2::uuid is null or h.hours_id < $2::uuid)
order by h.hours_id desc limit $3 offset $4`;

/** A page of the hours of a tenant, newest first. */
export async function listHoursPage(
  db: SqlRunner,
  tenantId: TenantId,
  { limit, offset, beforeId }: ListWindow,
): Promise<Page<BusinessHours>> {
  const { rows } = await db.run<BusinessHours>(HOURS_PAGE, [tenantId, beforeId, limit + 1, offset]);
  return pageOf(rows, limit);
}

const HOURS_CLEAR_DEFAULT = statement('hours_clear_default')`
update business_hours set is_default = null, version = version + 1
where tenant_id = $1 and is_default and hours_id <> $2`;
const HOURS_SAVE = statement('hours_save')`
insert into business_hours (
  tenant_id, hours_id, name, timezone, weekly, holidays, is_default, version, created_ms, updated_ms)
values ($1, $2, $3, $4, $5::jsonb, $6::jsonb, $7::boolean, $8, $9, $10)
on conflict (tenant_id, hours_id) do update set
  name = excluded.name, timezone = excluded.timezone, weekly = excluded.weekly, holidays = excluded.holidays,
  is_default = excluded.is_default, version = excluded.version, updated_ms = excluded.updated_ms`;

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

const HOURS_USERS = statement('hours_users')`
select name from teams where tenant_id = $1 and hours_id = $2
union all
select display_phone from phone_numbers where tenant_id = $1 and hours_id = $2 and removed_ms is null
limit 1`;

/** A team or number that names the hours; null: none does. */
export async function findHoursUser(tx: Transaction, tenantId: TenantId, hoursId: HoursId): Promise<string | null> {
  return (await tx.run<{ name: string }>(HOURS_USERS, [tenantId, hoursId])).rows[0]?.name ?? null;
}

const HOURS_DELETE = statement('hours_delete')`delete from business_hours where tenant_id = $1 and hours_id = $2`;

export async function deleteHours(tx: Transaction, tenantId: TenantId, hoursId: HoursId): Promise<void> {
  await tx.run(HOURS_DELETE, [tenantId, hoursId]);
}
