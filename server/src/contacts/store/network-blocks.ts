import { INACTIVE_TENANTS } from '#access/store/tenant-states';
import { type NetworkBlock, NOT_WRITTEN_CODE, type StoredBlock, stateOfBlock } from '#contacts/domain/network-block';
import type { ContactId, PhoneNumberId, TenantId } from '#core/ids';
import { plainArray } from '#database/arrays';
import { type SqlRunner, statement, type Transaction } from '#database/database';

/** A contact whose block changed, or may have. */
export interface WantedBlock {
  readonly contactId: ContactId;
  readonly isBlocked: boolean;
  /** The number as the network spells it, and its key; null: the contact shows none. */
  readonly phone: string | null;
  readonly phoneKey: string | null;
}

/*
 * For every current identity of a contact and every number that it has written to. A person with a number is blocked by it: the network
 * knows whose user id it is. While a process tells the network, the next word waits for the end of its lease: two calls under way at once
 * could arrive in either order.
 */
const NETWORK_BLOCKS_WANT = statement('network_blocks_want')`
insert into network_blocks (tenant_id, address, phone_number_id, recipient, is_wanted, due_ms, changed_ms)
select distinct $1::uuid, i.value, c.phone_number_id, case when i.value = w.phone_key then w.phone else i.value end, true, $5::bigint, $5::bigint
from unnest($2::uuid[], $3::text[], $4::text[]) as w (contact_id, phone, phone_key)
join contact_identities i on i.tenant_id = $1 and i.contact_id = w.contact_id and i.left_ms is null
  and (i.kind = 'phone' or w.phone_key is null)
join conversations c on c.tenant_id = $1 and c.contact_id = w.contact_id
order by 2, 3
on conflict (tenant_id, address, phone_number_id) do update set
  is_wanted = true, recipient = excluded.recipient, revision = network_blocks.revision + 1, attempts = 0, network_code = null, reason = null,
  due_ms = greatest($5::bigint, network_blocks.leased_until_ms), changed_ms = $5::bigint
where not network_blocks.is_wanted or (network_blocks.network_code = ${NOT_WRITTEN_CODE} and network_blocks.due_ms is null)`;

const NETWORK_BLOCKS_LIFT = statement('network_blocks_lift')`
update network_blocks b set
  is_wanted = false, revision = b.revision + 1, attempts = 0, network_code = null, reason = null,
  due_ms = greatest($3::bigint, b.leased_until_ms), changed_ms = $3::bigint
from contact_identities i
where i.tenant_id = $1 and i.contact_id = any($2::uuid[]) and b.tenant_id = i.tenant_id and b.address = i.value and b.is_wanted`;

/**
 * Notes what the network is to be told of these contacts, as far as it is something new. What it refused because the customer had not
 * written is wanted again.
 */
export async function wantNetworkBlocks(
  tx: Transaction,
  tenantId: TenantId,
  contacts: readonly WantedBlock[],
  nowMs: number,
): Promise<void> {
  // One statement cannot change a row twice.
  const each = [...new Map(contacts.map((one) => [one.contactId, one])).values()];
  const blocked = each.filter(({ isBlocked }) => isBlocked);
  if (blocked.length > 0) {
    await tx.run(NETWORK_BLOCKS_WANT, [
      tenantId,
      plainArray(blocked.map((one) => one.contactId)),
      blocked.map((one) => one.phone),
      blocked.map((one) => one.phoneKey),
      nowMs,
    ]);
  }
  const others = each.filter(({ isBlocked }) => !isBlocked).map((one) => one.contactId);
  if (others.length > 0) await tx.run(NETWORK_BLOCKS_LIFT, [tenantId, others, nowMs]);
}

/** One block that this process tells the network about. */
export interface ClaimedBlock {
  readonly tenantId: TenantId;
  readonly address: string;
  readonly phoneNumberId: PhoneNumberId;
  readonly recipient: string;
  readonly isWanted: boolean;
  readonly revision: number;
  /** Identifies the claim: later ones end later. */
  readonly leasedUntilMs: number;
  /** Number of this attempt, 1 for the first. */
  readonly attempt: number;
  /** Since when it is wanted. */
  readonly changedMs: number;
}

/** Over all tenants, joined on tenant_id. Whoever moves due_ms ahead has the row until then. Rows that a contact's change holds wait for the next look. */
const NETWORK_BLOCKS_CLAIM = statement('network_blocks_claim')`
with due as (
  select b.tenant_id, b.address, b.phone_number_id from network_blocks b
  where b.due_ms <= $1 and b.tenant_id <> all($4::uuid[] || ${INACTIVE_TENANTS}) order by b.due_ms limit $3
  for update of b skip locked
)
update network_blocks b set due_ms = $2, leased_until_ms = $2, attempts = least(b.attempts + 1, 30000)
from due d
where b.tenant_id = d.tenant_id and b.address = d.address and b.phone_number_id = d.phone_number_id and b.due_ms <= $1
returning b.tenant_id, b.address, b.phone_number_id, b.recipient, b.is_wanted, b.revision, b.leased_until_ms, b.attempts as attempt,
  b.changed_ms`;

interface ClaimQuery {
  readonly nowMs: number;
  readonly untilMs: number;
  readonly limit: number;
  /** Tenants that have enough under way. */
  readonly without: readonly TenantId[];
}

