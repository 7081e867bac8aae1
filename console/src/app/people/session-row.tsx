import type { Session } from '@postrider/sdk';
import { Button } from '../../components/button.tsx';
import { plainTime, t } from '../../locales/text.ts';
import { browserName } from './browser-name.ts';

interface Props {
  readonly session: Pick<Session, 'user_agent' | 'address' | 'last_used_at' | 'current'>;
  /** What ends it, in words. @param browser what the session is in */
  readonly endLabel: (browser: string) => string;
  readonly isBusy: boolean;
  readonly onEnd: () => void;
}

/** Where somebody is signed in. */
export function SessionRow({ session, endLabel, isBusy, onEnd }: Props) {
  const { current, user_agent, address, last_used_at } = session;
  const browser = browserName(user_agent) ?? t('sessions.unknown');
  return (
    <li className="flex items-center gap-3 py-2">
      <div className="min-w-0 grow">
        <p className="flex items-baseline gap-2 text-sm">
          <bdi className="truncate">{browser}</bdi>
          {current && <span className="shrink-0 text-xs text-good">{t('sessions.current')}</span>}
        </p>
        <p className="truncate text-xs text-muted">
          {t('sessions.from', { address: address ?? '–', time: plainTime(last_used_at) })}
        </p>
      </div>
      <Button look="quiet" disabled={isBusy} aria-label={endLabel(browser)} onClick={onEnd}>
        {t('sessions.end')}
      </Button>
    </li>
  );
}
