import {
  AtSign,
  BellOff,
  CircleAlert,
  CloudOff,
  Hourglass,
  type LucideIcon,
  MessageSquare,
  UserRound,
} from 'lucide-react';
import type { NotificationKind } from '../../app/notifications/notification-preferences.ts';
import {
  type AgentNotification,
  type NotificationList,
  notificationText,
} from '../../app/notifications/notifications.ts';
import type { Agent } from '../../app/resources.ts';
import { Button } from '../../components/button.tsx';
import { Panel } from '../../components/panel.tsx';
import { State } from '../../components/state.tsx';
import { listTime, t } from '../../locales/text.ts';

const ICONS: Readonly<Record<NotificationKind, LucideIcon>> = {
  assigned: UserRound,
  mentioned: AtSign,
  window_closing: Hourglass,
  message_failed: CircleAlert,
  new_message: MessageSquare,
};

interface Props {
  /** Undefined: it has not been read yet. */
  readonly list: NotificationList | undefined;
  readonly hasFailed: boolean;
  readonly agents: readonly Agent[] | undefined;
  readonly onRetry: () => void;
  readonly onOpen: (one: AgentNotification) => void;
  readonly onReadAll: () => void;
  readonly onPreferences: () => void;
  readonly onClose: () => void;
}

/** What somebody was notified of, newest first. */
export function Notifications({ list, hasFailed, agents, onRetry, onOpen, onReadAll, onPreferences, onClose }: Props) {
  return (
    <Panel isOpen onClose={onClose} title={t('notification.title')}>
      <div className="flex flex-wrap justify-end gap-1 border-b border-line px-3 py-2">
        <Button look="quiet" onClick={onPreferences}>
          {t('notification.preferences')}
        </Button>
        <Button disabled={list === undefined || list.unread === 0} onClick={onReadAll}>
          {t('notification.readAll')}
        </Button>
      </div>
      {list === undefined ? (
        hasFailed ? (
          <State icon={<CloudOff size={20} aria-hidden="true" />} title={t('notification.failed')}>
            <Button onClick={onRetry}>{t('action.tryAgain')}</Button>
          </State>
        ) : (
          <div className="p-5" aria-busy="true">
            <div className="skeleton h-4 w-2/3" />
          </div>
        )
      ) : list.data.length === 0 ? (
        <State
          icon={<BellOff size={20} aria-hidden="true" />}
          title={t('notification.none')}
          body={t('notification.noneBody')}
        />
      ) : (
        <ul aria-label={t('notification.title')}>
          {list.data.map((one) => (
            <li key={one.id}>
              <Item one={one} agents={agents} onOpen={() => onOpen(one)} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

interface ItemProps extends Pick<Props, 'agents'> {
  readonly one: AgentNotification;
  readonly onOpen: () => void;
}

function Item({ one, agents, onOpen }: ItemProps) {
  const Icon = ICONS[one.kind] ?? MessageSquare;
  const isUnread = one.read_at === null;
  return (
    <button
      type="button"
      onClick={onOpen}
      className="flex w-full items-center gap-3 border-b border-line px-5 py-3 text-start hover:bg-hover"
    >
      <Icon size={16} aria-hidden="true" className={isUnread ? 'shrink-0 text-accent' : 'shrink-0 text-muted'} />
      <span dir="auto" className={`min-w-0 grow text-sm ${isUnread ? 'font-medium' : 'text-muted'}`}>
        {notificationText(one, agents)}
        {isUnread && <span className="sr-only"> {t('notification.isUnread')}</span>}
      </span>
      <span className="shrink-0 text-xs text-muted tabular-nums">{listTime(one.created_at, Date.now())}</span>
    </button>
  );
}
