import { useLine, useLiveValue } from '../../../app/live.tsx';
import { t } from '../../../locales/text.ts';

/** Whether what is shown is what the service holds. */
export function LineState({ isShort = false }: { readonly isShort?: boolean }) {
  const line = useLine();
  const caughtUp = useLiveValue((snapshot) => snapshot.caughtUp);
  const waiting = useLiveValue(
    ({ client }) => client.commands.filter(({ progress }) => ['waiting', 'sending'].includes(progress.at)).length,
  );
  const isCurrent = line === 'current';
  const text = isCurrent
    ? t('line.current')
    : line === 'catching_up'
      ? t('line.catchingUp', { count: caughtUp })
      : line === 'offline'
        ? waiting > 0
          ? t('line.offlineWaiting', { count: waiting })
          : t('line.offline')
        : t('line.connecting');
  const tone = isCurrent ? 'bg-good' : line === 'offline' ? 'bg-bad' : 'bg-warn';
  return (
    <p role="status" className="flex min-w-0 items-center gap-2 px-2 py-1 text-xs text-muted" title={text}>
      <span className={`size-2 shrink-0 rounded-full ${tone}`} />
      <span className={isShort && isCurrent ? 'sr-only' : 'truncate'}>{text}</span>
    </p>
  );
}
