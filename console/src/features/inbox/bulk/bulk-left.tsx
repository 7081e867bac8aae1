import type { BulkChangeItem } from '@postrider/sdk';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CloudOff } from 'lucide-react';
import { useMemo } from 'react';
import { useSnapshot } from '../../../app/live.tsx';
import { Button } from '../../../components/button.tsx';
import { Panel } from '../../../components/panel.tsx';
import { State } from '../../../components/state.tsx';
import { viewConversation } from '../../../live/view.ts';
import { t } from '../../../locales/text.ts';
import { customerName } from '../naming.ts';
import { type BulkChange, leftQuery } from './bulk-api.ts';

interface Props {
  readonly job: BulkChange;
  readonly onClose: () => void;
}

/** The conversations that a bulk change has left as they were, by the reasons why. */
export function BulkLeft({ job, onClose }: Props) {
  const { data, isError, refetch } = useQuery(leftQuery(job.id));
  const items = data?.data ?? [];
  const groups = useMemo(() => byReason(items), [items]);
  return (
    <Panel isOpen onClose={onClose} title={t('bulk.leftTitle', { count: job.refused })}>
      {isError ? (
        <State icon={<CloudOff size={20} aria-hidden="true" />} title={t('bulk.leftFailed')}>
          <Button onClick={() => void refetch()}>{t('action.tryAgain')}</Button>
        </State>
      ) : data === undefined ? (
        <p className="p-5 text-sm text-muted">{t('bulk.leftLoading')}</p>
      ) : (
        <div className="flex flex-col gap-4 p-5">
          {groups.length === 0 && <p className="text-sm text-muted">{t('bulk.leftNone')}</p>}
          {groups.map(([reason, ids]) => (
            <Group key={reason} reason={reason} ids={ids} onClose={onClose} />
          ))}
          {job.refused > items.length && (
            <p className="text-sm text-muted">{t('bulk.leftMore', { count: job.refused - items.length })}</p>
          )}
        </div>
      )}
    </Panel>
  );
}

/** Reasons with the conversations that have them, in the order in which they came. */
function byReason(items: readonly BulkChangeItem[]): readonly (readonly [string, readonly string[]])[] {
  const groups = new Map<string, string[]>();
  for (const { conversation_id: id, reason } of items) {
    groups.set(reason ?? '', [...(groups.get(reason ?? '') ?? []), id]);
  }
  return [...groups];
}

interface GroupProps {
  readonly reason: string;
  readonly ids: readonly string[];
  readonly onClose: () => void;
}

function Group({ reason, ids, onClose }: GroupProps) {
  const { client } = useSnapshot();
  const navigate = useNavigate();
  const open = (conversationId: string) => {
    onClose();
    void navigate({ to: '/inbox/$conversationId', params: { conversationId }, search: (before) => before });
  };
  return (
    <section aria-label={reason} className="text-sm">
      <h3 className="flex gap-2 pb-1 font-medium">
        <span className="min-w-0 grow">{reason}</span>
        <span className="text-muted tabular-nums">{ids.length}</span>
      </h3>
      <ul>
        {ids.map((id) => {
          const one = viewConversation(client, id);
          return (
            <li key={id}>
              <button
                type="button"
                onClick={() => open(id)}
                className="flex h-control w-full items-center rounded-md px-2 text-start hover:bg-hover"
              >
                <span dir="auto" className="truncate">
                  {one === null ? `${t('bulk.leftOpen')} ${id}` : customerName(one)}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
