/** Lists that a screen needs as a whole: agents to choose from, teams, canned replies. */
import type { PageInfo } from '@postrider/sdk';
import { call } from './api.ts';

interface Page<T> {
  readonly data: readonly T[];
  readonly page: PageInfo;
}

/** The longest page that the API gives: almost every list is read with one request. */
const PAGE = 1_000;
/** Nobody chooses from more: what follows is left out. */
const MAX_PAGES = 10;

interface Reading {
  readonly query?: object;
  readonly signal: AbortSignal;
}

/** Reads all pages of a list, one after the other, up to 10,000 items. @throws PostriderError */
export async function readWhole<T>(path: string, { query = {}, signal }: Reading): Promise<readonly T[]> {
  const items: T[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const asked: object = { ...query, limit: PAGE, ...(cursor === null ? {} : { cursor }) };
    const { data, page }: Page<T> = await call<Page<T>>(path, { query: asked, signal });
    items.push(...data);
    cursor = page.next_cursor;
    if (cursor === null) break;
  }
  return items;
}
