import { useMutation, useQuery } from '@tanstack/react-query';
import { SessionRow } from '../../app/people/session-row.tsx';
import { signOut } from '../../app/session.ts';
import { Button } from '../../components/button.tsx';
import { t } from '../../locales/text.ts';
import { endSessions, sessionsQuery } from './account-api.ts';
import { Section } from './section.tsx';

/** Where the person is signed in. */
export function Sessions() {
  const { data: sessions, isError, refetch } = useQuery(sessionsQuery);
  const end = useMutation({ mutationFn: endSessions });
  const others = sessions?.filter(({ current }) => !current) ?? [];
  return (
    <Section title={t('sessions.title')}>
      {sessions === undefined && !isError && <div aria-busy="true" className="skeleton h-20" />}
      {sessions === undefined && isError && (
        <div role="alert" className="flex items-center gap-3 text-sm">
          {t('sessions.failed')}
          <Button onClick={() => void refetch()}>{t('action.tryAgain')}</Button>
        </div>
      )}
      <ul>
        {sessions?.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            endLabel={(name) => t('sessions.endNamed', { name })}
            isBusy={end.isPending}
            onEnd={() => (session.current ? void signOut() : end.mutate([session.id]))}
          />
        ))}
      </ul>
      {others.length > 1 && (
        <Button className="mt-3" disabled={end.isPending} onClick={() => end.mutate(others.map(({ id }) => id))}>
          {t('sessions.endOthers')}
        </Button>
      )}
    </Section>
  );
}
