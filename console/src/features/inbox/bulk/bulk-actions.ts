/** What can be done to everything that is selected. */
import type { Agent } from '../../../app/resources.ts';
import { t } from '../../../locales/text.ts';
import { snoozeTimes } from '../thread/snooze-times.ts';
import type { BulkFields } from './bulk-api.ts';

export interface BulkAction {
  readonly id: string;
  /** As a command is called. */
  readonly name: string;
  readonly change: BulkFields;
}

/** One that stands in a menu, where it is plain what it is done to. */
export interface MenuAction extends BulkAction {
  readonly label: string;
}

const PRIORITIES = ['urgent', 'high', 'normal', 'low'] as const;

export const RESOLVE: BulkAction = { id: 'resolve', name: t('bulk.resolve'), change: { status: 'resolved' } };
export const REOPEN: BulkAction = { id: 'reopen', name: t('bulk.reopen'), change: { status: 'open' } };

/** Those of the menu "More". */
export function furtherActions(nowMs: number): readonly MenuAction[] {
  return [
    { id: 'read', label: t('bulk.markRead'), name: t('bulk.read'), change: { read: true } },
    ...snoozeTimes(nowMs).map(
      ({ label: when, until }): MenuAction => ({
        id: when,
        label: t('action.snoozeTo', { time: t(when) }),
        name: t('bulk.snooze', { time: t(when) }),
        change: { status: 'snoozed', snoozed_until: until },
      }),
    ),
    ...PRIORITIES.map(
      (priority): MenuAction => ({
        id: `priority-${priority}`,
        label: t('action.priority', { priority: t(`priority.${priority}`) }),
        name: t('bulk.priority', { priority: t(`priority.${priority}`) }),
        change: { priority },
      }),
    ),
  ];
}

interface Assignees {
  readonly agents: readonly Agent[];
  readonly teams: readonly { readonly id: string; readonly name: string }[];
  readonly meId: string | null;
  /** Otherwise a person takes conversations, or hands them back to all. */
  readonly mayAssignOthers: boolean;
}

/** Who can get everything that is selected. */
export function assignments({ agents, teams, meId, mayAssignOthers }: Assignees): readonly MenuAction[] {
  const allowed = agents.filter(({ id }) => mayAssignOthers || id === meId);
  const to = (kind: 'assignee_id' | 'team_id') => (one: { readonly id: string; readonly name: string }) => ({
    id: `assign-${one.id}`,
    label: one.name,
    name: t('bulk.assignTo', { name: one.name }),
    change: { [kind]: one.id },
  });
  const nobody = { assignee_id: null };
  return [
    ...allowed.map(to('assignee_id')),
    ...teams.map(to('team_id')),
    { id: 'assign-nobody', label: t('agent.nobody'), name: t('bulk.assignNobody'), change: nobody },
  ];
}
