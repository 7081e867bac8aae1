import type { Conversation } from './model.ts';

/** How a list is sorted, in the words of the API. */
export type Sort = 'last_activity' | 'waiting_since';

/** Where a conversation stands in a sorted list: a time, and the id where that is the same. */
export type Position = readonly [at: string, id: string];

/** The position of a conversation in a list that is sorted like this. */
export function positionOf(one: Conversation, sort: Sort): Position {
  const at = sort === 'waiting_since' ? (one.waiting_since ?? '') : (one.last_message?.at ?? one.created_at);
  return [at, one.id];
}

/** Most recently active first, or longest wait first. */
export function comparePositions(sort: Sort): (left: Position, right: Position) => number {
  const sign = sort === 'waiting_since' ? 1 : -1;
  return (left, right) => {
    const place = left[0] === right[0] ? 1 : 0;
    return left[place] === right[place] ? 0 : (left[place] as string) < (right[place] as string) ? -sign : sign;
  };
}
