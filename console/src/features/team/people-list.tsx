import { useQuery } from '@tanstack/react-query';
import { useMe } from '../../app/me.tsx';
import { Button } from '../../components/button.tsx';
import { State } from '../../components/state.tsx';
import { t } from '../../locales/text.ts';
import { PersonRow } from './person-row.tsx';
import { colleaguesQuery, type Person, peopleQuery, type Role, teamsQuery } from './requests.ts';

interface Props {
  /** The roles that may be given; null: nothing may be changed. */
  readonly roles: readonly Role[] | null;
  readonly isBusy: boolean;
  readonly onRole: (person: Person, role: Role) => void;
  readonly onInvite: (person: Person) => void;
  readonly onDetails: (person: Person) => void;
  readonly onRemove: (person: Person) => void;
}

/** Everybody who answers customers. Owners are changed by owners alone. */
export function PeopleList({ roles, ...row }: Props) {
  const me = useMe();
  const { data, error, refetch } = useQuery(peopleQuery);
  const { data: teams = [] } = useQuery(teamsQuery);
  const { data: colleagues } = useQuery({ ...colleaguesQuery, enabled: roles !== null });
  if (data === undefined) {
    if (error === null) return <div className="skeleton h-40" aria-busy="true" />;
    return (
      <State title={t('team.failed')} body={error.message}>
        <Button onClick={() => void refetch()}>{t('action.tryAgain')}</Button>
      </State>
    );
  }
  if (data.data.length === 0) return <State title={t('team.none')} body={t('team.noneBody')} />;
  const teamNames = new Map(teams.map(({ id, name }) => [id, name]));
  return (
    <>
      <ul aria-label={t('team.open')} className="border-t border-line">
        {data.data.map((person) => (
          <PersonRow
            key={person.id}
            {...row}
            person={person}
            colleague={colleagues === undefined ? undefined : (colleagues.get(person.id) ?? null)}
            teamNames={teamNames}
            isMe={person.id === me.agent?.id}
            roles={roles?.some((role) => role === person.role) ? roles : null}
          />
        ))}
      </ul>
      {data.page.has_more && <p className="text-sm text-muted">{t('team.more', { count: data.data.length })}</p>}
    </>
  );
}
