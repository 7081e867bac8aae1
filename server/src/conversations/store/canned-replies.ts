import type { CannedReplyId, TenantId } from '#core/ids';
import type { ListWindow, Page } from '#core/paging';
import type { Database, SqlRunner, Statement, Transaction } from '#database/database';
import type { Schema } from '#database/schema';

/** A text that agents insert by its shortcut. */
export interface CannedReply {
  readonly replyId: CannedReplyId;
  /** Unique per tenant. */
  readonly shortcut: string;
  readonly text: string;
  readonly version: number;
  readonly createdMs: number;
  readonly updatedMs: number;
}

const CANNED_REPLY_ADD: Statement = {
  name: 'canned_reply_add',
  text: `
insert into canned_replies (tenant_id, reply_id, shortcut, body, version, created_ms, updated_ms)
values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
};
const CANNED_REPLY_CHANGE: Statement = {
  name: 'canned_reply_change',
  text: `
update canned_replies r set shortcut = $3, body = $4, version = $5, updated_ms = $6
where r.tenant_id = $1 and r.reply_id = $2 and not exists (
  select 1 from canned_replies o where o.tenant_id = $1 and o.shortcut = $3 and o.reply_id <> $2)`,
};
const CANNED_REPLY_FIND: Statement = {
  name: 'canned_reply_find',
  text: 'select * from canned_replies where tenant_id = $1 and reply_id = $2',
};
const CANNED_REPLY_LOCK: Statement = { name: 'canned_reply_lock', text: `${CANNED_REPLY_FIND.text} for update` };
const CANNED_REPLY_REMOVE: Statement = {
  name: 'canned_reply_remove',
  text: 'delete from canned_replies where tenant_id = $1 and reply_id = $2',
};

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

export async function findCannedReply(db: SqlRunner, tenantId: TenantId, replyId: string): Promise<CannedReply | null> {
  const { rows } = await db.run<ReplyRow>(CANNED_REPLY_FIND, [tenantId, replyId]);
  return rows[0] === undefined ? null : toReply(rows[0]);
}

export async function lockCannedReply(
  tx: Transaction,
  tenantId: TenantId,
  replyId: string,
): Promise<CannedReply | null> {
  const { rows } = await tx.run<ReplyRow>(CANNED_REPLY_LOCK, [tenantId, replyId]);
  return rows[0] === undefined ? null : toReply(rows[0]);
}

export async function removeCannedReply(tx: Transaction, tenantId: TenantId, replyId: CannedReplyId): Promise<void> {
  await tx.run(CANNED_REPLY_REMOVE, [tenantId, replyId]);
}

/** Newest first. @param prefix only shortcuts that begin so */
export async function listCannedReplies(
  db: Pick<Database, 'kysely'>,
  asked: { readonly tenantId: TenantId; readonly prefix?: string },
  window: ListWindow,
): Promise<Page<CannedReply>> {
  let query = db.kysely.selectFrom('canned_replies').selectAll().where('tenant_id', '=', asked.tenantId);
  if (asked.prefix !== undefined) {
    query = query.where('shortcut', '>=', asked.prefix).where('shortcut', '<', `${asked.prefix}\u{10FFFF}`);
  }
  if (window.beforeId !== null) query = query.where('reply_id', '<', window.beforeId);
  const rows = await query
    .orderBy('reply_id', 'desc')
    .limit(window.limit + 1)
    .offset(window.offset)
    .execute();
  return { items: rows.slice(0, window.limit).map(toReply), hasMore: rows.length > window.limit };
}

type ReplyRow = Schema['canned_replies'];

function toReply(row: ReplyRow): CannedReply {
  return {
    replyId: row.reply_id as CannedReplyId,
    shortcut: row.shortcut,
    text: row.body,
    version: row.version,
    createdMs: Number(row.created_ms),
    updatedMs: Number(row.updated_ms),
  };
}
