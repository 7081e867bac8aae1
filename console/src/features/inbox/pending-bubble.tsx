import { Clock3, CloudOff } from 'lucide-react';
import { useLive, useSnapshot } from '../../app/live.tsx';
import { Button } from '../../components/button.tsx';
import { Linked } from '../../components/linked.tsx';
import type { Command } from '../../live/commands.ts';
import { t } from '../../locales/text.ts';
import { kindName } from './naming.ts';

interface Props {
  readonly command: Command;
  readonly onEdit: (command: Command) => void;
}

/** What was written here and is on its way, or was refused. */
export function PendingBubble({ command, onEdit }: Props) {
  const { intent, progress } = command;
  const { line } = useSnapshot();
  const text =
    intent.kind === 'note'
      ? intent.body
      : intent.kind === 'reply'
        ? (intent.content.body ?? kindName(intent.content.type))
        : '';
  const isRefused = progress.at === 'refused';
  const isOffline = !isRefused && line === 'offline';
  return (
    <div className="flex flex-col items-end pt-1">
      <div
        className={`max-w-[min(34rem,85%)] rounded-2xl rounded-ee-md px-3 py-1.5 ${intent.kind === 'note' ? 'bg-note' : isRefused ? 'bg-bad-soft' : 'bg-mine opacity-80'}`}
      >
        <Linked text={text} />
        {!isRefused && (
          <p className="-mb-0.5 flex items-center justify-end gap-1 text-2xs text-muted">
            {isOffline ? t('pending.offline') : t('pending.sending')}
            {isOffline ? <CloudOff size={13} aria-hidden="true" /> : <Clock3 size={13} aria-hidden="true" />}
          </p>
        )}
      </div>
      {progress.at === 'refused' && (
        <Refused command={command} code={progress.refusal.code} sentence={progress.refusal.sentence} onEdit={onEdit} />
      )}
    </div>
  );
}

function Refused({ command, code, sentence, onEdit }: Props & { readonly code: string; readonly sentence: string }) {
  const live = useLive();
  const isConflict = code === 'conversation_conflict';
  const again = () => {
    const { key, conversationId, intent } = command;
    live.drop(key);
    live.submit(conversationId, intent.kind === 'reply' ? { ...intent, after: null, force: isConflict } : intent);
  };
  return (
    <div
      role="alert"
      className="flex max-w-[min(34rem,85%)] flex-col items-end gap-1.5 pt-1 pb-2 text-end text-sm text-bad"
    >
      <p>{isConflict ? t('pending.overtaken') : t('pending.refused', { sentence })}</p>
      <div className="flex gap-1.5">
        <Button onClick={again}>{isConflict ? t('pending.sendAnyway') : t('pending.again')}</Button>
        <Button onClick={() => onEdit(command)}>{t('pending.edit')}</Button>
        <Button look="quiet" onClick={() => live.drop(command.key)}>
          {t('pending.discard')}
        </Button>
      </div>
    </div>
  );
}
