/** The views of the inbox: each is a list of the API, and the same condition for what events change. */
import type { LiveList } from '../live/source.ts';
import { t } from '../locales/text.ts';
import type { Counts } from './resources.ts';

export const VIEW_NAMES = ['open', 'mine', 'unassigned', 'waiting', 'snoozed', 'resolved'] as const;
export type BuiltInName = (typeof VIEW_NAMES)[number];
export const isBuiltIn = (value: unknown): value is BuiltInName => (VIEW_NAMES as readonly unknown[]).includes(value);

/** One of the views that are always there, or the id of one that somebody has made. */
export type ViewName = string;
export const isViewName = (value: unknown): value is ViewName =>
  isBuiltIn(value) || (typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value));

export interface View {
  readonly name: ViewName;
  readonly title: string;
  readonly list: LiveList;
  readonly count: (counts: Counts) => number | null;
}

/** @param meId the agent who looks; null: a program's key, which is nobody */
export function viewsFor(meId: string | null): readonly View[] {
  const open = { status: 'open' };
  return [
    {
      name: 'open',
      title: t('view.open'),
      list: { name: 'open', sort: 'last_activity', query: open, holds: (one) => one.status === 'open' },
      count: ({ by_status: status }) => status.open ?? 0,
    },
    {
      name: 'mine',
      title: t('view.mine'),
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
      title: t('view.unassigned'),
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
      title: t('view.waiting'),
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
      title: t('view.snoozed'),
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
      title: t('view.resolved'),
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
