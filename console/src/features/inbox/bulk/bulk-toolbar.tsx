import { CheckCheck, Ellipsis, RotateCcw, UserRound, X } from 'lucide-react';
import { IconButton } from '../../../components/button.tsx';
import { MenuButton } from '../../../components/menu-button.tsx';
import { t } from '../../../locales/text.ts';
import type { BulkAction, MenuAction } from './bulk-actions.ts';

interface Runnable {
  readonly run: () => void;
}

export interface BulkToolbarProps {
  /** How many are selected. */
  readonly title: string;
  /** Whether it is known what would be changed, and nothing is being sent. */
  readonly isReady: boolean;
  readonly actions: {
    readonly resolve: BulkAction & Runnable;
    readonly reopen: BulkAction & Runnable;
    readonly assign: readonly (MenuAction & Runnable)[];
    readonly further: readonly (MenuAction & Runnable)[];
  };
  readonly onTag: () => void;
  /** Null: the whole view is selected. */
  readonly onWhole: (() => void) | null;
  readonly onClear: () => void;
}

const MENU = 'inline-grid size-control shrink-0 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink';

/** What can be done with everything that is selected. */
export function BulkToolbar({ title, isReady, actions, onTag, onWhole, onClear }: BulkToolbarProps) {
  const { resolve, reopen, assign, further } = actions;
  const entries = [{ id: 'tags', label: t('bulk.changeTags'), run: onTag }, ...further];
  return (
    <div role="toolbar" aria-label={t('bulk.label')} className="shrink-0 border-b border-line bg-selected">
      <div className="flex h-11 items-center gap-0.5 ps-3 pe-1">
        <span role="status" className="min-w-0 grow truncate text-sm font-medium tabular-nums">
          {title}
        </span>
        {isReady && (
          <>
            <IconButton label={resolve.name} onClick={resolve.run}>
              <CheckCheck size={17} aria-hidden="true" />
            </IconButton>
            <IconButton label={reopen.name} onClick={reopen.run}>
              <RotateCcw size={16} aria-hidden="true" />
            </IconButton>
            <MenuButton label={t('bulk.assign')} align="end" entries={assign} className={MENU}>
              <UserRound size={17} aria-hidden="true" />
            </MenuButton>
            <MenuButton label={t('bulk.more')} align="end" entries={entries} className={MENU}>
              <Ellipsis size={17} aria-hidden="true" />
            </MenuButton>
          </>
        )}
        <IconButton label={t('bulk.clear')} onClick={onClear}>
          <X size={16} aria-hidden="true" />
        </IconButton>
      </div>
      {onWhole !== null && (
        <button
          type="button"
          onClick={onWhole}
          className="block h-control px-3 pb-1 text-sm text-accent hover:underline"
        >
          {t('bulk.allInView')}
        </button>
      )}
    </div>
  );
}
