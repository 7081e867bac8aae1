import type { CannedReplyId, TenantId } from '#core/ids';
import type { ListWindow, Page } from '#core/paging';
import { type Database, statement, type Transaction } from '#database/database';
import { type Find, firstRow, type Lock, newestFirst, pageOf } from '#database/rows';

/** A text that agents insert by its shortcut. */
export interface CannedReply {
  readonly replyId: CannedReplyId;
  /** Unique per tenant. */
  readonly shortcut: string;
  readonly text: string;
  /** How often it was filled for a customer. */
  readonly useCount: number;
  /** Null: never. */
  readonly lastUsedMs: number | null;
  readonly version: number;
  readonly createdMs: number;
  readonly updatedMs: number;
}

const CANNED_REPLY_ADD = statement('canned_reply_add')`
insert into canned_replies (tenant_id, reply_id, shortcut, body, version, created_ms, updated_ms)
values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`;
const CANNED_REPLY_CHANGE = statement('canned_reply_change')`
update canned_replies r set shortcut = $3, body = $4, version = $5, updated_ms = $6
where r.tenant_id = $1 and r.reply_id = $2 and not exists (
  select 1 from canned_replies o where o.tenant_id = $1 and o.shortcut = $3 and o.reply_id <> $2)`;
const CANNED_REPLY_FIND = statement('canned_reply_find')`
select * from canned_replies where tenant_id = $1 and reply_id = $2`;
const CANNED_REPLY_LOCK = statement('canned_reply_lock')`${CANNED_REPLY_FIND.text} for update`;
const CANNED_REPLY_REMOVE = statement('canned_reply_remove')`
delete from canned_replies where tenant_id = $1 and reply_id = $2`;

/** @returns false when another one has the shortcut */
export async function addCannedReply(tx: Transaction, tenantId: TenantId, reply: CannedReply): Promise<boolean> {
  const { replyId, shortcut, text, version, createdMs, updatedMs } = reply;
  return (
    (await tx.run(CANNED_REPLY_ADD, [tenantId, replyId, shortcut, text, version, createdMs, updatedMs])).rowCount > 0
  );
}

/** Stores one that is locked. @returns false when another one has the shortcut */
export async function writeCannedReply(tx: Transaction, tenantId: TenantId, reply: CannedReply): Promise<boolean> {
  const { replyId, shortcut, text, version, updatedMs } = reply;
  return (await tx.run(CANNED_REPLY_CHANGE, [tenantId, replyId, shortcut, text, version, updatedMs])).rowCount > 0;
}

const CANNED_REPLY_USED = statement('canned_reply_used')`
update canned_replies set use_count = use_count + 1, last_used_ms = greatest(last_used_ms, $3::bigint)
where tenant_id = $1 and reply_id = $2`;

/** Counts a use. It is no change: the version stays. */
export async function noteUse(
  tx: Transaction,
  { tenantId, replyId, nowMs }: { readonly tenantId: TenantId; readonly replyId: string; readonly nowMs: number },
): Promise<void> {
  await tx.run(CANNED_REPLY_USED, [tenantId, replyId, nowMs]);
}

export const findCannedReply: Find<CannedReply> = (db, ...key) =>
  firstRow(db.run<ReplyRow>(CANNED_REPLY_FIND, key), toReply);
export const lockCannedReply: Lock<CannedReply> = (tx, ...key) =>
  firstRow(tx.run<ReplyRow>(CANNED_REPLY_LOCK, key), toReply);

export async function removeCannedReply(tx: Transaction, tenantId: TenantId, replyId: CannedReplyId): Promise<void> {
  await tx.run(CANNED_REPLY_REMOVE, [tenantId, replyId]);
}

/** Newest first. @param prefix only shortcuts that begin so */
export async function listCannedReplies(
  db: Pick<Database, 'kysely'>,
  asked: { readonly tenantId: TenantId; readonly prefix?: string },
  window: ListWindow,
): Promise<Page<CannedReply>> {
  let query = db.kysely.selectFrom('canned_replies').selectAll().where('tenantId', '=', asked.tenantId);
  if (asked.prefix !== undefined) {
    query = query.where('shortcut', '>=', asked.prefix).where('shortcut', '<', `${asked.prefix}\u{10FFFF}`);
  }
  return pageOf((await newestFirst(query, 'replyId', window).execute()).map(toReply), window.limit);
}

interface ReplyRow extends Omit<CannedReply, 'text'> {
  readonly tenantId: TenantId;
  readonly body: string;
}

declare module '#database/schema' {
  interface Schema {
    canned_replies: ReplyRow;
  }
}

function toReply({ tenantId: _tenant, body: text, ...reply }: ReplyRow): CannedReply {
  return { ...reply, text };
}
