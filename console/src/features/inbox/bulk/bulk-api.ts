/** What the inbox asks of bulk changes. */
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../app/api.ts';
import { readWhole } from '../../../app/whole-list.ts';
import type { Priority } from '../../../live/model.ts';

/** What to change in each conversation, in the words of the API. */
export interface BulkFields {
  readonly status?: 'open' | 'snoozed' | 'resolved';
  readonly snoozed_until?: string | null;
  readonly assignee_id?: string | null;
  readonly team_id?: string | null;
  readonly priority?: Priority;
  readonly add_tags?: readonly string[];
  readonly remove_tags?: readonly string[];
  readonly read?: true;
}

/** Which conversations: these, or what a view has, which the person saw to be so many. */
export type BulkScope = { readonly ids: readonly string[] } | { readonly when: object; readonly expected: number };

export interface BulkChange {
  readonly id: string;
  readonly status: 'queued' | 'running' | 'completed' | 'canceled';
  readonly undoes: string | null;
  readonly actor: { readonly kind: string; readonly id: string | null };
  readonly total: number;
  readonly waiting: number;
  readonly changed: number;
  readonly refused: number;
  readonly undo_until: string | null;
  readonly finished_at: string | null;
}

export interface LeftItem {
  readonly conversation_id: string;
  readonly reason: string | null;
}

interface List<T> {
  readonly data: readonly T[];
  readonly page: { readonly has_more: boolean };
}

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
    (await call<List<BulkChange>>(PATH, { query: { open: true, limit: LONGEST }, signal })).data,
  staleTime: Number.POSITIVE_INFINITY,
  // What was running when the inbox was left is asked for afresh.
  gcTime: 0,
});

/** How many conversations a view has. */
export const matchingQuery = (when: object | null) =>
  queryOptions({
    queryKey: ['bulk-matching', when],
    queryFn: ({ signal }) =>
      call<{ matching: number; more: boolean }>(`${PATH}/preview`, { method: 'POST', body: { when }, signal }),
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
      call<List<LeftItem>>(`${PATH}/${id}/items`, { query: { outcome: 'refused', limit: LONGEST }, signal }),
    staleTime: MINUTE_MS,
  });

export const teamsQuery = queryOptions({
  queryKey: ['teams'],
  queryFn: ({ signal }) => readWhole<{ readonly id: string; readonly name: string }>('/v1/teams', { signal }),
  staleTime: 10 * MINUTE_MS,
});
