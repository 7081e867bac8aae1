import { X } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useCommands } from '../../../app/commands.tsx';
import { Button, IconButton } from '../../../components/button.tsx';
import { t } from '../../../locales/text.ts';
import type { BulkChange } from './bulk-api.ts';
import { BulkLeft } from './bulk-left.tsx';
import type { Bulk } from './use-bulk.ts';

/** How far the last bulk change is, what it left, and the way back; or why it was not begun. */
export function BulkProgress({ bulk }: { readonly bulk: Bulk }) {
  const { job, isLost, fault, isSending, cancel, undo, dismiss } = bulk;
  const [isListed, setListed] = useState(false);
  const isOver = job !== null && job.finished_at !== null;
  const canUndo = isOver && job.undo_until !== null;
  const leftCount = job?.refused ?? 0;
  useCommands(
    useMemo(() => {
      const group = 'group.list' as const;
      const command = (id: string, name: string, run: () => void) => ({ id: `bulk-${id}`, name, group, run });
      return [
        ...(canUndo ? [{ ...command('undo', t('bulk.undo'), undo), key: 'z' }] : []),
        ...(job !== null && !isOver ? [command('cancel', t('bulk.cancel'), cancel)] : []),
        ...(leftCount > 0 ? [command('left', t('bulk.left', { count: leftCount }), () => setListed(true))] : []),
        ...(isOver ? [command('dismiss', t('bulk.dismiss'), dismiss)] : []),
      ];
    }, [canUndo, job, isOver, leftCount, undo, cancel, dismiss]),
  );
  return (
    <>
      {fault !== null && (
        <div className="flex shrink-0 items-center gap-1 border-b border-line ps-3 pe-1">
          <p role="alert" className="min-w-0 grow py-2 text-sm text-bad">
            {fault}
          </p>
          {job === null && <Dismiss onClick={dismiss} />}
        </div>
      )}
      {job !== null && (
        <div className="shrink-0 border-b border-line">
          <div className="flex h-11 items-center gap-1.5 ps-3 pe-1 text-sm">
            <span role="status" className="min-w-0 grow truncate tabular-nums">
              {isLost && !isOver ? t('bulk.lost') : progressText(job)}
            </span>
            {leftCount > 0 && (
              <Button look="quiet" onClick={() => setListed(true)}>
                {t('bulk.left', { count: leftCount })}
              </Button>
            )}
            {canUndo && (
              <Button onClick={undo} disabled={isSending}>
                {t('bulk.undo')}
              </Button>
            )}
            {isOver ? (
              <Dismiss onClick={dismiss} />
            ) : (
              <Button onClick={cancel} disabled={isSending}>
                {t('bulk.cancel')}
              </Button>
            )}
          </div>
          {!isOver && (
            <progress aria-label={progressText(job)} className="block h-0.5 w-full accent-accent" {...shareOf(job)} />
          )}
        </div>
      )}
      {isListed && job !== null && leftCount > 0 && <BulkLeft job={job} onClose={() => setListed(false)} />}
    </>
  );
}

function Dismiss({ onClick }: { readonly onClick: () => void }) {
  return (
    <IconButton label={t('bulk.dismiss')} onClick={onClick}>
      <X size={16} aria-hidden="true" />
    </IconButton>
  );
}

const shareOf = ({ total, waiting }: BulkChange) => ({ max: Math.max(total, 1), value: total - waiting });

function progressText({ status, undoes, total: count, waiting, changed }: BulkChange): string {
  if (status === 'completed') return t(undoes === null ? 'bulk.changed' : 'bulk.putBack', { count: changed });
  if (status === 'canceled') return t('bulk.stopped', { done: changed, count });
  return t(undoes === null ? 'bulk.changing' : 'bulk.puttingBack', { done: count - waiting, count });
}
