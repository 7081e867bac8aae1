/** The views of the inbox: each is a list of the API, and the same condition for what events change. */
import type { LiveList } from '../live/source.ts';
import { t } from '../locales/text.ts';
import type { Counts } from './resources.ts';
import { type BuiltInName, VIEW_NAMES, viewQuery } from './start/early-reads.ts';

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

type Known = Pick<View, 'count'> & Pick<LiveList, 'holds'>;

/** @param meId the agent who looks; null: a program's key, which is nobody */
export function viewsFor(meId: string | null): readonly View[] {
  const isOpen: LiveList['holds'] = ({ status }) => status === 'open';
  const known: Readonly<Record<BuiltInName, Known>> = {
    open: { holds: isOpen, count: ({ by_status: status }) => status.open ?? 0 },
    mine: {
      holds: (one) => isOpen(one) && one.assignee_id === meId && meId !== null,
      count: ({ active }) => (meId === null ? 0 : (active.by_assignee[meId] ?? 0)),
    },
    unassigned: {
      holds: (one) => isOpen(one) && one.assignee_id === null,
      count: ({ active }) => active.unassigned,
    },
    waiting: {
      holds: (one) => isOpen(one) && one.waiting_since !== null,
      count: ({ active }) => active.waiting,
    },
    snoozed: {
      holds: ({ status }) => status === 'snoozed',
      count: ({ by_status: status }) => status.snoozed ?? 0,
    },
    resolved: { holds: ({ status }) => status === 'resolved', count: () => null },
  };
  return VIEW_NAMES.map((name) => {
    const { holds, count } = known[name];
    return { name, title: t(`view.${name}`), list: { name, holds, ...viewQuery(name, meId) }, count };
  });
}
