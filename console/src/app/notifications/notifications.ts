/** What this person is notified of: the list, what is unread, and what pops up while the page is not looked at. */
import type * as Sdk from '@postrider/sdk';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { Known } from '../../live/known.ts';
import { call } from '../api.ts';
import { useLine } from '../live.tsx';
import { useMe } from '../me.tsx';
import { showBadge } from '../push/badge.ts';
import { notificationSentence, type Popup, pathOf, showPopup } from '../push/popup.ts';
import { type Agent, agentsQuery } from '../resources.ts';
import { isQuiet, readPreferences } from './notification-preferences.ts';
import { onNotified } from './notified.ts';

export type AgentNotification = Known<Sdk.Notification>;
export type NotificationList = Known<Sdk.NotificationList>;

const SHOWN = 50;

export const notificationsQuery = queryOptions({
  queryKey: ['notifications'],
  queryFn: ({ signal }) => call<NotificationList>('/v1/notifications', { query: { limit: SHOWN }, signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** @param what some of them, or all that were created until a moment */
export function markRead(what: { readonly ids: readonly string[] } | { readonly before: string }): Promise<unknown> {
  return call('/v1/notifications/read', { method: 'POST', body: what });
}

/** A notification in a sentence. */
export function notificationText({ kind, contact, actor }: AgentNotification, agents: readonly Agent[] = []): string {
  const customer = contact?.name ?? (contact?.phone ? `+${contact.phone}` : null);
  const who = agents.find(({ id }) => id === actor?.id)?.name ?? null;
  return notificationSentence(kind, customer, who);
}

/** Keeps the list up to date, and shows what is new to somebody who is not looking. */
export function useNotifications(): { readonly list: NotificationList | undefined; readonly hasFailed: boolean } {
  const me = useMe();
  const queries = useQueryClient();
  const line = useLine();
  const isAgent = me.agent !== null;
  const { data, isError } = useQuery({ ...notificationsQuery, enabled: isAgent });
  useEffect(() => {
    const read = () => void queries.invalidateQueries({ queryKey: notificationsQuery.queryKey });
    // What came while the line was cut was said to nobody here.
    if (line === 'current') read();
    return onNotified((agentId) => agentId === me.agent?.id && read());
  }, [queries, line, me.agent?.id]);
  usePopups(data);
  return { list: data, hasFailed: isError };
}

/** New ones of the list pop up on the desktop, once each; those of a list that was just opened do not. */
function usePopups(list: NotificationList | undefined): void {
  const { preferences } = useMe();
  const { data: agents } = useQuery(agentsQuery);
  const navigate = useNavigate();
  const newest = useRef<string | null>(null);
  useEffect(() => {
    if (list === undefined) return;
    const before = newest.current;
    newest.current = list.data[0]?.id ?? '';
    const chosen = readPreferences(preferences);
    showBadge(list.unread);
    const fresh = list.data.filter(
      ({ id, kind, read_at: at }) => id > (before ?? '') && at === null && chosen.kinds[kind].desktop,
    );
    if (document.hasFocus() && fresh[0] !== undefined) void reportShown(fresh[0]);
    if (before === null || isQuiet(chosen, new Date()) || document.hasFocus()) return;
    if (fresh.length > 0 && chosen.sound) void playSound();
    if (typeof Notification === 'undefined' || Notification.permission !== 'granted') return;
    for (const one of fresh) {
      const { id, conversation_id: conversationId } = one;
      const popup = { id, title: notificationText(one, agents), body: '', conversationId };
      void popUp(popup, () => void navigate({ to: pathOf(popup) }));
    }
  }, [list, preferences, agents, navigate]);
}

/** Through the worker where there is one: what is pushed as well then pops up once. */
async function popUp(popup: Popup, onClick: () => void): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration('/');
  if (registration?.active) return showPopup(registration, popup);
  // Several tabs show the same one: its tag makes that one of them.
  const shown = new Notification(popup.title, { tag: popup.id });
  shown.onclick = () => {
    focus();
    shown.close();
    onClick();
  };
}

/** What this page has shown to somebody is not pushed to them as well. */
function reportShown({ created_at: before }: AgentNotification): Promise<unknown> {
  return call('/v1/me/notifications/shown', { method: 'POST', body: { before } }).catch(() => undefined);
}

const NOTE_S = 0.12;

/** Two short notes. Browsers keep silent in pages that nobody has touched yet. */
async function playSound(): Promise<void> {
  const audio = new AudioContext();
  if (audio.state !== 'running') return audio.close();
  for (const [place, hertz] of [660, 880].entries()) {
    const tone = new OscillatorNode(audio, { frequency: hertz });
    const volume = new GainNode(audio, { gain: 0.06 });
    tone.connect(volume).connect(audio.destination);
    tone.start(audio.currentTime + place * NOTE_S);
    tone.stop(audio.currentTime + (place + 1) * NOTE_S);
    if (place === 1) tone.onended = () => void audio.close();
  }
}
