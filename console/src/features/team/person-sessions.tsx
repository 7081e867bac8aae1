import { useMutation, useQuery } from '@tanstack/react-query';
import { browserName } from '../../app/people/browser-name.ts';
import { Refusal } from '../../app/people/refusal.tsx';
import { Button } from '../../components/button.tsx';
import { exactTime, t } from '../../locales/text.ts';
import { endPersonSessions, personSessionsQuery } from './requests.ts';

interface Props {
  readonly id: string;
  readonly name: string;
  readonly onChanged: () => unknown;
}

/** Where somebody is signed in here, to be ended one by one or all at once. */
export function PersonSessions({ id, name, onChanged }: Props) {
  const { data: sessions, isError, refetch } = useQuery(personSessionsQuery(id));
  const end = useMutation({
    mutationFn: (ids: readonly string[] | null) => endPersonSessions(id, ids),
    onSettled: () => Promise.all([refetch(), onChanged()]),
  });
  if (sessions === undefined) {
    if (!isError) return <div aria-busy="true" className="skeleton mt-2 h-16" />;
    return (
      <div role="alert" className="mt-2 flex items-center gap-3 text-sm">
        {t('sessions.failed')}
        <Button onClick={() => void refetch()}>{t('action.tryAgain')}</Button>
      </div>
    );
  }
  return (
    <>
      {sessions.length === 0 && <p className="mt-2 text-sm text-muted">{t('team.noSessions')}</p>}
      <ul aria-label={t('team.sessions')} className="mt-2 divide-y divide-line">
        {sessions.map(({ id: sessionId, user_agent, address, last_used_at, current }) => {
          const browser = browserName(user_agent) ?? t('sessions.unknown');
          return (
            <li key={sessionId} className="flex items-center gap-3 py-2">
              <div className="min-w-0 grow">
                <p className="truncate text-sm">
                  {browser}
                  {current && <span className="ms-2 text-xs text-good">{t('sessions.current')}</span>}
                </p>
                <p className="truncate text-xs text-muted">
                  {t('sessions.from', { address: address ?? '–', time: exactTime(last_used_at) })}
                </p>
              </div>
              <Button
                look="quiet"
                disabled={end.isPending}
                aria-label={t('team.endSession', { name, browser })}
                onClick={() => end.mutate([sessionId])}
              >
                {t('sessions.end')}
              </Button>
            </li>
          );
        })}
      </ul>
      {sessions.length > 1 && (
        <Button className="mt-2" disabled={end.isPending} onClick={() => end.mutate(null)}>
          {t('team.endAll')}
        </Button>
      )}
      <Refusal error={end.error} after="team" />
    </>
  );
}
