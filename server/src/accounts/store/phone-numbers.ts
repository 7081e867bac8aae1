import type { ReopenPolicy } from '#accounts/domain/reopen-policy';
import type { AccountId, HoursId, PhoneNumberId, TenantId } from '#core/ids';
import type { ListWindow, Page } from '#core/paging';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import { type Find, firstRow, groupRows, type Lock, pageOf } from '#database/rows';
import { insertLane } from './lane-owners.ts';

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
  /** Null: a number of the operator, with the token of the settings. */
  readonly accountId: AccountId | null;
  /** Null: the default hours of the tenant. */
  readonly hoursId: HoursId | null;
  readonly networkAccountId: string | null;
  /** What the network last said of it, and when; its own words. */
  readonly qualityRating: string | null;
  readonly messagingLimit: string | null;
  readonly throughput: string | null;
  readonly networkStatus: string | null;
  readonly networkReportedMs: number | null;
  /** What a message of a customer does whose conversation is resolved. */
  readonly reopenPolicy: ReopenPolicy;
  readonly reopenHours: number;
  /** Hours without anything happening after which a conversation is resolved; null: never. */
  readonly resolveIdleHours: number | null;
  /** Whether also while the customer waits. */
  readonly resolveIdleWaiting: boolean;
  /** Whether an agent who answers in a conversation that nobody has gets it. */
  readonly assignOnReply: boolean;
  /** Grows with each change. */
  readonly version: number;
}

export type NewPhoneNumber = Pick<
  PhoneNumber,
  'tenantId' | 'phoneNumberId' | 'displayPhone' | 'name' | 'ratePerSecond' | 'createdMs'
> &
  Partial<Pick<PhoneNumber, 'networkAccountId'>>;

const CLAIM_DIRECTORY = statement('number_claim')`
insert into number_directory (phone_number_id, tenant_id) values ($1, $2)
on conflict (phone_number_id) do update set tenant_id = number_directory.tenant_id
returning tenant_id`;
const INSERT_NUMBER = statement('number_insert')`
insert into phone_numbers (
  tenant_id, phone_number_id, display_phone, name, rate_per_second, created_ms, network_account_id)
values ($1, $2, $3, $4, $5, $6, $7)
on conflict (tenant_id, phone_number_id) do update set
  display_phone = excluded.display_phone, name = excluded.name, rate_per_second = excluded.rate_per_second,
  status = 'active', pause_reason = null, paused_by = null, account_id = null,
  network_account_id = excluded.network_account_id,
  removed_ms = null, version = phone_numbers.version + 1
where phone_numbers.removed_ms is not null`;

/** Adds a number and its lane, in the caller's transaction. @returns false when it belongs to another tenant */
export async function insertPhoneNumber(tx: Transaction, number: NewPhoneNumber): Promise<boolean> {
  const { tenantId, phoneNumberId, displayPhone, name, ratePerSecond, createdMs } = number;
  if (!(await claimNumber(tx, tenantId, phoneNumberId))) return false;
  const values = [tenantId, phoneNumberId, displayPhone, name, ratePerSecond, createdMs];
  await tx.run(INSERT_NUMBER, [...values, number.networkAccountId ?? null]);
  await insertLane(tx, { tenantId, laneId: phoneNumberId });
  return true;
}

/** Makes the number the tenant's, unless it is another's: "a number belongs to one tenant". */
export async function claimNumber(tx: Transaction, tenantId: TenantId, phoneNumberId: string): Promise<boolean> {
  const { rows } = await tx.run<{ tenantId: string }>(CLAIM_DIRECTORY, [phoneNumberId, tenantId]);
  return rows[0]?.tenantId === tenantId;
}

const OWES_SENDS = statement('number_owes_sends')`
select message_id from send_queue where tenant_id = $1 and phone_number_id = $2 limit 1`;

/** Whether messages wait to leave from this number. */
export async function owesSends(tx: Transaction, tenantId: TenantId, phoneNumberId: string): Promise<boolean> {
  return (await tx.run(OWES_SENDS, [tenantId, phoneNumberId])).rowCount > 0;
}

