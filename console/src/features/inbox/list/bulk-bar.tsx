import { useQuery } from '@tanstack/react-query';
import { CheckCheck, RotateCcw, UserRound, X } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useCommands } from '../../../app/commands.tsx';
import { useLive } from '../../../app/live.tsx';
import { agentsQuery } from '../../../app/resources.ts';
import { Button, IconButton } from '../../../components/button.tsx';
import { MenuButton } from '../../../components/menu-button.tsx';
import type { Conversation } from '../../../live/model.ts';
import { viewConversation } from '../../../live/view.ts';
import { t } from '../../../locales/text.ts';
import { type BulkIntent, changedBy, isDone, wayBack } from './bulk.ts';
import type { Selection } from './selection.ts';

const UNDO_MS = 15_000;
const RESOLVE: BulkIntent = { kind: 'resolve' };
const REOPEN: BulkIntent = { kind: 'reopen' };

interface Done {
  readonly intent: BulkIntent;
  /** The conversations as they were. */
  readonly before: readonly Conversation[];
}

/** What can be done with everything that is selected, and for a while, that it be undone. */
export function BulkBar({ selected, clear }: Pick<Selection, 'selected' | 'clear'>) {
  const live = useLive();
  const { data: agents = [] } = useQuery(agentsQuery);
  const [done, setDone] = useState<Done | null>(null);
  useEffect(() => {
    if (done === null) return;
    const timer = setTimeout(() => setDone(null), UNDO_MS);
    return () => clearTimeout(timer);
  }, [done]);
  const commands = useMemo(() => {
    const run = (intent: BulkIntent) => () => {
      const before = changedBy(intent, selected);
      for (const { id } of before) live.submit(id, intent);
      setDone({ intent, before });
      clear();
    };
    const undo = () => {
      if (done === null) return;
      for (const before of done.before) {
        const now = viewConversation(live.snapshot().client, before.id);
        // What somebody has changed since stays as it is.
        if (now !== null && isDone(done.intent, now)) live.submit(before.id, wayBack(done.intent, before));
      }
      setDone(null);
    };
    return { run, undo };
  }, [live, selected, clear, done]);
  useCommands(
    useMemo(() => {
      const group = 'group.list' as const;
      const change = [
        { id: 'bulk-resolve', name: t('bulk.resolve'), group, run: commands.run(RESOLVE) },
        { id: 'bulk-reopen', name: t('bulk.reopen'), group, run: commands.run(REOPEN) },
      ];
      const undo = { id: 'bulk-undo', name: t('bulk.undo'), group, key: 'z', run: commands.undo };
      return [...(selected.length > 0 ? change : []), ...(done === null ? [] : [undo])];
    }, [commands, selected.length, done]),
  );
  const assignees = [
    ...agents.map(({ id, name }) => ({ id, label: name, run: commands.run({ kind: 'assign', assigneeId: id }) })),
    { id: 'nobody', label: t('agent.nobody'), run: commands.run({ kind: 'assign', assigneeId: null }) },
  ];
  if (selected.length > 0)
    return (
      <div
        role="toolbar"
        aria-label={t('bulk.label')}
        className="flex h-11 shrink-0 items-center gap-1 border-b border-line bg-selected ps-3 pe-1"
      >
        <span className="min-w-0 grow truncate text-sm font-medium tabular-nums">
          {t('bulk.selected', { count: selected.length })}
        </span>
        <IconButton label={t('bulk.resolve')} onClick={commands.run(RESOLVE)}>
          <CheckCheck size={17} aria-hidden="true" />
        </IconButton>
        <IconButton label={t('bulk.reopen')} onClick={commands.run(REOPEN)}>
          <RotateCcw size={16} aria-hidden="true" />
        </IconButton>
        <MenuButton
          label={t('bulk.assign')}
          align="end"
          entries={assignees}
          className="inline-grid size-8 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink"
        >
          <UserRound size={17} aria-hidden="true" />
        </MenuButton>
        <IconButton label={t('bulk.clear')} onClick={clear}>
          <X size={16} aria-hidden="true" />
        </IconButton>
      </div>
    );
  if (done === null) return null;
  return (
    <div role="status" className="flex h-11 shrink-0 items-center gap-2 border-b border-line ps-3 pe-2 text-sm">
      <span className="min-w-0 grow truncate">{t('bulk.done', { count: done.before.length })}</span>
      <Button onClick={commands.undo}>{t('bulk.undo')}</Button>
    </div>
  );
}
