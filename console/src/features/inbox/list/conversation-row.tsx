import { AlarmClock, Check, Hourglass, Reply } from 'lucide-react';
import { memo } from 'react';
import { useHeldDraft } from '../../../app/composing/drafts.tsx';
import { Avatar } from '../../../components/avatar.tsx';
import type { Conversation } from '../../../live/model.ts';
import { listTime, shortSpan, t } from '../../../locales/text.ts';
import { customerName, kindName, windowShare } from '../naming.ts';
import { SignalMark } from '../signals.tsx';

export const ROW_PX = 68;

interface Props {
  readonly one: Conversation;
  readonly now: number;
  /** The name of who cares for it. */
  readonly assignee: string;
  readonly isChosen: boolean;
  readonly isSelected: boolean;
  readonly onChoose: (id: string) => void;
  /** With the shift key: up to this one. */
  readonly onSelect: (id: string, isRange: boolean) => void;
}

/** One conversation of a list. */
export const ConversationRow = memo(function Row({
  one,
  now,
  assignee,
  isChosen,
  isSelected,
  onChoose,
  onSelect,
}: Props) {
  const name = customerName(one);
  const isUnread = one.unread_count > 0;
  return (
    <button
      type="button"
      aria-current={isChosen ? 'true' : undefined}
      onClick={({ shiftKey, metaKey, ctrlKey }) =>
        shiftKey || metaKey || ctrlKey ? onSelect(one.id, shiftKey) : onChoose(one.id)
      }
      style={{ height: ROW_PX }}
      className="flex w-full items-center gap-3 border-b border-line px-3 text-start outline-offset-[-2px] hover:bg-hover aria-[current]:bg-selected select-none"
    >
      {isSelected ? (
        <span className="grid size-10 shrink-0 place-items-center rounded-full bg-accent text-accent-ink">
          <Check size={18} aria-label={t('bulk.isSelected')} />
        </span>
      ) : (
        <Avatar name={name} left={windowShare(one, now)} size={40} />
      )}
      <span className="min-w-0 grow">
        <span className="flex items-baseline gap-2">
          <span dir="auto" className={`min-w-0 grow truncate ${isUnread ? 'font-semibold' : 'font-medium'}`}>
            {name}
          </span>
          {one.last_message && (
            <span className={`shrink-0 text-xs tabular-nums ${isUnread ? 'text-accent' : 'text-muted'}`}>
              {listTime(one.last_message.at, now)}
            </span>
          )}
        </span>
        <span className="mt-0.5 flex items-center gap-2">
          <Preview one={one} isChosen={isChosen} />
          <Marks one={one} now={now} assignee={assignee} />
        </span>
      </span>
    </button>
  );
});

/** The last message, or what this person has begun to answer; what is open is read in its field. */
function Preview({ one, isChosen }: Pick<Props, 'one' | 'isChosen'>) {
  const { body, mediaIds } = useHeldDraft(one.id);
  const isDraft = !isChosen && (body.trim() !== '' || mediaIds.length > 0);
  const tone = one.unread_count > 0 ? 'text-ink' : 'text-muted';
  return (
    <span dir="auto" className={`min-w-0 grow truncate text-sm ${tone}`}>
      {isDraft && <span className="text-accent">{t('list.draft')} </span>}
      {!isDraft && one.last_message?.direction === 'outbound' && (
        <Reply size={13} role="img" aria-label={t('list.ours')} className="me-1 inline text-faint rtl:-scale-x-100" />
      )}
      {isDraft ? body.trim() || t('list.draftFiles', { count: mediaIds.length }) : previewOf(one)}
    </span>
  );
}

function previewOf({ last_message: last }: Conversation): string {
  return last === null ? t('list.nothing') : (last.preview ?? kindName(last.type));
}

function Marks({ one, now, assignee }: Pick<Props, 'one' | 'now' | 'assignee'>) {
  const waitingMs = one.waiting_since === null ? null : now - Date.parse(one.waiting_since);
  return (
    <span className="flex shrink-0 items-center gap-1.5 text-xs text-muted tabular-nums">
      <SignalMark conversationId={one.id} />
      {one.priority === 'urgent' || one.priority === 'high' ? (
        <span className="rounded bg-bad-soft px-1 font-medium text-bad">{t(`priority.${one.priority}`)}</span>
      ) : null}
      {one.status === 'snoozed' && <AlarmClock size={13} aria-label={t('status.snoozed')} />}
      {waitingMs !== null && waitingMs > 60_000 && one.status === 'open' && (
        <span className="flex items-center gap-0.5 text-warn" title={t('list.waits', { span: shortSpan(waitingMs) })}>
          <Hourglass size={12} aria-hidden="true" />
          {shortSpan(waitingMs)}
        </span>
      )}
      {one.assignee_id !== null && (
        <span title={t('list.assigned', { name: assignee })}>
          <Avatar name={assignee} size={18} />
        </span>
      )}
      {one.unread_count > 0 && (
        <span className="grid h-[18px] min-w-[18px] place-items-center rounded-full bg-accent px-1 text-2xs font-semibold text-accent-ink">
          <span aria-hidden="true">{one.unread_count > 99 ? '99+' : one.unread_count}</span>
          <span className="sr-only">{t('list.unread', { count: one.unread_count })}</span>
        </span>
      )}
    </span>
  );
}
