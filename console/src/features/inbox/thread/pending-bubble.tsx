import { Clock3, CloudOff, Undo2 } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useCommands } from '../../../app/commands.tsx';
import { useLine, useLive } from '../../../app/live.tsx';
import { Linked } from '../../../components/linked.tsx';
import type { Command } from '../../../live/commands.ts';
import { waitsForLine } from '../../../live/snapshot.ts';
import { t } from '../../../locales/text.ts';
import { kindName } from '../naming.ts';
import { RefusedAnswer } from './refused-answer.tsx';

interface Props {
  readonly command: Command;
  readonly onEdit: (command: Command) => void;
}

/** What was written here and is on its way, or was refused. */
export function PendingBubble({ command, onEdit }: Props) {
  const { intent, progress } = command;
  const line = useLine();
  const isRefused = progress.at === 'refused';
  const isOffline = waitsForLine(command, line);
  const secondsLeft = useSecondsLeft(progress.at === 'waiting' ? (command.holdUntil ?? null) : null);
  const look = intent.kind === 'note' ? 'bg-note' : isRefused ? 'bg-bad-soft' : 'bg-mine';
  const media = intent.kind === 'reply' ? intent.content.media : undefined;
  return (
    <div className="flex flex-col items-end pt-1">
      <div className={`max-w-[min(34rem,85%)] rounded-2xl rounded-ee-md px-3 py-1.5 ${look}`}>
        {media && intent.kind === 'reply' && intent.content.type === 'image' && (
          <img
            src={`/v1/media/${media.media_id}/content`}
            alt={kindName('image')}
            className="my-1 max-h-40 rounded-lg object-contain"
          />
        )}
        <Linked text={textOf(command)} />
        {!isRefused && secondsLeft === 0 && (
          <p className="-mb-0.5 flex items-center justify-end gap-1 text-2xs text-muted">
            {isOffline ? t('pending.offline') : t('pending.sending')}
            {isOffline ? <CloudOff size={13} aria-hidden="true" /> : <Clock3 size={13} aria-hidden="true" />}
          </p>
        )}
      </div>
      {secondsLeft > 0 && <Undo command={command} secondsLeft={secondsLeft} onEdit={onEdit} />}
      {progress.at === 'refused' && <RefusedAnswer command={command} refusal={progress.refusal} onEdit={onEdit} />}
    </div>
  );
}

function textOf({ intent }: Command): string {
  if (intent.kind === 'note') return intent.body;
  if (intent.kind !== 'reply') return '';
  const { type, body, media, reaction } = intent.content;
  return body ?? media?.caption ?? reaction?.emoji ?? kindName(type);
}

function Undo({ command, secondsLeft, onEdit }: Props & { readonly secondsLeft: number }) {
  const live = useLive();
  useCommands(
    useMemo(() => {
      const undo = () => {
        if (live.undo(command.key)) onEdit(command);
      };
      return [{ id: 'undo-send', name: t('undo.action'), group: 'group.conversation', key: 'z', run: undo }];
    }, [live, command, onEdit]),
  );
  return (
    <p className="flex items-center gap-2 pt-0.5 text-xs text-muted tabular-nums">
      {t('undo.left', { count: secondsLeft })}
      <button
        type="button"
        onClick={() => live.undo(command.key) && onEdit(command)}
        className="inline-flex h-control-small items-center gap-1 rounded px-1.5 font-medium text-accent hover:bg-hover"
      >
        <Undo2 size={13} aria-hidden="true" className="rtl:-scale-x-100" />
        {t('undo.action')}
      </button>
    </p>
  );
}

/** How many seconds are left until then, counted down. */
function useSecondsLeft(until: string | null): number {
  const [now, setNow] = useState(Date.now);
  const left = until === null ? 0 : Math.max(0, Math.ceil((Date.parse(until) - now) / 1_000));
  const isRunning = left > 0;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [isRunning]);
  return left;
}
