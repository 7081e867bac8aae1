import { AlarmClock, ArrowLeft, CheckCheck, PanelRight, RotateCcw, UserRound } from 'lucide-react';
import { useMemo } from 'react';
import { useCommands } from '../../../app/commands.tsx';
import { useLive } from '../../../app/live.tsx';
import { useMe } from '../../../app/me.tsx';
import type { Agent } from '../../../app/resources.ts';
import { Avatar } from '../../../components/avatar.tsx';
import { Button, IconButton } from '../../../components/button.tsx';
import { MenuButton } from '../../../components/menu-button.tsx';
import type { Conversation } from '../../../live/model.ts';
import { exactTime, t } from '../../../locales/text.ts';
import { agentName, customerName, phoneText, windowShare } from '../naming.ts';
import { SignalLine } from '../signals.tsx';
import { snoozeTimes } from './snooze-times.ts';

interface Props {
  readonly one: Conversation | null;
  readonly now: number;
  readonly agents: readonly Agent[] | undefined;
  readonly onClose: () => void;
  readonly isPanelOpen: boolean;
  readonly onTogglePanel: () => void;
}

/** Who a conversation is with, who cares for it, and what can be done with it. */
export function ThreadHeader({ one, now, agents, onClose, isPanelOpen, onTogglePanel }: Props) {
  return (
    <header className="flex h-12 shrink-0 items-center gap-1.5 border-b border-line px-2 md:ps-4">
      <IconButton label={t('action.back')} onClick={onClose} className="md:hidden">
        <ArrowLeft size={18} aria-hidden="true" className="rtl:-scale-x-100" />
      </IconButton>
      {one && (
        <>
          <Avatar name={customerName(one)} left={windowShare(one, now)} size={32} />
          <div className="min-w-0 grow ps-1">
            <h2 dir="auto" className="truncate leading-5 font-semibold">
              {customerName(one)}
            </h2>
            <div className="flex min-w-0 gap-1.5">
              <Subtitle one={one} agents={agents} />
              <SignalLine conversationId={one.id} />
            </div>
          </div>
          <Actions one={one} now={now} agents={agents} />
        </>
      )}
      <IconButton label={t('contact.panel')} aria-pressed={isPanelOpen} onClick={onTogglePanel}>
        <PanelRight size={17} aria-hidden="true" className="rtl:-scale-x-100" />
      </IconButton>
    </header>
  );
}

function Subtitle({ one, agents }: { readonly one: Conversation; readonly agents: Props['agents'] }) {
  const { agent } = useMe();
  const { lease, contact, status, snoozed_until: until } = one;
  const isLeased = lease !== null && lease.agent_id !== agent?.id && Date.parse(lease.until) > Date.now();
  const phone = contact?.name && contact.phone ? phoneText(contact.phone) : null;
  const state =
    status === 'snoozed' && until !== null
      ? t('status.snoozedUntil', { time: exactTime(until) })
      : status === 'open'
        ? null
        : t(`status.${status}`);
  if (isLeased)
    return (
      <p className="truncate text-xs text-warn">{t('thread.writing', { name: agentName(agents, lease.agent_id) })}</p>
    );
  return <p className="truncate text-xs text-muted">{[phone, state].filter(Boolean).join(' · ')}</p>;
}

function Actions({
  one,
  now,
  agents,
}: {
  readonly one: Conversation;
  readonly now: number;
  readonly agents: Props['agents'];
}) {
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
    <div className="flex items-center gap-1">
      <MenuButton
        label={t('thread.assignee', { name: agentName(agents, one.assignee_id) })}
        align="end"
        entries={assignees}
        className="inline-flex h-8 items-center gap-1.5 rounded-md px-2 text-sm text-muted hover:bg-hover hover:text-ink data-[popup-open]:bg-hover"
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
            hint: until && exactTime(until),
            run: () => live.submit(id, { kind: 'snooze', until }),
          }))}
          className="inline-grid size-8 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink data-[popup-open]:bg-hover"
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
