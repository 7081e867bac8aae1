import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ArrowLeft, UserPlus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useCommands } from '../../app/commands.tsx';
import { useMe } from '../../app/me.tsx';
import { Refusal } from '../../app/people/refusal.tsx';
import { agentsQuery } from '../../app/resources.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { t } from '../../locales/text.ts';
import { Dialogs, type Opened } from './dialogs.tsx';
import { Invitations } from './invitations.tsx';
import { PeopleList } from './people-list.tsx';
import { changeRole, invitePerson, type Person, ROLES, type Role } from './requests.ts';
import { Teams } from './teams.tsx';
import { useTeamCommands } from './use-team-commands.ts';

/** Who answers customers here: their roles and teams, invitations, sessions, and leaving. */
export function Team() {
  const me = useMe();
  const navigate = useNavigate();
  const client = useQueryClient();
  const mayChange = me.permissions.includes('agents:manage');
  const roles: readonly Role[] = me.agent?.role === 'owner' ? ROLES : ROLES.filter((role) => role !== 'owner');
  const [opened, setOpened] = useState<Opened | null>(null);
  const teamName = useRef<HTMLInputElement>(null);
  const refresh = () =>
    Promise.all([['team'], agentsQuery.queryKey].map((queryKey) => client.invalidateQueries({ queryKey })));
  const role = useMutation({
    mutationFn: ({ id, to }: { id: string; to: Role }) => changeRole(id, to),
    onSettled: refresh,
  });
  const invite = useMutation({
    mutationFn: invitePerson,
    onSuccess: (invitation) => setOpened({ what: 'link', invitation }),
    onSettled: refresh,
  });
  const mail = (person: Person) => invite.mutate({ person, isMailed: true });
  useCommands(
    useTeamCommands(mayChange, {
      add: () => setOpened({ what: 'add' }),
      addTeam: () => teamName.current?.focus(),
    }),
  );
  useEffect(() => {
    document.title = t('team.open');
  }, []);
  const isBusy = role.isPending || invite.isPending;
  return (
    <main className="scroll-area h-full">
      <div className="mx-auto flex max-w-3xl flex-col gap-4 p-4 sm:p-6">
        <header className="flex flex-wrap items-center gap-2">
          <IconButton label={t('lost.action')} onClick={() => void navigate({ to: '/inbox' })}>
            <ArrowLeft size={16} aria-hidden="true" className="rtl:-scale-x-100" />
          </IconButton>
          <h1 className="grow text-lg font-semibold">{t('team.open')}</h1>
          {me.permissions.includes('settings:manage') && (
            <Link
              to="/settings/sso"
              className="inline-flex min-h-control items-center rounded-md px-2 text-sm text-muted underline underline-offset-2"
            >
              {t('ssoPage.open')}
            </Link>
          )}
          {mayChange && (
            <Button look="primary" onClick={() => setOpened({ what: 'add' })}>
              <UserPlus size={15} aria-hidden="true" />
              {t('team.add')}
            </Button>
          )}
        </header>
        {!mayChange && <p className="text-sm text-muted">{t('team.readOnly')}</p>}
        {invite.isPending && (
          <p role="status" className="text-sm text-muted">
            {t('team.inviting')}
          </p>
        )}
        <Refusal error={role.error ?? invite.error} after="team" />
        <PeopleList
          roles={mayChange ? roles : null}
          isBusy={isBusy}
          onRole={(person, to) => role.mutate({ id: person.id, to })}
          onInvite={mail}
          onDetails={(person) => setOpened({ what: 'details', person })}
          onRemove={(person) => setOpened({ what: 'remove', person })}
        />
        {mayChange && (
          <Invitations
            roles={roles}
            isBusy={isBusy}
            onLink={(person) => invite.mutate({ person, isMailed: false })}
            onChanged={refresh}
          />
        )}
        <Teams mayChange={mayChange} nameRef={teamName} onChanged={refresh} />
      </div>
      <Dialogs opened={opened} roles={roles} onClose={() => setOpened(null)} onChanged={refresh} onInvite={mail} />
    </main>
  );
}