/** Takes up to `limit` blocks that are due. They are this process's until `untilMs`. */
export async function claimNetworkBlocks(
  db: SqlRunner,
  { nowMs, untilMs, limit, without }: ClaimQuery,
): Promise<readonly ClaimedBlock[]> {
  return (await db.run<ClaimedBlock>(NETWORK_BLOCKS_CLAIM, [nowMs, untilMs, limit, without])).rows;
}

/** What the network answered, or why it did not. */
export interface BlockOutcome {
  /** When it is told again; null: it answered for good. */
  readonly dueMs: number | null;
  readonly networkCode: number | null;
  readonly reason: string | null;
}

const NETWORK_BLOCK_SETTLE = statement('network_block_settle')`
update network_blocks set
  due_ms = case when revision = $5 then $7::bigint else $6::bigint end,
  changed_ms = case when revision = $5 and $7::bigint is null then $6::bigint else changed_ms end,
  network_code = case when revision = $5 then $8::integer end, reason = case when revision = $5 then $9::text end,
  leased_until_ms = null
where tenant_id = $1 and address = $2 and phone_number_id = $3 and leased_until_ms = $4
returning phone_number_id, recipient, is_wanted, due_ms, network_code, reason, changed_ms`;

/** Nothing is wanted any more and the network knows; or it refused, and the customer was erased in the meantime. */
const NETWORK_BLOCK_FORGET = statement('network_block_forget')`
delete from network_blocks
where tenant_id = $1 and address = $2 and phone_number_id = $3 and not is_wanted and due_ms is null
  and (reason is null or not exists (select from contact_identities i where i.tenant_id = $1 and i.value = $2))`;

/** The lease was over: what this process told may have reached the network after what another one told it. */
const NETWORK_BLOCK_TELL_AGAIN = statement('network_block_tell_again')`
insert into network_blocks (tenant_id, address, phone_number_id, recipient, is_wanted, due_ms, changed_ms)
values ($1, $2, $3, $4, false, $5, $5)
on conflict (tenant_id, address, phone_number_id) do update set
  revision = network_blocks.revision + 1, due_ms = greatest($5::bigint, network_blocks.leased_until_ms), network_code = null, reason = null`;

/**
 * Stores an outcome. A newer wish is due at once; without the lease, the latest wish is told once more.
 * @returns the block as it is then; null: another process had it
 */
export async function settleNetworkBlock(
  tx: Transaction,
  claimed: ClaimedBlock,
  { dueMs, networkCode, reason }: BlockOutcome,
  nowMs: number,
): Promise<NetworkBlock | null> {
  const { tenantId, address, phoneNumberId, recipient, leasedUntilMs, revision } = claimed;
  const key = [tenantId, address, phoneNumberId];
  const { rows } = await tx.run<BlockRow>(NETWORK_BLOCK_SETTLE, [
    ...key,
    leasedUntilMs,
    revision,
    nowMs,
    ...[dueMs, networkCode, reason],
  ]);
  const [row] = rows;
  if (row === undefined) await tx.run(NETWORK_BLOCK_TELL_AGAIN, [...key, recipient, nowMs]);
  else await tx.run(NETWORK_BLOCK_FORGET, key);
  return row === undefined ? null : toBlock(row);
}

interface BlockRow extends StoredBlock, Omit<NetworkBlock, 'state'> {}

const NETWORK_BLOCKS_OF_CONTACT = statement('network_blocks_of_contact')`
select n.phone_number_id, b.recipient, coalesce(b.is_wanted, false) as is_wanted, b.due_ms, b.network_code, b.reason, b.changed_ms
from (select distinct phone_number_id from conversations where tenant_id = $1 and contact_id = $2) n
left join (
  select b.* from contact_identities i
  join network_blocks b on b.tenant_id = i.tenant_id and b.address = i.value
  where i.tenant_id = $1 and i.contact_id = $2
) b on b.phone_number_id = n.phone_number_id
order by n.phone_number_id, b.recipient`;

/** What became of the block of a contact, for each number that it has written to. */
export async function listNetworkBlocks(
  db: SqlRunner,
  tenantId: TenantId,
  contactId: ContactId,
): Promise<readonly NetworkBlock[]> {
  return (await db.run<BlockRow>(NETWORK_BLOCKS_OF_CONTACT, [tenantId, contactId])).rows.map(toBlock);
}

const CONTACT_OF_ADDRESS = statement('network_block_contact')`
select contact_id from contact_identities where tenant_id = $1 and value = $2 and kind = any('{phone,user_id}'::text[])`;

/** Whose number or user id it is; null: nobody's any more. */
export async function findContactOfAddress(
  db: SqlRunner,
  tenantId: TenantId,
  address: string,
): Promise<ContactId | null> {
  const { rows } = await db.run<{ contactId: ContactId }>(CONTACT_OF_ADDRESS, [tenantId, address]);
  return rows[0]?.contactId ?? null;
}

function toBlock(row: BlockRow): NetworkBlock {
  const { phoneNumberId, recipient, networkCode, reason, changedMs } = row;
  return { phoneNumberId, recipient, state: stateOfBlock(row), networkCode, reason, changedMs };
}
