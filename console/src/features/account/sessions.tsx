import { useMutation, useQuery } from '@tanstack/react-query';
import { browserName } from '../../app/people/browser-name.ts';
import { signOut } from '../../app/session.ts';
import { Button } from '../../components/button.tsx';
import { exactTime, t } from '../../locales/text.ts';
import { endSessions, type OpenSession, sessionsQuery } from './account-api.ts';
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
      <ul className="flex flex-col gap-2">
        {sessions?.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
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

function SessionRow({ session, onEnd }: { readonly session: OpenSession; readonly onEnd: () => void }) {
  const { current, user_agent, address, last_used_at } = session;
  const name = browserName(user_agent) ?? t('sessions.unknown');
  return (
    <li className="flex items-center gap-3">
      <div className="min-w-0 grow">
        <p className="truncate text-sm">
          {name}
          {current && <span className="ms-2 text-xs text-good">{t('sessions.current')}</span>}
        </p>
        <p className="truncate text-xs text-muted">
          {t('sessions.from', { address: address ?? '–', time: exactTime(last_used_at) })}
        </p>
      </div>
      <Button look="quiet" aria-label={t('sessions.endNamed', { name })} onClick={onEnd}>
        {t('sessions.end')}
      </Button>
    </li>
  );
}
