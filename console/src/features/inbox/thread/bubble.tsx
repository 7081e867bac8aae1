import { StickyNote } from 'lucide-react';
import { lazy, memo, Suspense } from 'react';
import type { Agent } from '../../../app/resources.ts';
import { Linked } from '../../../components/linked.tsx';
import {
  isDeleted,
  isInbound,
  isNote,
  isOutbound,
  type NoteItem,
  type OutboundItem,
  type ThreadItem,
} from '../../../live/model.ts';
import { clockTime, exactTime, t } from '../../../locales/text.ts';
import { actorName, timeOf } from '../naming.ts';
import { BubbleActions } from './bubble-actions.tsx';
import { Content } from './content.tsx';
import { References } from './references.tsx';
import { sideOf } from './thread-rows.ts';
import { Ticks } from './ticks.tsx';

const FormAnswers = lazy(async () => ({ default: (await import('./form-answers.tsx')).FormAnswers }));

interface Props {
  readonly item: ThreadItem;
  readonly isFirst: boolean;
  readonly reactions: readonly string[];
  readonly quoted: ThreadItem | null;
  readonly agents: readonly Agent[] | undefined;
  readonly onTrace: (messageId: string) => void;
  readonly onQuote: (item: ThreadItem) => void;
}

/** A message or a note, on the side of whoever wrote it. */
export const Bubble = memo(function OneBubble({ item, isFirst, reactions, quoted, agents, onTrace, onQuote }: Props) {
  if (isNote(item)) return <Note note={item} agents={agents} />;
  const isOurs = isOutbound(item);
  const isOnOurSide = sideOf(item) === 'ours';
  const author = isOurs ? authorOf(item, agents) : null;
  return (
    <div
      className={`group flex flex-col ${isOnOurSide ? 'items-end' : 'items-start'} ${isFirst ? 'pt-2.5' : 'pt-0.5'} ${reactions.length > 0 ? 'pb-3.5' : ''}`}
    >
      {isFirst && author !== null && <p className="px-1 pb-0.5 text-xs text-muted">{author}</p>}
      <div
        className={`relative max-w-[min(34rem,85%)] rounded-2xl px-3 py-1.5 ${isOnOurSide ? 'rounded-ee-md bg-mine' : 'rounded-es-md bg-theirs'}`}
      >
        <References item={item} quoted={quoted} />
        <BubbleActions item={item} isOurs={isOurs} onQuote={onQuote} />
        <Content item={item} />
        {isInbound(item) && item.flow_response && !isDeleted(item) && (
          <Suspense>
            <FormAnswers item={item} />
          </Suspense>
        )}
        <p className="-mb-0.5 flex items-center justify-end gap-1 text-2xs text-muted tabular-nums">
          {isEdited(item) && <span>{t('thread.edited')}</span>}
          <time dateTime={timeOf(item)} title={exactTime(timeOf(item))}>
            {clockTime(timeOf(item))}
          </time>
          {isOurs && <Ticks item={item} onTrace={onTrace} />}
        </p>
        {reactions.length > 0 && (
          <p className="absolute start-2 -bottom-3 rounded-full border border-line bg-raised px-1.5 text-xs leading-5">
            <span className="sr-only">{t('thread.reaction')}</span>
            {reactions.join(' ')}
          </p>
        )}
      </div>
      {isOurs && item.delivery.state === 'failed' && <Failure item={item} onTrace={onTrace} />}
    </div>
  );
});

const isEdited = (item: ThreadItem): boolean => 'edits' in item && (item.edits?.length ?? 0) > 0;

function authorOf({ author, template }: OutboundItem, agents: readonly Agent[] | undefined): string | null {
  if (!author) return template ? t('thread.template', { name: template.name }) : null;
  if (author.kind === 'phone') return t('actor.phone');
  if (author.name) return author.name;
  if (author.kind === 'agent') return actorName(agents, { kind: 'agent', id: author.id });
  return author.kind === 'key' ? t('actor.key') : author.kind === 'rule' ? t('actor.rule') : t('actor.campaign');
}

function Failure({ item, onTrace }: { readonly item: OutboundItem; readonly onTrace: Props['onTrace'] }) {
  return (
    <p className="max-w-[min(34rem,85%)] px-1 pt-1 text-end text-xs text-bad">
      {item.delivery.error?.message ?? t('delivery.failed')}{' '}
      <button type="button" className="underline underline-offset-2" onClick={() => onTrace(item.id)}>
        {t('trace.open')}
      </button>
    </p>
  );
}

function Note({ note, agents }: { readonly note: NoteItem; readonly agents: readonly Agent[] | undefined }) {
  return (
    <div className="flex justify-center py-2">
      <div className="w-full max-w-xl rounded-lg border border-note-line bg-note px-3 py-2">
        <p className="flex items-center gap-1.5 pb-0.5 text-xs text-muted">
          <StickyNote size={13} aria-hidden="true" />
          {t('note.by', { name: actorName(agents, note.author), time: clockTime(note.created_at) })}
        </p>
        <Linked text={note.body} />
      </div>
    </div>
  );
}
