import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { refusalStatus } from '../../../app/api.ts';
import { useMe } from '../../../app/me.tsx';
import { t } from '../../../locales/text.ts';
import {
  type BulkChange,
  type BulkFields,
  type BulkScope,
  beginBulkChange,
  bulkChangeKey,
  bulkChangeQuery,
  cancelBulkChange,
  openBulkChangesQuery,
  undoBulkChange,
} from './bulk-api.ts';

export interface Bulk {
  /** The change that was begun last, as it is now; null: none. */
  readonly job: BulkChange | null;
  /** Whether its progress could not be read the last time. */
  readonly isLost: boolean;
  /** Whether the service has not answered yet. */
  readonly isSending: boolean;
  /** Why the last request failed, in a sentence. */
  readonly fault: string | null;
  /** @returns whether it was begun */
  readonly run: (scope: BulkScope, change: BulkFields) => Promise<boolean>;
  readonly cancel: () => void;
  readonly undo: () => void;
  readonly dismiss: () => void;
}

/** Begins a bulk change, follows it to its end, and cancels or undoes it. Also follows one that this person began before the page loaded. */
export function useBulk(): Bulk {
  const queries = useQueryClient();
  const myId = useMe().agent?.id;
  const [begunId, setId] = useState<string | null>(null);
  const [isDismissed, setDismissed] = useState(false);
  const { data: open } = useQuery(openBulkChangesQuery);
  const earlier = open?.find(({ actor }) => actor.kind === 'agent' && actor.id === myId)?.id;
  const id = begunId ?? (isDismissed ? null : (earlier ?? null));
  const [fault, setFault] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const { data: job = null, isError: isLost } = useQuery(bulkChangeQuery(id));
  const send = useCallback(
    async (request: () => Promise<BulkChange>) => {
      setSending(true);
      setFault(null);
      try {
        const answer = await request();
        queries.setQueryData(bulkChangeKey(answer.id), answer);
        setId(answer.id);
        return true;
      } catch (error) {
        setFault(refusalStatus(error) !== null && error instanceof Error ? error.message : t('bulk.failed'));
        // The number that somebody has seen may be why.
        void queries.invalidateQueries({ queryKey: ['bulk-matching'] });
        return false;
      } finally {
        setSending(false);
      }
    },
    [queries],
  );
  const run = useCallback((scope: BulkScope, change: BulkFields) => send(() => beginBulkChange(scope, change)), [send]);
  const cancel = useCallback(() => void (id !== null && send(() => cancelBulkChange(id))), [send, id]);
  const undo = useCallback(() => void (id !== null && send(() => undoBulkChange(id))), [send, id]);
  const dismiss = useCallback(() => {
    setDismissed(true);
    setId(null);
    setFault(null);
  }, []);
  return { job: id === null ? null : job, isLost, isSending, fault, run, cancel, undo, dismiss };
}
