/** What a view shows, as a condition of the API. */
import type { LiveList } from '../live/source.ts';

const WAITING = { field: 'conversation.waiting_since', match: 'exists' };

/** The condition that has the conversations of a list, and no others. */
export function whenOf({ query, search, sort }: LiveList): object {
  const { status, assignee, waiting } = query;
  const parts = [
    ...(search === undefined ? [] : [search.when]),
    ...(status === undefined ? [] : [{ field: 'conversation.status', value: status }]),
    ...(assignee === undefined ? [] : [assigneeIs(assignee)]),
    // A list in the order of waiting leaves out those who do not wait.
    ...(waiting === 'true' || sort === 'waiting_since' ? [WAITING] : []),
  ];
  return { all: parts };
}

function assigneeIs(assignee: string): object {
  const field = 'conversation.assignee_id';
  return assignee === 'none' ? { field, match: 'missing' } : { field, value: assignee };
}
