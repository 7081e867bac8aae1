import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Bell as BellIcon } from 'lucide-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import { t } from '../locales/text.ts';
import { call } from './api.ts';
import { useCommands } from './commands.tsx';
import { useMe } from './me.tsx';
import type { NotificationPreferences } from './notifications/notification-preferences.ts';
import {
  type AgentNotification,
  markRead,
  notificationsQuery,
  useNotifications,
} from './notifications/notifications.ts';
import { useDevice } from './push/use-device.ts';
import { agentsQuery, type Me, meQuery } from './resources.ts';

const Notifications = lazy(async () => ({
  default: (await import('../features/notifications/notifications.tsx')).Notifications,
}));
const Preferences = lazy(async () => ({
  default: (await import('../features/preferences/notification-settings.tsx')).NotificationSettings,
}));

/** How many notifications are unread, and the way to them. It is there once: it also shows new ones on the desktop. */
export function Bell() {
  const { agent } = useMe();
  const { list, hasFailed } = useNotifications();
  const { data: agents } = useQuery(agentsQuery);
  const device = useDevice();
  const [shown, setShown] = useState<'list' | 'preferences' | null>(null);
  useCommands(
    useMemo(
      () => [
        {
          id: 'notifications',
          name: t('notification.open'),
          group: 'group.general',
          key: 'g n',
          run: () => setShown('list'),
        },
        {
          id: 'notification-preferences',
          name: t('notification.preferences'),
          group: 'group.general',
          run: () => setShown('preferences'),
        },
      ],
      [],
    ),
  );
  const actions = useActions(list?.data[0]);
  const open = (one: AgentNotification) => {
    actions.onOpen(one);
    if (one.conversation_id !== null) setShown(null);
  };
  const unread = list?.unread ?? 0;
  if (agent === null) return null;
  return (
    <>
      <button
        type="button"
        onClick={() => setShown('list')}
        aria-label={t('notification.unread', { count: unread })}
        title={t('notification.open')}
        className="relative inline-grid size-control shrink-0 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink"
      >
        <BellIcon size={17} aria-hidden="true" />
        {unread > 0 && (
          <span
            aria-hidden="true"
            className="absolute end-0 top-0 grid h-4 min-w-4 place-items-center rounded-full bg-accent px-1 text-2xs font-semibold text-accent-ink"
          >
            {unread > 99 ? '99+' : unread}
          </span>
        )}
      </button>
      <Suspense>
        {shown === 'list' && (
          <Notifications
            list={list}
            hasFailed={hasFailed}
            agents={agents}
            onRetry={actions.onRetry}
            onReadAll={actions.onReadAll}
            onOpen={open}
            onPreferences={() => setShown('preferences')}
            onClose={() => setShown(null)}
          />
        )}
        {shown === 'preferences' && (
          <Preferences device={device} onClose={() => setShown(null)} onSave={actions.save} />
        )}
      </Suspense>
    </>
  );
}

/** What can be done with notifications. @param newest the newest one that is shown */
function useActions(newest: AgentNotification | undefined) {
  const { preferences } = useMe();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const refresh = () => queries.invalidateQueries({ queryKey: notificationsQuery.queryKey });
  const read = async (what: Parameters<typeof markRead>[0]) => {
    await markRead(what).catch(() => undefined);
    await refresh();
  };
  return {
    onRetry: () => void refresh(),
    onReadAll: () => newest && void read({ before: newest.created_at }),
    onOpen: ({ id, read_at: at, conversation_id: conversationId }: AgentNotification) => {
      if (at === null) void read({ ids: [id] });
      if (conversationId !== null) void navigate({ to: '/inbox/$conversationId', params: { conversationId } });
    },
    save: async (notifications: NotificationPreferences) => {
      const body = { preferences: { ...preferences, notifications } };
      queries.setQueryData(meQuery.queryKey, await call<Me>('/v1/me', { method: 'PATCH', body }));
    },
  };
}
