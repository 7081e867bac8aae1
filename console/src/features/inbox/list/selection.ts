import { useCallback, useMemo, useRef, useState } from 'react';
import { useCommands } from '../../../app/commands.tsx';
import type { Conversation } from '../../../live/model.ts';
import { t } from '../../../locales/text.ts';

/** What one bulk change takes by their ids. More are changed by selecting the whole view. */
const MOST = 1_000;

export interface Selection {
  readonly selected: readonly Conversation[];
  readonly has: (id: string) => boolean;
  /** @param isRange from the one that was chosen last up to this one */
  readonly toggle: (id: string, isRange: boolean) => void;
  /** Whether all that the view has are selected, also those that are not shown. */
  readonly isWhole: boolean;
  readonly selectWhole: () => void;
  readonly clear: () => void;
}

interface Shown {
  /** Names the list. */
  readonly list: string;
  /** Null: they are not loaded yet. */
  readonly rows: readonly Conversation[] | null;
  readonly chosen: string | null;
}

/** Which rows of a list are selected; those that leave the list are no longer. */
export function useSelection({ list, rows, chosen }: Shown): Selection {
  const [whole, setWhole] = useState<string | null>(null);
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string | null>(null);
  const selected = useMemo(() => (rows ?? []).filter(({ id }) => ids.has(id)), [rows, ids]);
  const isWhole = whole === list;
  const selectWhole = useCallback(() => setWhole(list), [list]);
  const clear = useCallback(() => {
    setIds(new Set());
    setWhole(null);
  }, []);
  const toggle = useCallback(
    (id: string, isRange: boolean) => {
      const all = (rows ?? []).map((one) => one.id);
      const from = isRange ? all.indexOf(last.current ?? chosen ?? id) : -1;
      const to = all.indexOf(id);
      last.current = id;
      setWhole(null);
      setIds((before) => {
        const next = new Set(all.filter((one) => before.has(one)));
        if (from >= 0) for (const one of all.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(one);
        else if (!next.delete(id)) next.add(id);
        return new Set([...next].slice(0, MOST));
      });
    },
    [rows, chosen],
  );
  useCommands(
    useMemo(
      () => [
        {
          id: 'select',
          name: t('bulk.select'),
          group: 'group.list',
          key: 'x',
          run: () => chosen !== null && toggle(chosen, false),
        },
        {
          id: 'select-all',
          name: t('bulk.selectAll'),
          group: 'group.list',
          run: () => setIds(new Set((rows ?? []).slice(0, MOST).map(({ id }) => id))),
        },
        { id: 'select-whole', name: t('bulk.allInView'), group: 'group.list', run: selectWhole },
        { id: 'select-none', name: t('bulk.clear'), group: 'group.list', run: clear },
      ],
      [chosen, rows, toggle, selectWhole, clear],
    ),
  );
  return { selected, has: (id) => isWhole || ids.has(id), toggle, isWhole, selectWhole, clear };
}
