import { type SelectQueryBuilder, sql } from 'kysely';
import type { TenantId } from '#core/ids';
import type { ListWindow, Page } from '#core/paging';
import type { QueryResult, SqlRunner, Transaction } from './database.ts';

/** Finds a thing of a tenant by its id. Null: there is none, or it is another tenant's. */
export type Find<T> = (db: SqlRunner, tenantId: TenantId, id: string) => Promise<T | null>;

/** The same; nobody else changes what it found until the transaction ends. */
export type Lock<T> = (tx: Transaction, tenantId: TenantId, id: string) => Promise<T | null>;

/** The first row of a result; null: there is none. @param toObject what becomes of the row; absent: it is returned as it came */
export function firstRow<T>(result: Promise<QueryResult<T>>): Promise<T | null>;
export function firstRow<Row, T>(result: Promise<QueryResult<Row>>, toObject: (row: Row) => T): Promise<T | null>;
export async function firstRow<Row, T>(
  result: Promise<QueryResult<Row>>,
  toObject?: (row: Row) => T,
): Promise<Row | T | null> {
  const row = (await result).rows[0] ?? null;
  return row === null || toObject === undefined ? row : toObject(row);
}

/** A page of a list that was read with one row more than the page shows: that one tells whether another page follows. */
export function pageOf<T>(rows: readonly T[], limit: number): Page<T> {
  return { items: rows.slice(0, limit), hasMore: rows.length > limit };
}

/** A window of what a query selects, newest first, and one row more. @param id the column of the cursor, unique and in order of time */
export function newestFirst<Tables, Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  id: string,
  { limit, offset, beforeId }: ListWindow,
): SelectQueryBuilder<Tables, Table, Row> {
  const older = beforeId === null ? query : query.where(sql<boolean>`${sql.ref(id)} < ${beforeId}`);
  return older
    .orderBy(sql.ref(id), 'desc')
    .limit(limit + 1)
    .offset(offset);
}

/** Rows by what they belong to, each group in the order of the rows. */
export function groupRows<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): ReadonlyMap<Key, readonly Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group === undefined) groups.set(keyOf(row), [row]);
    else group.push(row);
  }
  return groups;
}
