import { useMutation, useQuery } from '@tanstack/react-query';
import { Refusal } from '../../app/people/refusal.tsx';
import { SessionRow } from '../../app/people/session-row.tsx';
import { Button } from '../../components/button.tsx';
import { t } from '../../locales/text.ts';
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
        {sessions.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            endLabel={(browser) => t('team.endSession', { name, browser })}
            isBusy={end.isPending}
            onEnd={() => end.mutate([session.id])}
          />
        ))}
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
