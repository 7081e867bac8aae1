/** What the inbox asks of bulk changes. */
import type * as Sdk from '@postrider/sdk';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../app/api.ts';
import { readWhole } from '../../../app/whole-list.ts';
import type { Known } from '../../../live/known.ts';

/** What to change in each conversation, in the words of the API. */
export type BulkFields = Sdk.CreateBulkChangeRequest['change'];

/** Which conversations: these, or what a view has, which the person saw to be so many. */
export type BulkScope = { readonly ids: readonly string[] } | { readonly when: object; readonly expected: number };

export type BulkChange = Known<Sdk.BulkChange>;

const PATH = '/v1/bulk-changes';
/** How often the progress of a running change is read. */
const PROGRESS_MS = 700;
const LONGEST = 200;
const MINUTE_MS = 60_000;

const post = <T>(path: string, body?: object) =>
  call<T>(path, { method: 'POST', body, idempotencyKey: crypto.randomUUID() });

export const beginBulkChange = (scope: BulkScope, change: BulkFields) => post<BulkChange>(PATH, { ...scope, change });
export const cancelBulkChange = (id: string) => post<BulkChange>(`${PATH}/${id}/cancel`);
export const undoBulkChange = (id: string) => post<BulkChange>(`${PATH}/${id}/undo`);

export const bulkChangeKey = (id: string | null) => ['bulk-change', id] as const;
export const bulkChangeQuery = (id: string | null) =>
  queryOptions({
    queryKey: bulkChangeKey(id),
    queryFn: ({ signal }) => call<BulkChange>(`${PATH}/${id}`, { signal }),
    enabled: id !== null,
    staleTime: PROGRESS_MS,
    refetchInterval: ({ state }) => (state.data?.finished_at == null ? PROGRESS_MS : false),
  });

/** The bulk changes that are queued or running, of everybody. */
export const openBulkChangesQuery = queryOptions({
  queryKey: ['bulk-open'],
  queryFn: async ({ signal }) =>
    (await call<Known<Sdk.BulkChangeList>>(PATH, { query: { open: true, limit: LONGEST }, signal })).data,
  staleTime: Number.POSITIVE_INFINITY,
  // What was running when the inbox was left is asked for afresh.
  gcTime: 0,
});

/** How many conversations a view has. */
export const matchingQuery = (when: object | null) =>
  queryOptions({
    queryKey: ['bulk-matching', when],
    queryFn: ({ signal }) => call<Sdk.BulkChangePreview>(`${PATH}/preview`, { method: 'POST', body: { when }, signal }),
    enabled: when !== null,
    // What a person is asked to agree to is counted afresh.
    staleTime: 0,
    gcTime: 0,
  });

/** The conversations that a bulk change has left as they were, because they refused it. */
export const leftQuery = (id: string) =>
  queryOptions({
    queryKey: ['bulk-left', id],
    queryFn: ({ signal }) =>
      call<Sdk.BulkChangeItemList>(`${PATH}/${id}/items`, { query: { outcome: 'refused', limit: LONGEST }, signal }),
    staleTime: MINUTE_MS,
  });

export const teamsQuery = queryOptions({
  queryKey: ['teams'],
  queryFn: ({ signal }) => readWhole<Sdk.Team>('/v1/teams', { signal }),
  staleTime: 10 * MINUTE_MS,
});
