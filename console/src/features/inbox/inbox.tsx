import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { MessagesSquare } from 'lucide-react';
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { useLive, useLiveValue } from '../../app/live.tsx';
import { useMe } from '../../app/me.tsx';
import { listOfSaved, savedViewsQuery, viewCountsQuery } from '../../app/saved-views.ts';
import { whenIdle } from '../../app/start/when-idle.ts';
import { isBuiltIn, type ViewName, viewsFor } from '../../app/views.ts';
import { State } from '../../components/state.tsx';
import { t } from '../../locales/text.ts';
import { useChoice } from './choice.ts';
import { ContactPanel } from './contact/contact-panel.tsx';
import { ConversationList } from './list/conversation-list.tsx';
import { Sidebar } from './list/sidebar.tsx';
import { useShownLate } from './shown-late.ts';

const loadThread = async () => ({ default: (await import('./thread/thread-pane.tsx')).ThreadPane });
/** The list is there sooner without it; it is loaded while nobody waits, before somebody opens a conversation. */
const ThreadPane = lazy(loadThread);

/** Views, list, thread and customer, side by side; on a telephone one after the other. */
export function Inbox() {
  const live = useLive();
  const me = useMe();
  const navigate = useNavigate();
  const { view: viewName = 'open', message: messageId = null } = useSearch({ from: '/shell/inbox' });
  const { conversationId = null } = useParams({ strict: false });
  const [isPanelOpen, setPanelOpen] = useState(false);
  const togglePanel = useCallback(() => setPanelOpen((isOpen) => !isOpen), []);
  const meId = me.agent?.id ?? null;
  const { data: saved } = useQuery(savedViewsQuery);
  const { dataUpdatedAt: countedAt } = useQuery(viewCountsQuery);
  const views = useMemo(
    () => [...viewsFor(meId), ...(saved ?? []).map((one) => listOfSaved(one, meId))],
    [meId, saved],
  );
  const isPending = saved === undefined && !isBuiltIn(viewName);
  const view = isPending ? undefined : (views.find(({ name }) => name === viewName) ?? views[0]);
  useEffect(() => {
    if (view) live.watch(view.list);
  }, [live, view]);
  // What a condition says of contacts is known to the service alone: its list follows the counts.
  useEffect(() => {
    if (countedAt > 0 && view?.list.search) live.reread(view.list.name);
  }, [live, view, countedAt]);
  const hasList = useLiveValue(({ client }) => client.state.lists.size > 0);
  useEffect(() => {
    if (hasList) return whenIdle(() => void loadThread().catch(() => undefined));
  }, [hasList]);
  const search = useMemo(() => (viewName === 'open' ? {} : { view: viewName }), [viewName]);
  const go = useCallback(
    (id: string | null) =>
      void (id === null
        ? navigate({ to: '/inbox', search })
        : navigate({ to: '/inbox/$conversationId', params: { conversationId: id }, search })),
    [navigate, search],
  );
  const { chosenId, choose, step, isStep } = useChoice({ conversationId, viewName, go });
  const place = chosenId === conversationId ? messageId : null;
  const shown = useShownLate(
    useMemo(() => ({ conversationId: chosenId, messageId: place }), [chosenId, place]),
    isStep,
  );
  useEffect(() => {
    if (shown.conversationId !== null) live.open(shown.conversationId);
  }, [live, shown.conversationId]);
  const show = useCallback(
    (name: ViewName) => void navigate({ to: '/inbox', search: name === 'open' ? {} : { view: name } }),
    [navigate],
  );
  if (view === undefined) return null;
  const isAlone = shown.conversationId === null;
  return (
    <div className="flex h-full min-w-0 bg-ground">
      <header className="sr-only">
        <h1>{t('inbox.title')}</h1>
      </header>
      <Sidebar views={views} current={view.name} onShow={show} />
      <main className="flex min-w-0 grow">
        <section
          aria-label={t('list.title')}
          className={`${isAlone ? 'flex' : 'hidden md:flex'} w-full min-w-0 flex-col border-e border-line bg-surface md:w-80 md:shrink-0 2xl:w-88`}
        >
          <ConversationList views={views} view={view} onShow={show} chosen={chosenId} onChoose={choose} onStep={step} />
        </section>
        <div className={`${isAlone ? 'hidden md:flex' : 'flex'} min-w-0 grow flex-col bg-surface`}>
          {shown.conversationId === null ? (
            <State
              icon={<MessagesSquare size={20} aria-hidden="true" />}
              title={t('thread.none')}
              body={t('thread.noneBody')}
            />
          ) : (
            <Suspense>
              <ThreadPane
                key={shown.conversationId}
                conversationId={shown.conversationId}
                messageId={shown.messageId}
                onChoose={choose}
                isPanelOpen={isPanelOpen}
                onTogglePanel={togglePanel}
              />
            </Suspense>
          )}
        </div>
      </main>
      {shown.conversationId !== null && isPanelOpen && (
        <ContactPanel conversationId={shown.conversationId} onClose={togglePanel} />
      )}
    </div>
  );
}