const RELEASE_DIRECTORY = statement('number_release')`
delete from number_directory where phone_number_id = $2 and tenant_id = $1`;
const REMOVE_NUMBER = statement('number_remove')`
update phone_numbers set removed_ms = $3, account_id = null, version = version + 1
where tenant_id = $1 and phone_number_id = $2 and removed_ms is null`;

/** The number is nobody's from now on; its lane stays, closed, for what was accepted in the same moment. */
export async function deletePhoneNumber(
  tx: Transaction,
  { tenantId, phoneNumberId, nowMs }: Pick<PhoneNumber, 'tenantId' | 'phoneNumberId'> & { readonly nowMs: number },
): Promise<void> {
  await tx.run(REMOVE_NUMBER, [tenantId, phoneNumberId, nowMs]);
  await tx.run(RELEASE_DIRECTORY, [tenantId, phoneNumberId]);
}

/** What of a row is the number. */
const NUMBER = `
  n.tenant_id, n.phone_number_id, n.display_phone, n.name, n.status, n.pause_reason, n.rate_per_second, n.created_ms,
  n.account_id, n.hours_id, n.network_account_id, n.quality_rating, n.messaging_limit, n.throughput, n.network_status,
  n.network_told_ms as network_reported_ms, n.reopen_policy, n.reopen_hours, n.resolve_idle_hours,
  n.resolve_idle_waiting, n.assign_on_reply, n.version`;

const LIST_NUMBERS = statement('number_list')`
select ${NUMBER} from phone_numbers n where n.tenant_id = $1 and n.removed_ms is null order by n.created_ms, n.phone_number_id`;

/** The numbers of a tenant, oldest first: the first active one is the default sender. */
export async function listPhoneNumbers(db: SqlRunner, tenantId: TenantId): Promise<readonly PhoneNumber[]> {
  return (await db.run<PhoneNumber>(LIST_NUMBERS, [tenantId])).rows;
}

const LIST_OF_MANY = statement('number_list_of_many')`
select ${NUMBER} from phone_numbers n where n.tenant_id = any($1::uuid[]) and n.removed_ms is null
order by n.tenant_id, n.created_ms, n.phone_number_id`;

/** The numbers of each of these tenants, oldest first. A tenant without a number is left out. */
export async function listNumbersOf(
  db: SqlRunner,
  tenantIds: readonly TenantId[],
): Promise<ReadonlyMap<TenantId, readonly PhoneNumber[]>> {
  const { rows } = await db.run<PhoneNumber>(LIST_OF_MANY, [tenantIds]);
  return groupRows(rows, ({ tenantId }) => tenantId);
}

export interface NumberFilter {
  readonly status?: 'active' | 'paused' | null;
  readonly accountId?: string | null;
}

const LIST_PAGE = statement('number_page')`
select ${NUMBER} from phone_numbers n
where n.tenant_id = $1 and n.removed_ms is null
  and ($2::text is null or n.status = $2::text) and ($3::uuid is null or n.account_id = $3::uuid)
  and ($4::text is null or (n.created_ms, n.phone_number_id) < (
    select b.created_ms, b.phone_number_id from phone_numbers b where b.tenant_id = $1 and b.phone_number_id = $4::text))
order by n.created_ms desc, n.phone_number_id desc
limit $5 offset $6`;

/** A page of the numbers of a tenant, newest first. `window.beforeId` is a phone_number_id. */
export async function listPhoneNumbersPage(
  db: SqlRunner,
  tenantId: TenantId,
  { status = null, accountId = null }: NumberFilter,
  { limit, offset, beforeId }: ListWindow,
): Promise<Page<PhoneNumber>> {
  const { rows } = await db.run<PhoneNumber>(LIST_PAGE, [tenantId, status, accountId, beforeId, limit + 1, offset]);
  return pageOf(rows, limit);
}

const FIND_NUMBER = statement('number_find')`
select ${NUMBER} from phone_numbers n where n.tenant_id = $1 and n.phone_number_id = $2 and n.removed_ms is null`;
const LOCK_NUMBER = statement('number_lock')`${FIND_NUMBER.text} for update`;

export const findPhoneNumber: Find<PhoneNumber> = (db, ...key) => firstRow(db.run<PhoneNumber>(FIND_NUMBER, key));
export const lockPhoneNumber: Lock<PhoneNumber> = (tx, ...key) => firstRow(tx.run<PhoneNumber>(LOCK_NUMBER, key));

