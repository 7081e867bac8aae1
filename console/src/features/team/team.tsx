import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ArrowLeft, UserPlus } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { type AppCommand, useCommands } from '../../app/commands.tsx';
import { useMe } from '../../app/me.tsx';
import { agentsQuery } from '../../app/resources.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { t } from '../../locales/text.ts';
import { InvitationLink } from './invitation-link.tsx';
import { NewPerson } from './new-person.tsx';
import { PeopleList } from './people-list.tsx';
import { Refusal } from './refusal.tsx';
import { RemovePerson } from './remove-person.tsx';
import { changeRole, type Invitation, invitePerson, type Person, peopleQuery, ROLES, type Role } from './requests.ts';

type Asked = { readonly what: 'add' } | { readonly what: 'remove'; readonly person: Person };

/** Who answers customers here: their roles and teams, invitations, and leaving. */
export function Team() {
  const me = useMe();
  const navigate = useNavigate();
  const client = useQueryClient();
  const mayChange = me.permissions.includes('agents:manage');
  const roles: readonly Role[] = me.agent?.role === 'owner' ? ROLES : ROLES.filter((role) => role !== 'owner');
  const [asked, setAsked] = useState<Asked | null>(null);
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const refresh = () =>
    Promise.all([peopleQuery, agentsQuery].map(({ queryKey }) => client.invalidateQueries({ queryKey })));
  const role = useMutation({
    mutationFn: ({ id, to }: { id: string; to: Role }) => changeRole(id, to),
    onSettled: refresh,
  });
  const invite = useMutation({ mutationFn: invitePerson, onSuccess: setInvitation });
  const close = () => setAsked(null);
  useCommands(useTeamCommands(mayChange, () => setAsked({ what: 'add' })));
  useEffect(() => {
    document.title = t('team.open');
  }, []);
  return (
    <main className="scroll-area h-full">
      <div className="mx-auto flex max-w-3xl flex-col gap-4 p-4 sm:p-6">
        <header className="flex items-center gap-2">
          <IconButton label={t('lost.action')} onClick={() => void navigate({ to: '/inbox' })}>
            <ArrowLeft size={16} aria-hidden="true" className="rtl:-scale-x-100" />
          </IconButton>
          <h1 className="grow text-lg font-semibold">{t('team.open')}</h1>
          {mayChange && (
            <Button look="primary" onClick={() => setAsked({ what: 'add' })}>
              <UserPlus size={15} aria-hidden="true" />
              {t('team.add')}
            </Button>
          )}
        </header>
        {!mayChange && <p className="text-sm text-muted">{t('team.readOnly')}</p>}
        <Refusal error={role.error ?? invite.error} />
        <PeopleList
          roles={mayChange ? roles : null}
          isBusy={role.isPending || invite.isPending}
          onRole={(person, to) => role.mutate({ id: person.id, to })}
          onInvite={(person) => invite.mutate(person)}
          onRemove={(person) => setAsked({ what: 'remove', person })}
        />
      </div>
      {asked?.what === 'add' && (
        <NewPerson
          roles={roles}
          onClose={close}
          onAdded={(person) => {
            close();
            void refresh();
            invite.mutate(person);
          }}
        />
      )}
      {asked?.what === 'remove' && (
        <RemovePerson
          person={asked.person}
          onClose={close}
          onRemoved={() => {
            close();
            void refresh();
          }}
        />
      )}
      {invitation !== null && <InvitationLink invitation={invitation} onClose={() => setInvitation(null)} />}
    </main>
  );
}

function useTeamCommands(mayChange: boolean, add: () => void): readonly AppCommand[] {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it only sets a state, and registering must not repeat.
  return useMemo(
    () => (mayChange ? [{ id: 'team-add', name: t('team.add'), group: 'group.general', run: add } as const] : []),
    [mayChange],
  );
}
