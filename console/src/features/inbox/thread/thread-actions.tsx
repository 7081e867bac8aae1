import { AlarmClock, CheckCheck, RotateCcw, UserRound } from 'lucide-react';
import { useMemo } from 'react';
import { useCommands } from '../../../app/commands.tsx';
import { useLive } from '../../../app/live.tsx';
import { useMe } from '../../../app/me.tsx';
import type { Agent } from '../../../app/resources.ts';
import { Avatar } from '../../../components/avatar.tsx';
import { Button } from '../../../components/button.tsx';
import { MenuButton } from '../../../components/menu-button.tsx';
import type { Conversation } from '../../../live/model.ts';
import { plainTime, t } from '../../../locales/text.ts';
import { agentName } from '../naming.ts';
import { snoozeTimes } from './snooze-times.ts';

interface Props {
  readonly one: Conversation;
  readonly now: number;
  readonly agents: readonly Agent[] | undefined;
}

/** What can be done with a conversation, as buttons and as commands. */
export function ThreadActions({ one, now, agents }: Props) {
  const live = useLive();
  const { agent } = useMe();
  const { id, status } = one;
  const isResolved = status === 'resolved';
  const meId = agent?.id ?? null;
  useCommands(
    useMemo(
      () => [
        {
          id: 'resolve',
          name: t(isResolved ? 'action.reopen' : 'action.resolve'),
          group: 'group.conversation',
          key: 'e',
          run: () => live.submit(id, { kind: isResolved ? 'reopen' : 'resolve' }),
        },
        ...(meId === null
          ? []
          : [
              {
                id: 'take',
                name: t('action.take'),
                group: 'group.conversation' as const,
                key: 'a',
                run: () => live.submit(id, { kind: 'assign', assigneeId: meId }),
              },
            ]),
        {
          id: 'release',
          name: t('action.unassign'),
          group: 'group.conversation',
          run: () => live.submit(id, { kind: 'assign', assigneeId: null }),
        },
        ...snoozeTimes(Date.now()).map(({ label, until }) => ({
          id: `snooze-${label}`,
          name: t('action.snoozeTo', { time: t(label) }),
          group: 'group.conversation' as const,
          run: () => live.submit(id, { kind: 'snooze', until }),
        })),
        ...(['urgent', 'high', 'normal', 'low'] as const).map((priority) => ({
          id: `priority-${priority}`,
          name: t('action.priority', { priority: t(`priority.${priority}`) }),
          group: 'group.conversation' as const,
          run: () => live.submit(id, { kind: 'prioritize', priority }),
        })),
      ],
      [live, id, isResolved, meId],
    ),
  );
  const assignees = [
    ...(agents ?? []).map((other) => ({
      id: other.id,
      label: other.id === meId ? t('agent.me', { name: other.name }) : other.name,
      hint: t(`presence.${other.availability}`),
      run: () => live.submit(id, { kind: 'assign', assigneeId: other.id }),
    })),
    { id: 'nobody', label: t('agent.nobody'), run: () => live.submit(id, { kind: 'assign', assigneeId: null }) },
  ];
  return (
    <div className="flex items-center gap-1 pointer-coarse:gap-0">
      <MenuButton
        label={t('thread.assignee', { name: agentName(agents, one.assignee_id) })}
        align="end"
        entries={assignees}
        className="inline-flex h-control min-w-control items-center justify-center gap-1.5 rounded-md px-2 text-sm text-muted hover:bg-hover hover:text-ink data-[popup-open]:bg-hover"
      >
        {one.assignee_id === null ? (
          <UserRound size={16} aria-hidden="true" />
        ) : (
          <Avatar name={agentName(agents, one.assignee_id)} size={20} />
        )}
        <span className="hidden max-w-28 truncate lg:block">{agentName(agents, one.assignee_id)}</span>
      </MenuButton>
      {!isResolved && (
        <MenuButton
          label={t('action.snooze')}
          align="end"
          entries={snoozeTimes(now).map(({ label, until }) => ({
            id: label,
            label: t(label),
            hint: until && plainTime(until),
            run: () => live.submit(id, { kind: 'snooze', until }),
          }))}
          className="inline-grid size-control place-items-center rounded-md text-muted hover:bg-hover hover:text-ink data-[popup-open]:bg-hover"
        >
          <AlarmClock size={17} aria-hidden="true" />
        </MenuButton>
      )}
      <Button onClick={() => live.submit(id, { kind: isResolved || status === 'snoozed' ? 'reopen' : 'resolve' })}>
        {isResolved || status === 'snoozed' ? (
          <RotateCcw size={15} aria-hidden="true" />
        ) : (
          <CheckCheck size={15} aria-hidden="true" />
        )}
        <span className="sr-only sm:not-sr-only">
          {t(isResolved || status === 'snoozed' ? 'action.reopen' : 'action.resolve')}
        </span>
      </Button>
    </div>
  );
}
