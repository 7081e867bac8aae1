import Type, { type TSchema } from 'typebox';
import { NAME, named, time, withExample } from './fields.ts';

export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 1000;
/** The largest offset that PostgreSQL's integer carries; a cursor walks further at no cost. */
const MAX_OFFSET = 2_147_483_647;
/** A cursor has 43 characters. */
const MAX_CURSOR_CHARACTERS = 200;

/** How a cursor looks; a real one comes from the page before. */
export const cursorExample = 'AZCm8owefVSbOl9sfY6fAU0kxq5Qy0d3mN1rWb7uZ2c';

/** The query parameters that every list has. */
export const pageQuery = {
  limit: Type.Optional(
    withExample(
      Type.Integer({
        minimum: 1,
        maximum: MAX_LIMIT,
        default: DEFAULT_LIMIT,
        description: 'Maximum number of items to return.',
      }),
      20,
    ),
  ),
  offset: Type.Optional(
    withExample(
      Type.Integer({
        minimum: 0,
        maximum: MAX_OFFSET,
        description: 'Items to skip (default 0). Cannot be combined with cursor.',
      }),
      40,
    ),
  ),
  cursor: Type.Optional(
    withExample(
      Type.String({
        minLength: 1,
        maxLength: MAX_CURSOR_CHARACTERS,
        description: 'next_cursor of the previous page, with the same filters. Equally fast on every page.',
      }),
      cursorExample,
    ),
  ),
};

/** What the network gives of one of its lists at once. */
const MAX_NETWORK_LIMIT = 100;
/** The network's own cursors are within. */
const MAX_NETWORK_CURSOR = 1_000;

/** The query parameters of a list that the network keeps. */
export const networkPageQuery = {
  limit: Type.Optional(
    withExample(
      Type.Integer({
        minimum: 1,
        maximum: MAX_NETWORK_LIMIT,
        default: DEFAULT_LIMIT,
        description: 'Maximum number of items to return.',
      }),
      20,
    ),
  ),
  cursor: Type.Optional(
    withExample(
      Type.String({
        minLength: 1,
        maxLength: MAX_NETWORK_CURSOR,
        description: 'next_cursor of the previous page, with the same filters.',
      }),
      cursorExample,
    ),
  ),
};

/** The query parameters that bound a list in time. @param items what is listed, as in `Only messages received after …` */
export function periodQuery(items: string) {
  return {
    created_after: Type.Optional(withExample(time(`Only ${items} after this time.`), '2030-01-01T00:00:00Z')),
    created_before: Type.Optional(withExample(time(`Only ${items} before this time.`), '2030-02-01T00:00:00Z')),
  };
}

export const PageInfo = Type.Object(
  {
    limit: Type.Integer({ description: 'The limit that was used.' }),
    offset: Type.Integer({ description: 'The offset that was used; 0 with a cursor.' }),
    has_more: Type.Boolean({ description: 'Whether there is another page.' }),
    next_cursor: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'cursor for the next page.' }),
  },
  named('PageInfo', 'Position of this page in the list.'),
);

/** A page of `item`, newest first. Of a `Contact` it is called `ContactList`. */
export function listOf(item: TSchema & { readonly [NAME]?: string }, description: string) {
  const name = item[NAME];
  const options = name === undefined ? { description } : named(`${name}List`, description);
  return Type.Object({ data: Type.Array(item), page: PageInfo }, options);
}
