import { sql } from 'kysely';
import type { AgentId, CannedReplyId, MediaId, TeamId, TenantId } from '#core/ids';
import type { ListWindow, Page } from '#core/paging';
import { plainArray } from '#database/arrays';
import { type Database, type SqlRunner, statement, type Transaction } from '#database/database';
import { firstRow, type Lock, newestFirst, pageOf } from '#database/rows';
import { DAY_MS } from '#runtime/retention';

/** A text that agents insert by its shortcut. */
export interface CannedReply {
  readonly replyId: CannedReplyId;
  /** Unique per tenant. */
  readonly shortcut: string;
  readonly text: string;
  /** Files that are sent after the text, in order. */
  readonly mediaIds: readonly MediaId[];
  /** Whose members see it; none: everybody does. */
  readonly teamIds: readonly TeamId[];
  /** How many answers were written with it. */
  readonly useCount: number;
  /** Null: never. */
  readonly lastUsedMs: number | null;
  readonly version: number;
  readonly createdMs: number;
  readonly updatedMs: number;
}

const CANNED_REPLY_ADD = statement('canned_reply_add')`
insert into canned_replies (tenant_id, reply_id, shortcut, body, media_ids, team_ids, version, created_ms, updated_ms)
values ($1, $2, $3, $4, $5::uuid[], $6::uuid[], $7, $8, $9) on conflict do nothing`;
const CANNED_REPLY_CHANGE = statement('canned_reply_change')`
update canned_replies r set shortcut = $3, body = $4, media_ids = $5::uuid[], team_ids = $6::uuid[], version = $7, updated_ms = $8
where r.tenant_id = $1 and r.reply_id = $2 and not exists (
  select 1 from canned_replies o where o.tenant_id = $1 and o.shortcut = $3 and o.reply_id <> $2)`;
const CANNED_REPLY_LOCK = statement('canned_reply_lock')`
select * from canned_replies where tenant_id = $1 and reply_id = $2 for update`;
const CANNED_REPLY_FIND = statement('canned_reply_find')`
select * from canned_replies r
where r.tenant_id = $1 and r.reply_id = $2 and ($3::uuid is null or r.team_ids = '{}' or exists (
  select 1 from team_members m where m.tenant_id = r.tenant_id and m.agent_id = $3::uuid and m.team_id = any(r.team_ids)))`;
const CANNED_REPLY_REMOVE = statement('canned_reply_remove')`
delete from canned_replies where tenant_id = $1 and reply_id = $2`;

/** @returns false when another one has the shortcut */
export async function addCannedReply(tx: Transaction, tenantId: TenantId, reply: CannedReply): Promise<boolean> {
  const { replyId, version, createdMs, updatedMs } = reply;
  const values = [tenantId, replyId, ...contentOf(reply), version, createdMs, updatedMs];
  return (await tx.run(CANNED_REPLY_ADD, values)).rowCount > 0;
}

/** Stores one that is locked. @returns false when another one has the shortcut */
export async function writeCannedReply(tx: Transaction, tenantId: TenantId, reply: CannedReply): Promise<boolean> {
  const { replyId, version, updatedMs } = reply;
  return (await tx.run(CANNED_REPLY_CHANGE, [tenantId, replyId, ...contentOf(reply), version, updatedMs])).rowCount > 0;
}

function contentOf({ shortcut, text, mediaIds, teamIds }: CannedReply): readonly unknown[] {
  return [shortcut, text, plainArray(mediaIds), plainArray(teamIds)];
}

const CANNED_REPLY_USED = statement('canned_reply_used')`
update canned_replies set use_count = use_count + 1, last_used_ms = greatest(last_used_ms, $3::bigint)
where tenant_id = $1 and reply_id = $2`;

/** Counts a use. It is no change: the version stays. One that is gone is not counted. */
export async function noteUse(
  tx: Transaction,
  { tenantId, replyId, nowMs }: { readonly tenantId: TenantId; readonly replyId: string; readonly nowMs: number },
): Promise<void> {
  await tx.run(CANNED_REPLY_USED, [tenantId, replyId, nowMs]);
}

/** @param viewerId the agent who looks and sees those of their teams; null: whoever sees all */
export function findCannedReply(
  db: SqlRunner,
  tenantId: TenantId,
  replyId: string,
  viewerId: AgentId | null,
): Promise<CannedReply | null> {
  return firstRow(db.run<ReplyRow>(CANNED_REPLY_FIND, [tenantId, replyId, viewerId]), toReply);
}

export const lockCannedReply: Lock<CannedReply> = (tx, ...key) =>
  firstRow(tx.run<ReplyRow>(CANNED_REPLY_LOCK, key), toReply);

export async function removeCannedReply(tx: Transaction, tenantId: TenantId, replyId: CannedReplyId): Promise<void> {
  await tx.run(CANNED_REPLY_REMOVE, [tenantId, replyId]);
}

/* Over all tenants, joined on tenant_id. */
const FILES_KEEP = statement('canned_reply_files_keep')`
update media m set expires_ms = $1 + k.kept_ms
from (
  select r.tenant_id, r.media_ids, least($2::bigint, (t.retention ->> 'uploads')::bigint * ${DAY_MS}) as kept_ms
  from canned_replies r join tenants t on t.tenant_id = r.tenant_id where r.media_ids <> '{}'
) k
where m.tenant_id = k.tenant_id and m.media_id = any(k.media_ids)
  and m.expires_ms > $1 and m.expires_ms <= $1 + k.kept_ms / 2`;

/**
 * Extends files of canned replies half way to their end.
 * @param keptMs how long the installation keeps files; a tenant may keep them for less
 * @returns how many
 */
export async function extendReplyFiles(
  db: SqlRunner,
  { nowMs, keptMs }: { readonly nowMs: number; readonly keptMs: number },
): Promise<number> {
  return (await db.run(FILES_KEEP, [nowMs, keptMs])).rowCount;
}

export interface ListedReplies {
  readonly tenantId: TenantId;
  /** As for `findCannedReply`. */
  readonly viewerId: AgentId | null;
  /** Only shortcuts that begin so. */
  readonly prefix?: string;
}

/** Newest first. */
export async function listCannedReplies(
  db: Pick<Database, 'kysely'>,
  { tenantId, viewerId, prefix }: ListedReplies,
  window: ListWindow,
): Promise<Page<CannedReply>> {
  let query = db.kysely.selectFrom('canned_replies').selectAll().where('tenantId', '=', tenantId);
  if (prefix !== undefined) {
    query = query.where('shortcut', '>=', prefix).where('shortcut', '<', `${prefix}\u{10FFFF}`);
  }
  if (viewerId !== null) {
    const theirTeams = sql`select team_id from team_members where tenant_id = ${tenantId} and agent_id = ${viewerId}`;
    query = query.where(sql<boolean>`(team_ids = '{}' or team_ids && array(${theirTeams}))`);
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
