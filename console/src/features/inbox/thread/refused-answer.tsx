import { useLive, useSnapshot } from '../../../app/live.tsx';
import { Button } from '../../../components/button.tsx';
import { type Command, inBetween, type Refusal } from '../../../live/commands.ts';
import { clockTime, t } from '../../../locales/text.ts';
import { summaryOf, timeOf } from '../naming.ts';

interface Props {
  readonly command: Command;
  readonly refusal: Refusal;
  readonly onEdit: (command: Command) => void;
}

const SHOWN = 3;

/** Why an answer was refused, what came in between, and what can be done now. The text stays until somebody decides. */
export function RefusedAnswer({ command, refusal: { code, sentence }, onEdit }: Props) {
  const live = useLive();
  const { client } = useSnapshot();
  const isConflict = code === 'conversation_conflict';
  const between = isConflict ? inBetween(client.state, command) : [];
  const again = () => {
    const { key, conversationId, intent } = command;
    live.drop(key);
    live.submit(conversationId, intent.kind === 'reply' ? { ...intent, after: null, force: isConflict } : intent);
  };
  const isHeld = isConflict && between.length === 0;
  return (
    <div
      role="alert"
      className="flex max-w-[min(34rem,85%)] flex-col items-end gap-1.5 pt-1 pb-2 text-end text-sm text-bad"
    >
      <p>{isHeld ? t('pending.held') : isConflict ? t('pending.overtaken') : t('pending.refused', { sentence })}</p>
      {between.slice(-SHOWN).map((item) => (
        <p
          key={item.id}
          dir="auto"
          className="line-clamp-2 max-w-full rounded-lg border-s-2 border-bad bg-bad-soft px-2.5 py-1 text-start text-ink"
        >
          <span className="text-xs text-muted">{clockTime(timeOf(item))} </span>
          {summaryOf(item)}
        </p>
      ))}
      <div className="flex flex-wrap justify-end gap-1.5">
        <Button onClick={again}>{isConflict ? t('pending.sendAnyway') : t('pending.again')}</Button>
        <Button onClick={() => onEdit(command)}>{t('pending.edit')}</Button>
        <Button look="quiet" onClick={() => live.drop(command.key)}>
          {t('pending.discard')}
        </Button>
      </div>
    </div>
  );
}
