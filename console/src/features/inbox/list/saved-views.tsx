import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Bookmark, MoreHorizontal, Plus } from 'lucide-react';
import { lazy, Suspense, useCallback, useMemo, useState } from 'react';
import type { AppCommand } from '../../../app/command-registry.ts';
import { useCommands } from '../../../app/commands.tsx';
import { useMe } from '../../../app/me.tsx';
import { deleteView, type SavedView, savedViewsQuery, viewCountsQuery } from '../../../app/saved-views.ts';
import type { ViewName } from '../../../app/views.ts';
import { IconButton } from '../../../components/button.tsx';
import { MenuButton } from '../../../components/menu-button.tsx';
import { t } from '../../../locales/text.ts';

const ViewDialog = lazy(async () => ({ default: (await import('./view-dialog.tsx')).ViewDialog }));

interface Props {
  readonly current: ViewName;
  readonly onShow: (name: ViewName) => void;
}

/** The views that people have made, below those that are always there. */
export function SavedViews({ current, onShow }: Props) {
  const { data: saved = [], error } = useQuery(savedViewsQuery);
  const { permissions } = useMe();
  const [edited, setEdited] = useState<SavedView | 'new' | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const queries = useQueryClient();
  const remove = useCallback(
    async (view: SavedView) => {
      try {
        await deleteView(view);
        setFault(null);
        if (view.id === current) onShow('open');
        await queries.invalidateQueries({ queryKey: ['views'] });
      } catch (refused) {
        setFault(refused instanceof Error ? refused.message : String(refused));
      }
    },
    [queries, current, onShow],
  );
  const mayChange = ({ shared }: SavedView) => !shared || permissions.includes('agents:manage');
  const commandsOf = (view: SavedView): readonly AppCommand[] => [
    { id: 'view-edit', name: t('saved.edit', { name: view.name }), group: 'group.list', run: () => setEdited(view) },
    { id: 'view-delete', name: t('saved.delete', { name: view.name }), group: 'group.list', run: () => remove(view) },
  ];
  const shown = saved.find((view) => view.id === current && mayChange(view));
  useCommands(
    // biome-ignore lint/correctness/useExhaustiveDependencies: the commands follow from the view and from what deletes it.
    useMemo(
      () => [
        { id: 'view-new', name: t('saved.new'), group: 'group.list', run: () => setEdited('new') },
        ...(shown === undefined ? [] : commandsOf(shown)),
      ],
      [shown, remove],
    ),
  );
  return (
    <section aria-label={t('saved.label')} className="scroll-area mt-4 min-h-0">
      <header className="flex items-center justify-between ps-2">
        <h2 className="text-xs font-medium text-muted">{t('saved.label')}</h2>
        <IconButton label={t('saved.new')} onClick={() => setEdited('new')}>
          <Plus size={14} aria-hidden="true" />
        </IconButton>
      </header>
      {(error ?? fault) !== null && <p className="px-2 text-xs text-bad">{error?.message ?? fault}</p>}
      <ul className="flex flex-col gap-px">
        {saved.map((view) => (
          <li key={view.id} className="group relative flex items-center">
            <ViewButton view={view} isCurrent={view.id === current} onShow={onShow} />
            {mayChange(view) && (
              <div className="absolute end-0 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100">
                <MenuButton
                  label={t('saved.edit', { name: view.name })}
                  className="inline-grid size-control-small place-items-center rounded-md bg-hover"
                  entries={commandsOf(view).map(({ id, name, run }) => ({ id, label: name, run }))}
                >
                  <MoreHorizontal size={14} aria-hidden="true" />
                </MenuButton>
              </div>
            )}
          </li>
        ))}
      </ul>
      {edited !== null && (
        <Suspense>
          <ViewDialog
            view={edited === 'new' ? null : edited}
            onClose={() => setEdited(null)}
            onSaved={({ id }) => {
              setEdited(null);
              onShow(id);
            }}
          />
        </Suspense>
      )}
    </section>
  );
}

interface ButtonProps extends Pick<Props, 'onShow'> {
  readonly view: SavedView;
  readonly isCurrent: boolean;
}

function ViewButton({ view, isCurrent, onShow }: ButtonProps) {
  const { data: counts } = useQuery(viewCountsQuery);
  const { count = null, more = false } = counts?.get(view.id) ?? {};
  return (
    <button
      type="button"
      aria-current={isCurrent ? 'page' : undefined}
      onClick={() => onShow(view.id)}
      className="flex h-control min-w-0 grow items-center gap-2.5 rounded-md px-2 text-sm text-muted hover:bg-hover hover:text-ink aria-[current]:bg-selected aria-[current]:font-medium aria-[current]:text-ink"
    >
      <Bookmark size={16} aria-hidden="true" className="shrink-0" />
      <span dir="auto" className="grow truncate text-start">
        {view.name}
      </span>
      {count !== null && count > 0 && (
        <span className="text-xs text-muted tabular-nums group-hover:invisible">
          {more ? t('saved.count', { count }) : count}
        </span>
      )}
    </button>
  );
}
