import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useCommands } from '../../../app/commands.tsx';
import { useNow } from '../../../app/live.tsx';
import { useMe } from '../../../app/me.tsx';
import { agentsQuery } from '../../../app/resources.ts';
import { whenOf } from '../../../app/view-when.ts';
import type { View } from '../../../app/views.ts';
import { t } from '../../../locales/text.ts';
import type { Selection } from '../list/selection.ts';
import { assignments, furtherActions, REOPEN, RESOLVE } from './bulk-actions.ts';
import { type BulkFields, type BulkScope, matchingQuery, teamsQuery } from './bulk-api.ts';
import { BulkProgress } from './bulk-progress.tsx';
import { BulkTags } from './bulk-tags.tsx';
import { BulkToolbar } from './bulk-toolbar.tsx';
import { useBulk } from './use-bulk.ts';

interface Props {
  readonly view: View;
  readonly selection: Selection;
}

/** What can be done with everything that is selected, how far it is, what was left, and the way back. */
export function BulkBar({ view, selection }: Props) {
  const { agent, permissions } = useMe();
  const now = useNow();
  const { selected, isWhole, clear } = selection;
  const { data: agents = [] } = useQuery(agentsQuery);
  const { data: teams = [] } = useQuery(teamsQuery);
  const when = useMemo(() => (isWhole ? whenOf(view.list) : null), [isWhole, view]);
  const whole = useQuery(matchingQuery(when));
  const bulk = useBulk();
  const [isTagging, setTagging] = useState(false);
  const scope = useMemo<BulkScope | null>(() => {
    if (when === null) return selected.length > 0 ? { ids: selected.map(({ id }) => id) } : null;
    return whole.data === undefined || whole.data.more ? null : { when, expected: whole.data.matching };
  }, [when, whole.data, selected]);
  const { run: begin } = bulk;
  const actions = useMemo(() => {
    const run = (change: BulkFields) => {
      if (scope !== null) void begin(scope, change).then((isBegun) => isBegun && clear());
    };
    const mayAssignOthers = permissions.includes('conversations:assign_others');
    const bound = <A extends { readonly change: BulkFields }>(action: A) => ({
      ...action,
      run: () => run(action.change),
    });
    return {
      run,
      resolve: bound(RESOLVE),
      reopen: bound(REOPEN),
      assign: assignments({ agents, teams, meId: agent?.id ?? null, mayAssignOthers }).map(bound),
      further: furtherActions(now).map(bound),
    };
  }, [scope, begin, clear, agents, teams, agent, permissions, now]);
  useCommands(
    useMemo(() => {
      if (scope === null) return [];
      const { resolve, reopen, assign, further } = actions;
      const tags = { id: 'tags', name: t('bulk.tags'), run: () => setTagging(true) };
      return [resolve, reopen, tags, ...assign, ...further].map(({ id, name, run }) => {
        return { id: `bulk-${id}`, name, group: 'group.list' as const, run };
      });
    }, [scope, actions]),
  );
  const isShown = isWhole || selected.length > 0;
  return (
    <>
      {isShown && (
        <BulkToolbar
          title={isWhole ? wholeTitle(whole) : t('bulk.selected', { count: selected.length })}
          isReady={scope !== null && !bulk.isSending}
          actions={actions}
          onTag={() => setTagging(true)}
          onWhole={isWhole ? null : selection.selectWhole}
          onClear={clear}
        />
      )}
      {isTagging && scope !== null && <BulkTags onClose={() => setTagging(false)} onChange={actions.run} />}
      <BulkProgress bulk={bulk} />
    </>
  );
}

interface Counted {
  readonly data: { readonly matching: number; readonly more: boolean } | undefined;
  readonly isError: boolean;
}

function wholeTitle({ data, isError }: Counted): string {
  if (data === undefined) return t(isError ? 'bulk.countFailed' : 'bulk.counting');
  return t(data.more ? 'bulk.tooMany' : 'bulk.whole', { count: data.matching });
}
