import { useQuery } from '@tanstack/react-query';
import { CloudOff, Inbox } from 'lucide-react';
import { lazy, memo, Suspense, useCallback, useMemo, useState } from 'react';
import { useCommands } from '../../../app/commands.tsx';
import { useLive, useLiveValue } from '../../../app/live.tsx';
import { useMe } from '../../../app/me.tsx';
import { isBuiltIn, type View, type ViewName } from '../../../app/views.ts';
import { Button } from '../../../components/button.tsx';
import { State } from '../../../components/state.tsx';
import type { Conversation } from '../../../live/model.ts';
import { viewList } from '../../../live/view.ts';
import { type TextName, t } from '../../../locales/text.ts';
import { openBulkChangesQuery } from '../bulk/bulk-api.ts';
import { ConversationRows } from './conversation-rows.tsx';
import { ListHeader } from './list-header.tsx';
import { useSelection } from './selection.ts';
import { useSteadyOrder } from './steady-order.ts';

/** Loaded with the first selection, or when a bulk change of this person is running. It stays, to follow what it has begun to the end. */
const BulkBar = lazy(async () => ({ default: (await import('../bulk/bulk-bar.tsx')).BulkBar }));

interface Props {
  readonly views: readonly View[];
  readonly view: View;
  readonly onShow: (name: ViewName) => void;
  readonly chosen: string | null;
  readonly onChoose: (id: string | null) => void;
  /** The next conversation is chosen, or the one before. */
  readonly onStep: (id: string | null) => void;
}

/** The conversations of a view; only those on the screen are drawn. */
export const ConversationList = memo(function List({ views, view, onShow, chosen, onChoose, onStep }: Props) {
  const live = useLive();
  const failed = useLiveValue((snapshot) => snapshot.failed);
  const newest = useNewest(view);
  const { rows, ids, waiting, hold, release } = useSteadyOrder(newest, view.name);
  useListKeys(rows, chosen, onStep);
  const selection = useSelection({ list: view.list.name, rows, chosen });
  const isSelecting = selection.isWhole || selection.selected.length > 0;
  const isChanging = useIsChanging(rows !== null);
  const [hasBulk, setBulk] = useState(false);
  if ((isSelecting || isChanging) && !hasBulk) setBulk(true);
  const emptyName = isBuiltIn(view.name) ? view.name : 'view';
  return (
    <>
      <ListHeader views={views} view={view} onShow={onShow} />
      {hasBulk && (
        <Suspense>
          <BulkBar view={view} selection={selection} />
        </Suspense>
      )}
      <div className="relative min-h-0 grow">
        {waiting > 0 && (
          <button
            type="button"
            onClick={release}
            className="absolute inset-x-0 top-2 z-10 mx-auto w-fit rounded-full bg-accent px-3 py-1 text-xs font-medium text-accent-ink shadow-pop"
          >
            {t('list.moved', { count: waiting })}
          </button>
        )}
        {rows === null ? (
          failed.has(view.list.name) ? (
            <State
              icon={<CloudOff size={20} aria-hidden="true" />}
              title={t('list.failed')}
              body={t('list.failedBody')}
            >
              <Button onClick={() => live.more(view.list.name)}>{t('action.tryAgain')}</Button>
            </State>
          ) : (
            <Skeletons />
          )
        ) : rows.length === 0 ? (
          <State
            icon={<Inbox size={20} aria-hidden="true" />}
            title={t(`empty.${emptyName}` as TextName)}
            body={t(`empty.${emptyName}Body` as TextName)}
          />
        ) : (
          <ConversationRows
            rows={rows}
            ids={ids}
            view={view}
            chosen={chosen}
            onChoose={onChoose}
            selection={selection}
            hold={hold}
            release={release}
          />
        )}
      </div>
    </>
  );
});

/** The rows of a view. Thousands take milliseconds to make, so they are made again only when something that they depend on changes. */
function useNewest({ list }: View): readonly Conversation[] | null {
  const conversations = useLiveValue(({ client }) => client.state.conversations);
  const lists = useLiveValue(({ client }) => client.state.lists);
  const commands = useLiveValue(({ client }) => client.commands);
  return useMemo(
    () => viewList({ state: { conversations, lists }, commands }, list),
    [conversations, lists, commands, list],
  );
}

/** Whether a bulk change of this person is running, perhaps since before the page was loaded. */
function useIsChanging(isListThere: boolean): boolean {
  const { agent } = useMe();
  const { data: open = [] } = useQuery({ ...openBulkChangesQuery, enabled: isListThere });
  return open.some(({ actor }) => actor.kind === 'agent' && actor.id === agent?.id);
}

function Skeletons() {
  return (
    <div aria-busy="true" className="flex flex-col gap-5 p-4">
      {[60, 45, 70, 50, 55].map((width) => (
        <div key={width} className="flex items-center gap-3">
          <div className="skeleton size-9 rounded-full" />
          <div className="grow">
            <div className="skeleton mb-2 h-3" style={{ width: `${width}%` }} />
            <div className="skeleton h-3 w-4/5" />
          </div>
        </div>
      ))}
    </div>
  );
}

function useListKeys(rows: readonly Conversation[] | null, chosen: string | null, onStep: Props['onStep']): void {
  const step = useCallback(
    (by: number) => {
      if (rows === null || rows.length === 0) return;
      const place = rows.findIndex(({ id }) => id === chosen);
      const next = place < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, place + by));
      onStep(rows[next]?.id ?? null);
    },
    [rows, chosen, onStep],
  );
  useCommands(
    useMemo(
      () => [
        { id: 'next', name: t('command.next'), group: 'group.list', key: 'j', run: () => step(1) },
        { id: 'previous', name: t('command.previous'), group: 'group.list', key: 'k', run: () => step(-1) },
      ],
      [step],
    ),
  );
}
