import { MessagesSquare } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { isOutbound, type OutboundItem, type ThreadItem } from '../../../live/model.ts';
import { clockTime, t } from '../../../locales/text.ts';
import { summaryOf } from '../naming.ts';

/** The newest answer of anybody else; null: there is none. Campaigns answer nobody. */
export function answerOfOthers(items: readonly ThreadItem[], meId: string | null): OutboundItem | null {
  const found = items.findLast(
    (item) => isOutbound(item) && item.author != null && item.author.kind !== 'campaign' && item.author.id !== meId,
  );
  return found !== undefined && isOutbound(found) ? found : null;
}

interface Overtaken {
  /** What was answered since the writing began; null: nothing. */
  readonly by: OutboundItem | null;
  /** The writer has seen it. */
  readonly accept: () => void;
}

/** Whether somebody has answered while this text was being written. @param answer undefined while nobody knows */
export function useOvertaken(text: string, answer: OutboundItem | null | undefined): Overtaken {
  const [seenId, setSeen] = useState<string | null>(null);
  const isWriting = text !== '';
  const answerId = answer === undefined ? null : (answer?.id ?? '');
  useEffect(() => {
    if (answerId !== null && (!isWriting || seenId === null)) setSeen(answerId);
  }, [isWriting, answerId, seenId]);
  const isNew = isWriting && seenId !== null && answerId !== null && answerId > seenId;
  return { by: isNew ? (answer ?? null) : null, accept: () => setSeen(answerId) };
}

interface Props {
  readonly by: OutboundItem;
  readonly onSend: () => void;
  readonly onKeep: () => void;
}

/** Shows what somebody has answered meanwhile, before the text goes out beside it. */
export function OvertakenNotice({ by, onSend, onKeep }: Props) {
  return (
    <div role="alert" className="mb-2 flex flex-wrap items-center gap-2 rounded-lg bg-warn-soft px-3 py-2 text-sm">
      <MessagesSquare size={16} aria-hidden="true" className="shrink-0 text-warn" />
      <p className="min-w-40 grow">
        {t('overtaken.by', { name: by.author?.name ?? t('agent.unknown'), time: clockTime(by.created_at) })}{' '}
        <span dir="auto" className="line-clamp-2 text-muted">
          {summaryOf(by)}
        </span>
      </p>
      <Button onClick={onSend}>{t('pending.sendAnyway')}</Button>
      <Button look="quiet" onClick={onKeep}>
        {t('overtaken.keep')}
      </Button>
    </div>
  );
}
