import { useQuery } from '@tanstack/react-query';
import {
  AlarmClock,
  CheckCheck,
  Command,
  Hourglass,
  Inbox,
  type LucideIcon,
  UserRound,
  UserRoundX,
} from 'lucide-react';
import { memo } from 'react';
import { useRegistry } from '../../../app/commands.tsx';
import { useMe } from '../../../app/me.tsx';
import { countsQuery } from '../../../app/resources.ts';
import { SearchLink } from '../../../app/search-commands.tsx';
import type { BuiltInName } from '../../../app/start/early-reads.ts';
import { isBuiltIn, type View, type ViewName } from '../../../app/views.ts';
import { Brand } from '../../../components/brand.tsx';
import { Keys } from '../../../components/keys.tsx';
import { t } from '../../../locales/text.ts';
import { LineState } from './line-state.tsx';
import { MeMenu } from './me-menu.tsx';
import { SavedViews } from './saved-views.tsx';

const VIEW_ICONS: Readonly<Record<BuiltInName, LucideIcon>> = {
  open: Inbox,
  mine: UserRound,
  unassigned: UserRoundX,
  waiting: Hourglass,
  snoozed: AlarmClock,
  resolved: CheckCheck,
};

interface Props {
  readonly views: readonly View[];
  readonly current: ViewName;
  readonly onShow: (name: ViewName) => void;
}

/** The views with their counts, where there is room for them. */
export const Sidebar = memo(function Side({ views, current, onShow }: Props) {
  const { tenant } = useMe();
  const { openPalette } = useRegistry();
  return (
    <nav aria-label={t('nav.label')} className="hidden w-52 shrink-0 flex-col border-e border-line p-2.5 xl:flex">
      <div className="flex items-center gap-2 px-1.5 pt-0.5 pb-3">
        <Brand />
        <span className="min-w-0 grow truncate font-semibold">{tenant.name}</span>
      </div>
      <SearchLink />
      <button
        type="button"
        onClick={openPalette}
        className="mb-3 flex h-control items-center gap-2 rounded-md border border-line bg-surface px-2 text-sm text-muted hover:border-line-strong"
      >
        <Command size={14} aria-hidden="true" />
        <span className="grow text-start">{t('command.open')}</span>
        <Keys of="Mod+k" />
      </button>
      <ViewItems views={views} current={current} onShow={onShow} />
      <SavedViews current={current} onShow={onShow} />
      <div className="mt-auto flex flex-col gap-1">
        <LineState />
        <MeMenu />
      </div>
    </nav>
  );
});

function ViewItems({ views, current, onShow }: Props) {
  const { data: counts } = useQuery(countsQuery);
  return (
    <ul className="flex flex-col gap-px">
      {views.map((view) => {
        if (!isBuiltIn(view.name)) return null;
        const Icon = VIEW_ICONS[view.name];
        const count = counts === undefined ? null : view.count(counts);
        return (
          <li key={view.name}>
            <button
              type="button"
              aria-current={view.name === current ? 'page' : undefined}
              onClick={() => onShow(view.name)}
              className="group flex h-control w-full items-center gap-2.5 rounded-md px-2 text-sm text-muted hover:bg-hover hover:text-ink aria-[current]:bg-selected aria-[current]:font-medium aria-[current]:text-ink"
            >
              <Icon size={16} aria-hidden="true" className="shrink-0 group-aria-[current]:text-accent" />
              <span className="grow truncate text-start">{view.title}</span>
              {count !== null && count > 0 && <span className="text-xs text-muted tabular-nums">{count}</span>}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
