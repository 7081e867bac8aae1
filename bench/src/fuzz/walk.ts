import type { FuzzAnswer } from './request.ts';

export interface Row {
  /** Its id; the row itself where it has no id. */
  readonly id: string;
  readonly json: Readonly<Record<string, unknown>>;
}

type Ask = (more: Readonly<Record<string, string>>) => Promise<FuzzAnswer | null>;

interface Page {
  readonly data?: readonly Row['json'][];
  readonly page?: { readonly next_cursor: string | null };
}

const LARGE = '1000';
/** Small pages are so many that there is a first, a middle and a last one. */
const SMALL_PAGES = 3;
/** What still changes while it is read is read again. */
const TRIES = 3;

/** The rows of one page of a list. */
export function rowsOn(json: unknown): readonly Row[] {
  const { data } = (json ?? {}) as Page;
  if (!Array.isArray(data)) return [];
  return (data as readonly Row['json'][]).map((row) => ({
    id: typeof row.id === 'string' ? row.id : JSON.stringify(row),
    json: row,
  }));
}

/** Whether a list continues after this page. */
export function isCutShort({ json }: FuzzAnswer): boolean {
  return typeof ((json ?? {}) as Page).page?.next_cursor === 'string';
}

/** Walks a list by its cursors in large and in small pages. @returns its rows, and in a sentence how the walks differ */
export async function walkTwice(
  ask: Ask,
): Promise<{ readonly rows: readonly Row[]; readonly sentence: string | null }> {
  let sentence: string | null = null;
  let rows: readonly Row[] = [];
  for (let index = 0; index < TRIES; index += 1) {
    rows = await walk(ask, LARGE);
    const small = Math.min(Number(LARGE), Math.max(1, Math.ceil(rows.length / SMALL_PAGES)));
    const again = await walk(ask, String(small));
    sentence = repeated(rows) ?? repeated(again) ?? difference(rows, again, small);
    if (sentence === null) break;
  }
  return { rows, sentence };
}

async function walk(ask: Ask, limit: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null | undefined = ''; typeof cursor === 'string'; ) {
    const answer = await ask(cursor === '' ? { limit } : { limit, cursor });
    const { page } = (answer?.json ?? {}) as Page;
    rows.push(...rowsOn(answer?.json));
    cursor = page?.next_cursor;
  }
  return rows;
}

function repeated(rows: readonly Row[]): string | null {
  const ids = rows.map(({ id }) => id);
  return new Set(ids).size === ids.length ? null : 'lists a row twice';
}

function difference(rows: readonly Row[], again: readonly Row[], small: number): string | null {
  if (rows.map(({ id }) => id).join() === again.map(({ id }) => id).join()) return null;
  return `lists ${rows.length} rows in pages of ${LARGE}, and others or in another order, ${again.length}, in pages of ${small}`;
}
