import { findAuthorNames } from '#analytics/store/analytics-names';
import { readBreakdown } from '#analytics/store/analytics-reads';
import type { Period } from '#core/calendar';
import { authorKinds, type MessageAuthor, type NamedAuthor } from '#core/caller/author';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';

interface AuthorsQuery {
  readonly tenantId: TenantId;
  readonly period: Period;
}

/** How many messages somebody had sent. */
export interface AuthorFigures {
  readonly author: NamedAuthor;
  readonly messages: number;
}

/** Authors of one answer: those with most messages. */
export const MAX_AUTHORS = 500;
const KINDS: ReadonlySet<string> = new Set(authorKinds);

/** Who had messages sent that were accepted in a time, most first. */
export async function readAuthors(db: Database, query: AuthorsQuery): Promise<readonly AuthorFigures[]> {
  const counted = await readCounts(db, query, MAX_AUTHORS);
  const ids = counted.map(({ id }) => id);
  const names = ids.length === 0 ? new Map<string, string>() : await findAuthorNames(db, query.tenantId, ids);
  return counted.map(({ kind, id, messages }) => ({ author: { kind, id, name: names.get(id) ?? null }, messages }));
}

/** More than the campaigns of a busy year and the agents of a large tenant. */
const MAX_COUNTED = 20_000;

/** How many messages each agent wrote that were accepted in a time. */
export async function readWritten(db: Database, query: AuthorsQuery): Promise<ReadonlyMap<string, number>> {
  const counted = await readCounts(db, query, MAX_COUNTED);
  return new Map(counted.filter(({ kind }) => kind === 'agent').map(({ id, messages }) => [id, messages]));
}

async function readCounts(
  db: Database,
  query: AuthorsQuery,
  limit: number,
): Promise<readonly (MessageAuthor & { readonly messages: number })[]> {
  const rows = await readBreakdown(db, { ...query, dimension: 'author', limit });
  return rows.flatMap(({ key, counts }) => {
    const [kind = '', id = ''] = key.split(':');
    return KINDS.has(kind) ? [{ kind: kind as MessageAuthor['kind'], id, messages: counts.accepted }] : [];
  });
}

/** How many messages each kind of author had sent that were accepted in a time. */
export async function readAuthorKinds(
  db: Database,
  query: AuthorsQuery,
): Promise<Readonly<Record<MessageAuthor['kind'], number>>> {
  const rows = await readBreakdown(db, { ...query, dimension: 'author_kind', limit: authorKinds.length });
  const counts = new Map(rows.map((row) => [row.key, row.counts.accepted]));
  const entries = authorKinds.map((kind) => [kind, counts.get(kind) ?? 0]);
  return Object.fromEntries(entries) as Record<MessageAuthor['kind'], number>;
}