const SET_PAUSED = statement('number_set_paused')`
update phone_numbers set status = case when $3::text is null then 'active' else 'paused' end, pause_reason = $3::text,
  paused_by = case when $3::text is null then null when $4::boolean then 'network' else 'person' end,
  version = version + 1
where tenant_id = $1 and phone_number_id = $2 and removed_ms is null
  and (not $4::boolean or (status = 'active' and account_id is not distinct from $5::uuid))`;

interface PauseChange {
  readonly tenantId: TenantId;
  readonly phoneNumberId: string;
  /** Null resumes. */
  readonly pauseReason: string | null;
}

/** Pauses with a reason, or resumes, for a person. @returns false when the tenant has no such number */
export async function setNumberPaused(db: SqlRunner, change: PauseChange): Promise<boolean> {
  const { tenantId, phoneNumberId, pauseReason } = change;
  return (await db.run(SET_PAUSED, [tenantId, phoneNumberId, pauseReason, false, null])).rowCount > 0;
}

/**
 * Pauses a number that the network refuses, unless it is paused already.
 * @param change `accountId`: whose token was refused. A number that has another one by now stays as it is
 * @returns whether it was paused by this
 */
export async function pauseActiveNumber(
  tx: Transaction,
  change: PauseChange & { readonly pauseReason: string; readonly accountId: AccountId | null },
): Promise<boolean> {
  const { tenantId, phoneNumberId, pauseReason, accountId } = change;
  return (await tx.run(SET_PAUSED, [tenantId, phoneNumberId, pauseReason, true, accountId])).rowCount > 0;
}

const CHANGE_NUMBER = statement('number_change')`
update phone_numbers set name = $3, rate_per_second = $4, reopen_policy = $5, reopen_hours = $6,
  resolve_idle_hours = $7, resolve_idle_waiting = $8, assign_on_reply = $9, version = version + 1
where tenant_id = $1 and phone_number_id = $2 and removed_ms is null`;

/** What people may choose about a number, but for its pause and its hours. */
export type NumberChoice = Pick<
  PhoneNumber,
  | 'name'
  | 'ratePerSecond'
  | 'reopenPolicy'
  | 'reopenHours'
  | 'resolveIdleHours'
  | 'resolveIdleWaiting'
  | 'assignOnReply'
>;

export async function updatePhoneNumber(
  tx: Transaction,
  { tenantId, phoneNumberId }: Pick<PhoneNumber, 'tenantId' | 'phoneNumberId'>,
  choice: NumberChoice,
): Promise<void> {
  const { name, ratePerSecond, reopenPolicy, reopenHours, resolveIdleHours, resolveIdleWaiting } = choice;
  const inConversations = [reopenPolicy, reopenHours, resolveIdleHours, resolveIdleWaiting, choice.assignOnReply];
  const chosen = [name, ratePerSecond, ...inConversations];
  await tx.run(CHANGE_NUMBER, [tenantId, phoneNumberId, ...chosen]);
}

const SET_HOURS = statement('number_set_hours')`
update phone_numbers set hours_id = $3, version = version + 1
where tenant_id = $1 and phone_number_id = $2 and removed_ms is null`;

/** Sets which business hours hold for a number. */
export async function setNumberHours(
  tx: Transaction,
  { tenantId, phoneNumberId, hoursId }: Pick<PhoneNumber, 'tenantId' | 'phoneNumberId' | 'hoursId'>,
): Promise<void> {
  await tx.run(SET_HOURS, [tenantId, phoneNumberId, hoursId]);
}

const FIND_OWNERS = statement('number_owners')`
select phone_number_id, tenant_id from number_directory where phone_number_id = any($1::text[])`;

/** Which tenant each number of a callback belongs to; numbers of nobody are absent. */
export async function findNumberOwners(
  db: SqlRunner,
  phoneNumberIds: readonly string[],
): Promise<ReadonlyMap<string, TenantId>> {
  const { rows } = await db.run<{ phoneNumberId: string; tenantId: TenantId }>(FIND_OWNERS, [phoneNumberIds]);
  return new Map(rows.map((row) => [row.phoneNumberId, row.tenantId]));
}
