/** The views of the inbox: each is a list of the API, and the same condition for what events change. */
import type { LiveList } from '../live/source.ts';
import type { TextName } from '../locales/text.ts';
import type { Counts } from './resources.ts';

export const VIEW_NAMES = ['open', 'mine', 'unassigned', 'waiting', 'snoozed', 'resolved'] as const;
export type ViewName = (typeof VIEW_NAMES)[number];
export const isViewName = (value: unknown): value is ViewName => (VIEW_NAMES as readonly unknown[]).includes(value);

export interface View {
  readonly name: ViewName;
  readonly label: TextName;
  readonly list: LiveList;
  readonly count: (counts: Counts) => number | null;
}

/** @param meId the agent who looks; null: a program's key, which is nobody */
export function viewsFor(meId: string | null): readonly View[] {
  const open = { status: 'open' };
  return [
    {
      name: 'open',
      label: 'view.open',
      list: { name: 'open', sort: 'last_activity', query: open, holds: (one) => one.status === 'open' },
      count: ({ by_status: status }) => status.open ?? 0,
    },
    {
      name: 'mine',
      label: 'view.mine',
      list: {
        name: 'mine',
        sort: 'last_activity',
        query: { ...open, assignee: meId ?? 'none' },
        holds: (one) => one.status === 'open' && one.assignee_id === meId && meId !== null,
      },
      count: ({ active }) => (meId === null ? 0 : (active.by_assignee[meId] ?? 0)),
    },
    {
      name: 'unassigned',
      label: 'view.unassigned',
      list: {
        name: 'unassigned',
        sort: 'last_activity',
        query: { ...open, assignee: 'none' },
        holds: (one) => one.status === 'open' && one.assignee_id === null,
      },
      count: ({ active }) => active.unassigned,
    },
    {
      name: 'waiting',
      label: 'view.waiting',
      list: {
        name: 'waiting',
        sort: 'waiting_since',
        query: { ...open, waiting: 'true' },
        holds: (one) => one.status === 'open' && one.waiting_since !== null,
      },
      count: ({ active }) => active.waiting,
    },
    {
      name: 'snoozed',
      label: 'view.snoozed',
      list: {
        name: 'snoozed',
        sort: 'last_activity',
        query: { status: 'snoozed' },
        holds: (one) => one.status === 'snoozed',
      },
      count: ({ by_status: status }) => status.snoozed ?? 0,
    },
    {
      name: 'resolved',
      label: 'view.resolved',
      list: {
        name: 'resolved',
        sort: 'last_activity',
        query: { status: 'resolved' },
        holds: (one) => one.status === 'resolved',
      },
      count: () => null,
    },
  ];
}
