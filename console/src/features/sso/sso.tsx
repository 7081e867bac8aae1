import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import type { AppCommand } from '../../app/command-registry.ts';
import { useCommands } from '../../app/commands.tsx';
import { useMe } from '../../app/me.tsx';
import { meQuery } from '../../app/resources.ts';
import { Button } from '../../components/button.tsx';
import { State } from '../../components/state.tsx';
import { t } from '../../locales/text.ts';
import { Addresses } from './addresses.tsx';
import { ConnectionForm } from './connection-form.tsx';
import { RemoveConnection } from './remove-connection.tsx';
import { saveSso, ssoQuery } from './requests.ts';

/** How the people of the tenant sign in at their identity provider. */
export function Sso() {
  const me = useMe();
  const navigate = useNavigate();
  const mayRead = me.permissions.includes('settings:manage');
  useCommands(
    useMemo<readonly AppCommand[]>(() => {
      const group = 'group.general' as const;
      return [
        { id: 'inbox', name: t('lost.action'), group, key: 'g i', run: () => void navigate({ to: '/inbox' }) },
        { id: 'team', name: t('team.open'), group, run: () => void navigate({ to: '/settings/team' }) },
      ];
    }, [navigate]),
  );
  useEffect(() => {
    document.title = t('ssoPage.title');
  }, []);
  return (
    <main className="scroll-area h-full">
      <div className="mx-auto max-w-xl px-5 pt-5 pb-16">
        <header className="mb-2">
          <Link
            to="/settings/team"
            className="-ms-1.5 inline-flex min-h-control items-center gap-1 rounded-md px-1.5 text-sm text-muted"
          >
            <ArrowLeft size={15} aria-hidden="true" className="rtl:rotate-180" />
            {t('ssoPage.back')}
          </Link>
          <h1 className="mt-1 text-xl font-semibold">{t('ssoPage.title')}</h1>
        </header>
        {mayRead ? <Connection /> : <p className="mt-4 text-sm text-muted">{t('ssoPage.readOnly')}</p>}
      </div>
    </main>
  );
}

function Connection() {
  const { data: connection, error, refetch } = useQuery(ssoQuery);
  const client = useQueryClient();
  const refresh = () => Promise.all([ssoQuery, meQuery].map(({ queryKey }) => client.invalidateQueries({ queryKey })));
  const save = useMutation({
    mutationFn: saveSso,
    onSuccess: (saved) => {
      client.setQueryData(ssoQuery.queryKey, saved);
      return client.invalidateQueries({ queryKey: meQuery.queryKey });
    },
  });
  if (connection === undefined) {
    if (error === null) return <div className="skeleton mt-4 h-64" aria-busy="true" />;
    return (
      <State title={t('ssoPage.failed')} body={error.message}>
        <Button onClick={() => void refetch()}>{t('action.tryAgain')}</Button>
      </State>
    );
  }
  return (
    <>
      {connection === null && <p className="mt-2 text-sm text-muted">{t('ssoPage.new')}</p>}
      {connection !== null && <Addresses connection={connection} />}
      <ConnectionForm
        key={connection === null ? 'new' : 'known'}
        connection={connection}
        error={save.error}
        isSaving={save.isPending}
        isSaved={save.isSuccess}
        onSave={(fields, onSaved) => save.mutate(fields, { onSuccess: onSaved })}
      />
      {connection !== null && (
        <RemoveConnection
          onRemoved={() => {
            client.setQueryData(ssoQuery.queryKey, null);
            save.reset();
            void refresh();
          }}
        />
      )}
    </>
  );
}
