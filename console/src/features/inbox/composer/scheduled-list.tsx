import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CalendarClock } from 'lucide-react';
import { useState } from 'react';
import { cancelScheduled, scheduledQuery, useScheduled } from '../../../app/composing/scheduled.ts';
import { Button } from '../../../components/button.tsx';
import type { OutboundItem } from '../../../live/model.ts';
import { plainTime, t } from '../../../locales/text.ts';
import { summaryOf } from '../naming.ts';

/** The answers that wait for their time, each with a way to cancel it. */
export function ScheduledList({ conversationId }: { readonly conversationId: string }) {
  const scheduled = useScheduled(conversationId);
  const [isOpen, setOpen] = useState(false);
  if (scheduled.length === 0) return null;
  return (
    <div className="mb-2 rounded-lg border border-line bg-surface text-sm">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex w-full items-center gap-2 px-3 py-1.5 text-start text-muted hover:text-ink"
      >
        <CalendarClock size={15} aria-hidden="true" />
        {t('schedule.count', { count: scheduled.length })}
      </button>
      {isOpen && (
        <ul className="scroll-area max-h-48 border-t border-line">
          {scheduled.map((item) => (
            <Scheduled key={item.id} item={item} conversationId={conversationId} />
          ))}
        </ul>
      )}
    </div>
  );
}

function Scheduled({ item, conversationId }: { readonly item: OutboundItem; readonly conversationId: string }) {
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => cancelScheduled(item.id),
    onSettled: () => queries.invalidateQueries({ queryKey: scheduledQuery(conversationId).queryKey }),
  });
  return (
    <li className="flex items-center gap-3 px-3 py-1.5">
      <div className="min-w-0 grow">
        <p dir="auto" className="truncate">
          {summaryOf(item)}
        </p>
        <p className="text-xs text-muted">{plainTime(item.send_at ?? item.created_at)}</p>
        {error && (
          <p role="alert" className="text-xs text-bad">
            {error.message}
          </p>
        )}
      </div>
      <Button look="quiet" disabled={isPending} onClick={() => mutate()}>
        {t('schedule.cancel')}
      </Button>
    </li>
  );
}
