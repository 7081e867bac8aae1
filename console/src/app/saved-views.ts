/** The views that people have made: lists of the inbox by a condition of the API. */
import type { CountViewsResponse, ListViewsResponse, View } from '@postrider/sdk';
import { queryOptions } from '@tanstack/react-query';
import { matches } from '../live/condition.ts';
import type { Known } from '../live/known.ts';
import { call } from './api.ts';
import type { View as ListView } from './views.ts';

/** Conditions are read field by field, as they may be of programs that know more. */
export type SavedView = Known<Pick<View, 'id' | 'name' | 'sort' | 'shared' | 'version'>> & { readonly when: object };

export type ViewInput = Pick<SavedView, 'name' | 'when' | 'shared'>;

const MINUTE_MS = 60_000;

export const savedViewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: async ({ signal }) => (await call<Known<ListViewsResponse>>('/v1/views', { signal })).data,
  staleTime: MINUTE_MS,
});
export const viewCountsQuery = queryOptions({
  queryKey: ['view-counts'],
  queryFn: async ({ signal }) => {
    const { data } = await call<CountViewsResponse>('/v1/views/counts', { signal });
    return new Map(data.map((one) => [one.id, one]));
  },
  staleTime: MINUTE_MS,
});

export function createView(input: ViewInput): Promise<SavedView> {
  return call('/v1/views', { method: 'POST', body: input, idempotencyKey: crypto.randomUUID() });
}

export function updateView({ id }: SavedView, input: ViewInput): Promise<SavedView> {
  return call(`/v1/views/${id}`, { method: 'PATCH', body: input });
}

export function deleteView({ id }: SavedView): Promise<unknown> {
  return call(`/v1/views/${id}`, { method: 'DELETE' });
}

/**
 * A saved view as a list of the inbox.
 * @param meId the agent who looks; null: a program's key, which is nobody
 */
export function listOfSaved({ id, name, when, sort, version }: SavedView, meId: string | null): ListView {
  // What depends on the contact is known of those that the service has named.
  const served = new Set<string>();
  return {
    name: id,
    title: name,
    list: {
      // A list that changes its condition is another one.
      name: `${id} ${version}`,
      sort,
      query: {},
      search: {
        when,
        onRead: (found, isFirst) => {
          if (isFirst) served.clear();
          for (const one of found) served.add(one.id);
        },
      },
      holds: (one) => {
        if (sort === 'waiting_since' && one.waiting_since === null) return false;
        return matches(when, one, { meId, nowMs: Date.now() }) ?? served.has(one.id);
      },
    },
    count: () => null,
  };
}
