import { useEffect, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { clockSpan, t } from '../../locales/text.ts';

interface Props {
  readonly untilMs: number;
  readonly onRestart: () => void;
}

/** Too many attempts: how long to wait, second by second. */
export function Blocked({ untilMs, onRestart }: Props) {
  const [leftMs, setLeft] = useState(() => untilMs - Date.now());
  useEffect(() => {
    const timer = setInterval(() => setLeft(untilMs - Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [untilMs]);
  const isOver = leftMs <= 0;
  return (
    <div className="text-center">
      <p role="alert" className="font-semibold">
        {t('signIn.blocked')}
      </p>
      <p className="mt-1 mb-4 text-muted tabular-nums">
        {isOver ? t('signIn.blockedOver') : t('signIn.blockedBody', { span: clockSpan(leftMs) })}
      </p>
      <Button look={isOver ? 'primary' : 'plain'} onClick={onRestart}>
        {t(isOver ? 'action.tryAgain' : 'signIn.restart')}
      </Button>
    </div>
  );
}
