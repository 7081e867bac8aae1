import type { AgentId, TenantId } from '#core/ids';
import type { Database } from '#database/database';
import type { SignalHub } from '#events/actions/signal-hub';
import { readEvents } from '#events/store/events';
import { NOTIFYING_TYPES, type Notice, noticesOf } from '#notifications/domain/notification';
import {
  findUnfollowed,
  moveNotificationCursor,
  type NotificationPlace,
} from '#notifications/store/notification-cursors';
import {
  findAssignees,
  findPreferences,
  insertNotifications,
  type NewNotification,
} from '#notifications/store/notifications';
import { queuePushes } from '#notifications/store/push-queue';
import type { Runtime } from '#runtime/runtime';
import { readNotificationPreferences } from '#users/domain/notification-preferences';

const EVENTS_AT_ONCE = 500;
const TENANTS_AT_ONCE = 200;
/** A page that is looked at has this long to say that it showed a notification, before it is pushed to other devices. */
export const SHOW_MS = 3_000;

export interface NotificationDeps {
  readonly rt: Runtime;
  readonly db: Database;
  /** Says to open pages that there is something new. */
  readonly signals: Pick<SignalHub, 'notify'>;
}

/**
 * Makes the notifications of what happened since the last call, for every tenant with agents. Several processes may do it at
 * the same time.
 * @returns how many events were followed; call again while it is not 0
 */
export async function makeNotifications(deps: NotificationDeps): Promise<number> {
  let followed = 0;
  for (const place of await findUnfollowed(deps.db, TENANTS_AT_ONCE)) followed += await followTenant(deps, place);
  return followed;
}

/**
 * The notifications are stored with the move of the cursor, or not at all: killed anywhere, the same events are followed
 * again.
 */
async function followTenant({ rt, db, signals }: NotificationDeps, place: NotificationPlace): Promise<number> {
  const { tenantId, after, head } = place;
  const events = await readEvents(db, { tenantId, after, types: NOTIFYING_TYPES, limit: EVENTS_AT_ONCE });
  const isRest = events.length === EVENTS_AT_ONCE;
  // Without a rest, everything up to the head was looked through, whatever its type.
  const to = Math.max(events.at(-1)?.sequence ?? 0, isRest ? 0 : head);
  const list = await wanted({ rt, db }, tenantId, events.flatMap(noticesOf));
  const notified = await db.transaction(async (tx) => {
    if (!(await moveNotificationCursor(tx, place, to))) return null;
    const stored = await insertNotifications(tx, tenantId, list);
    const pushed = new Set(list.filter(({ popsUp }) => popsUp).map(({ notificationId }) => notificationId));
    const ids = stored.map(({ notificationId }) => notificationId).filter((id) => pushed.has(id));
    await queuePushes(tx, tenantId, ids, rt.clock.now() + SHOW_MS);
    return new Set(stored.map(({ agentId }) => agentId));
  });
  for (const agentId of notified ?? []) signals.notify(tenantId, agentId);
  return notified === null ? 0 : to - after;
}

type WantedNotification = NewNotification & { readonly popsUp: boolean };

/** What of the notices the agents want to be notified of. */
async function wanted(
  { rt, db }: Pick<NotificationDeps, 'rt' | 'db'>,
  tenantId: TenantId,
  notices: readonly Notice[],
): Promise<readonly WantedNotification[]> {
  const open = notices.flatMap(({ agentId, conversationId }) =>
    agentId === null && conversationId !== null ? [conversationId] : [],
  );
  const assignees = await findAssignees(db, tenantId, [...new Set(open)]);
  const addressed = notices.flatMap((notice) => {
    const agentId: AgentId | undefined = notice.agentId ?? assignees.get(notice.conversationId ?? '');
    return agentId === undefined ? [] : [{ ...notice, agentId }];
  });
  const preferences = await findPreferences(db, tenantId, [...new Set(addressed.map(({ agentId }) => agentId))]);
  return onceEach(addressed).flatMap(({ atMs, ...notice }) => {
    const { page, desktop } = readNotificationPreferences(preferences.get(notice.agentId)).kinds[notice.kind];
    return page ? [{ ...notice, notificationId: rt.newId(), createdMs: atMs, popsUp: desktop }] : [];
  });
}

/** Of several new messages of a conversation, the first one notifies. */
function onceEach<T extends Notice>(notices: readonly T[]): readonly T[] {
  const seen = new Set<string>();
  return notices.filter(({ kind, conversationId, agentId }) => {
    const key = `${conversationId} ${agentId}`;
    if (kind !== 'new_message') return true;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
